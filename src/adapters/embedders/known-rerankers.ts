/**
 * The cross-encoders that can be named by a short name, each at one commit of its repository, as known-models.ts has the
 * sentence encoders; and the look-up over both lists.
 */

import { file, findKnownModel, type KnownFiles, type KnownModel, known } from './known-models.js';
import type { RerankerFacts } from './model-facts.js';

export type KnownReranker = RerankerFacts & KnownFiles;

/** From small to large. */
export const KNOWN_RERANKERS: readonly KnownReranker[] = [
  known({
    id: 'ms-marco-MiniLM-L-6-v2',
    hubId: 'Xenova/ms-marco-MiniLM-L-6-v2',
    revision: 'a09144355adeed5f58c8ed011d209bf8ee5a1fec',
    about: 'small and fast',
    maxTokens: 512,
    dtype: 'q8',
    licence: 'Apache-2.0',
    languages: ['en'],
    files: [
      file('config.json', 824, 'd827779a72d27ae68cf878a6fc2e954542663fe21ca515d9f4783fc96be2d37e'),
      file('tokenizer.json', 711_396, 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66'),
      file(
        'tokenizer_config.json',
        1_242,
        '0b29c7bfc889e53b36d9dd3e686dd4300f6525110eaa98c76a5dafceb2029f53',
      ),
      file(
        'onnx/model_quantized.onnx',
        23_143_499,
        'e9d8ebf845c413e981c175bfe49a3bfa9b3dcce2a3ba54875ee5df5a58639fbe',
      ),
    ],
  }),
  known({
    id: 'bge-reranker-v2-m3',
    hubId: 'onnx-community/bge-reranker-v2-m3-ONNX',
    revision: '6f5ff65298512715a1e669753bc754d2bc8f367b',
    about: 'large and slow, many languages',
    // It takes 8,192, and was trained with these.
    maxTokens: 1_024,
    dtype: 'q8',
    licence: 'Apache-2.0',
    files: [
      file('config.json', 848, '122e922dcfed6503c8721e6fe1daf090340c3d95ca7f3aa3a72730b321a51cfd'),
      file('tokenizer.json', 17_082_900, '8bf8afbfd11306bd872018c53bfdf2e160a56f8edbcf49933324404791c148d3'),
      file(
        'tokenizer_config.json',
        1_203,
        'b87c8703482b0300d3da30e201519aa641f6a450f5eb5bf1e624afbf70c74d80',
      ),
      file(
        'onnx/model_quantized.onnx',
        570_727_094,
        '912fc1215c2dbff6499700534bd8d31253af01573861abbfc43afd1fab6cce5d',
      ),
    ],
  }),
];

/** By its id or its repository, in any case of letters. */
export function findKnownReranker(name: string): KnownReranker | undefined {
  const wanted = name.toLowerCase();
  return KNOWN_RERANKERS.find(
    ({ id, hubId }) => id.toLowerCase() === wanted || hubId.toLowerCase() === wanted,
  );
}

/** Encoder or reranker: whatever can be downloaded by a short name. */
export function findKnown(name: string): KnownModel | KnownReranker | undefined {
  return findKnownModel(name) ?? findKnownReranker(name);
}
