/**
 * The sentence encoders that can be named by a short name, with the facts of their cards and the files that are
 * downloaded, each at one commit of its repository. Rerankers are in known-rerankers.ts; other models of the hub are
 * described by hub-repository.ts.
 */

import type { ModelFacts } from './model-facts.js';

export type ModelFile = {
  /** In the repository, and below the model's folder. */
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
};

export type KnownFiles = {
  /** What speaks for it, and against it. */
  readonly about: string;
  /** Where the licence can be read, if its name does not say it. */
  readonly licenceUrl?: string;
  readonly files: readonly ModelFile[];
};

export type KnownModel = ModelFacts & KnownFiles;

/** An owner and a name: what a repository of the hub is called. */
const HUB_ID = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;

export function file(path: string, bytes: number, sha256: string): ModelFile {
  return { path, bytes, sha256 };
}

export function known<M extends Pick<KnownFiles, 'files'>>(model: M): M & { readonly bytes: number } {
  return { ...model, bytes: model.files.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** From small to large. */
export const KNOWN_MODELS: readonly KnownModel[] = [
  known({
    id: 'all-MiniLM-L6-v2',
    hubId: 'Xenova/all-MiniLM-L6-v2',
    revision: '751bff37182d3f1213fa05d7196b954e230abad9',
    about: 'smallest and fastest',
    dimensions: 384,
    cutTo: [],
    maxTokens: 256,
    pooling: 'mean',
    queryInstruction: '',
    passageInstruction: '',
    dtype: 'q8',
    licence: 'Apache-2.0',
    languages: ['en'],
    files: [
      file('config.json', 650, '7135149f7cffa1a573466c6e4d8423ed73b62fd2332c575bf738a0d033f70df7'),
      file('tokenizer.json', 711_661, 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0'),
      file('tokenizer_config.json', 366, '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3'),
      file(
        'onnx/model_quantized.onnx',
        22_972_370,
        'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
      ),
    ],
  }),
  known({
    id: 'bge-small-en-v1.5',
    hubId: 'Xenova/bge-small-en-v1.5',
    revision: 'ea104dacec62c0de699686887e3f920caeb4f3e3',
    about: 'small, made for search',
    dimensions: 384,
    cutTo: [],
    maxTokens: 512,
    pooling: 'cls',
    queryInstruction: 'Represent this sentence for searching relevant passages: ',
    passageInstruction: '',
    dtype: 'q8',
    licence: 'MIT',
    languages: ['en'],
    files: [
      file('config.json', 683, 'fa73f90bf92c8cace1fbcb709626306f2bdbc9ea3e5b5f94b440df9b6aa56350'),
      file('tokenizer.json', 711_396, 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66'),
      file('tokenizer_config.json', 366, '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3'),
      file(
        'onnx/model_quantized.onnx',
        34_014_426,
        '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4',
      ),
    ],
  }),
  known({
    id: 'e5-small-v2',
    hubId: 'Xenova/e5-small-v2',
    revision: '02af79985278377e65c724a76275707cb0333c70',
    about: 'small, made for search',
    dimensions: 384,
    cutTo: [],
    maxTokens: 512,
    pooling: 'mean',
    queryInstruction: 'query: ',
    passageInstruction: 'passage: ',
    // "around 0.7 to 1.0", for it was trained at a temperature of 0.01.
    unrelatedCosine: 0.7,
    dtype: 'q8',
    licence: 'MIT',
    languages: ['en'],
    files: [
      file('config.json', 598, 'a45cbfdbc729148119afa0284a366fcaea47522a260790a02cd8aafba9fd5896'),
      file('tokenizer.json', 711_396, 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66'),
      file('tokenizer_config.json', 366, '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3'),
      file(
        'onnx/model_quantized.onnx',
        34_014_367,
        '7d9092cb25f2bd1c023b7e8d2aa459044a02030ac880e5a59fdaf27af69f1ded',
      ),
    ],
  }),
  known({
    id: 'multilingual-e5-small',
    hubId: 'Xenova/multilingual-e5-small',
    revision: '761b726dd34fb83930e26aab4e9ac3899aa1fa78',
    about: 'the smallest for many languages',
    dimensions: 384,
    cutTo: [],
    maxTokens: 512,
    pooling: 'mean',
    queryInstruction: 'query: ',
    passageInstruction: 'passage: ',
    // "around 0.7 to 1.0", for it was trained at a temperature of 0.01.
    unrelatedCosine: 0.7,
    dtype: 'q8',
    licence: 'MIT',
    files: [
      file('config.json', 658, 'cb99455288675345e1a4f411438d5d0adbba5fbd3a67ea4fb03c015433b996c1'),
      file('tokenizer.json', 17_082_730, '0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39'),
      file('tokenizer_config.json', 443, 'a1d6bc8734a6f635dc158508bef000f8e2e5a759c7d92f984b2c86e5ff53425b'),
      file(
        'onnx/model_quantized.onnx',
        118_308_185,
        'f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193',
      ),
    ],
  }),
  known({
    id: 'embeddinggemma-300m',
    hubId: 'onnx-community/embeddinggemma-300m-ONNX',
    revision: '5090578d9565bb06545b4552f76e6bc2c93e4a66',
    about: 'many languages, vectors that can be cut; a licence with terms of use',
    dimensions: 768,
    cutTo: [512, 256, 128],
    maxTokens: 2_048,
    pooling: 'mean',
    // Two dense layers follow the mean, and are in the file.
    pooledOutput: 'sentence_embedding',
    queryInstruction: 'task: search result | query: ',
    passageInstruction: 'title: none | text: ',
    dtype: 'q8',
    licence: 'Gemma Terms of Use',
    licenceUrl: 'https://ai.google.dev/gemma/terms',
    files: [
      file('config.json', 1_765, '6e1f06404b7163e0325ed2ea3e6781cde50f4a50b31780a95ad0d30e8404d77b'),
      file('tokenizer.json', 20_323_312, '4dda02faaf32bc91031dc8c88457ac272b00c1016cc679757d1c441b248b9c47'),
      file(
        'tokenizer_config.json',
        1_156_830,
        '3ca953eea6c3c9fcda9cf3df22949ff18b216f7c74bd6459230f3f1013953f3a',
      ),
      file(
        'onnx/model_quantized.onnx',
        567_874,
        '172efde319fe1542dc41f31be6154910b05b78f7a861c265c4600eec906bd6d8',
      ),
      file(
        'onnx/model_quantized.onnx_data',
        308_890_624,
        '705626e28e4c23c82ade34566b4197d97f534c12275fa406dfb71e9937d388c0',
      ),
    ],
  }),
  known({
    id: 'snowflake-arctic-embed-l-v2.0',
    hubId: 'Snowflake/snowflake-arctic-embed-l-v2.0',
    revision: 'ac6544c8a46e00af67e330e85a9028c66b8cfd9a',
    about: 'large, many languages, vectors that can be cut',
    dimensions: 1_024,
    cutTo: [256],
    maxTokens: 8_192,
    pooling: 'cls',
    queryInstruction: 'query: ',
    passageInstruction: '',
    dtype: 'q8',
    licence: 'Apache-2.0',
    files: [
      file('config.json', 818, '706f5d1eb9ddf64b5d3067c562b893b80ad1022db7f68c20eb07ff24d33b6c15'),
      file('tokenizer.json', 17_083_074, '39feb9863a378165ab9c5c689047203d789422966c0c58721c5309fd039a8edc'),
      file(
        'tokenizer_config.json',
        1_339,
        'cb058b4c5c0c08738eb028c2ae82ed55cd84ce8999ece76b13472af80f0f77f1',
      ),
      file(
        'onnx/model_quantized.onnx',
        569_721_975,
        '4b164a8bd09dd9806e035bdf3c34a2d81848b3db9642ba2e342b8367c00872d8',
      ),
    ],
  }),
  known({
    id: 'Qwen3-Embedding-0.6B',
    hubId: 'onnx-community/Qwen3-Embedding-0.6B-ONNX',
    revision: 'c25a394dd583836952667c12f008335071b3f43d',
    about: 'largest and slowest, many languages, vectors that can be cut, long texts',
    dimensions: 1_024,
    cutTo: [768, 512, 256, 128, 64, 32],
    maxTokens: 32_768,
    pooling: 'last',
    queryInstruction:
      'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:',
    passageInstruction: '',
    dtype: 'q8',
    licence: 'Apache-2.0',
    files: [
      file('config.json', 1_576, '66a10929782f3c9a3cd5dec90e2a95c60e05736134a63cd54479eeae80bed175'),
      file('tokenizer.json', 11_423_705, 'def76fb086971c7867b829c23a26261e38d9d74e02139253b38aeb9df8b4b50a'),
      file(
        'tokenizer_config.json',
        9_731,
        '977648852447cb6587327ff3205b0a84cf2fc9f05621d6c8e88a497caafab2e1',
      ),
      file(
        'onnx/model_quantized.onnx',
        613_527_631,
        '87cd124e0ef1fd1f223ebc283efccbaeac386d0b08344701c46975d0657b591f',
      ),
    ],
  }),
];

/** By its id or its repository, in any case of letters. */
export function findKnownModel(name: string): KnownModel | undefined {
  const wanted = name.toLowerCase();
  return KNOWN_MODELS.find(({ id, hubId }) => id.toLowerCase() === wanted || hubId.toLowerCase() === wanted);
}

export function isHubId(text: string): boolean {
  return HUB_ID.test(text);
}
