/** What a hub says of a repository: its newest commit, its licence, and the files of it that an encoder needs. */

import { MemoryError } from '../../core/errors.js';
import { PassingFailure, request, unavailable } from './hub-request.js';
import { isObject } from './model-file.js';

export type HubFile = {
  readonly path: string;
  readonly bytes: number | undefined;
  readonly sha256: string | undefined;
};

export type HubRepository = {
  readonly hubId: string;
  readonly revision: string;
  readonly licence: string;
  readonly files: readonly HubFile[];
};

const DEFAULT_ENDPOINT = 'https://huggingface.co';
const ANSWER_WITHIN_MS = 30_000;
const COMMIT = /^[0-9a-f]{40}$/;
/** What the tokenizer and the pooling need, as far as a repository has it. */
const SMALL_FILES = [
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'modules.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
];
/** The layers of sentence-transformers after the encoder itself. */
const LAYER_FILE = /^\d+_(Pooling|Dense)\/config\.json$/;
const NEEDED = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];
/** The best of them that there is. */
const WEIGHTS = ['onnx/model_quantized.onnx', 'onnx/model.onnx', 'onnx/model_fp16.onnx'];

/** The server of models: HF_ENDPOINT, if it is set. */
export function hubEndpoint(environment: Readonly<Record<string, string | undefined>>): URL {
  const given = environment['HF_ENDPOINT'] || DEFAULT_ENDPOINT;
  if (URL.canParse(given)) {
    const url = new URL(given.endsWith('/') ? given : `${given}/`);
    if (url.protocol === 'https:' || url.protocol === 'http:') return url;
  }
  throw new MemoryError('invalid_input', `HF_ENDPOINT is "${given}", which is no address of a server`, {
    hint: 'Set it to one that begins with https://, or unset it.',
  });
}

export function fileUrl(endpoint: URL, { hubId, revision }: HubRepositoryPlace, path: string): URL {
  return new URL(
    `${hubId}/resolve/${revision}/${path.split('/').map(encodeURIComponent).join('/')}`,
    endpoint,
  );
}

export type HubRepositoryPlace = Pick<HubRepository, 'hubId' | 'revision'>;

/** Throws `not_found` for a repository that is not there, and `invalid_input` for one without an encoder's files. */
export async function describeRepository(
  endpoint: URL,
  hubId: string,
  outer?: AbortSignal,
): Promise<HubRepository> {
  const url = new URL(`api/models/${hubId}/revision/main?blobs=true`, endpoint);
  const limit = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const signal = outer === undefined ? limit : AbortSignal.any([outer, limit]);
  let text: string;
  try {
    text = await new Response((await request(url, { from: 0, signal })).body).text();
  } catch (error) {
    outer?.throwIfAborted();
    if (!(error instanceof PassingFailure)) throw error;
    throw unavailable(`"${url.href}" gave no answer: ${error.reason}`, error);
  }
  const repository = parseRepository(hubId, text);
  if (repository === undefined) throw unavailable(`"${url.href}" gave no description of a repository`);
  const files = chooseFiles(repository.files);
  const missing = [...NEEDED, 'a file like onnx/model_quantized.onnx'].filter((name) => {
    if (name.startsWith('a file')) return !files.some(({ path }) => WEIGHTS.includes(path));
    return !files.some(({ path }) => path === name);
  });
  if (missing.length === 0) return { ...repository, files };
  throw new MemoryError(
    'invalid_input',
    `"${hubId}" is no encoder that can be read: it lacks ${missing.join(', ')}`,
    {
      hint: 'Name a repository with ONNX files. `memory model list` names some that are known to work.',
    },
  );
}

function parseRepository(hubId: string, text: string): HubRepository | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || !Array.isArray(value['siblings'])) return undefined;
  const revision = String(value['sha'] ?? '');
  if (!COMMIT.test(revision)) return undefined;
  const files = value['siblings'].filter(isObject).map(fileOf);
  return { hubId, revision, licence: licenceOf(value), files };
}

function fileOf(sibling: Record<string, unknown>): HubFile {
  const lfs = isObject(sibling['lfs']) ? sibling['lfs'] : {};
  const sha256 = [lfs['sha256'], lfs['oid']].find((hash) => /^[0-9a-f]{64}$/.test(String(hash)));
  const bytes = [lfs['size'], sibling['size']].find((size) => Number.isSafeInteger(size));
  return {
    path: String(sibling['rfilename'] ?? ''),
    bytes: bytes === undefined ? undefined : Number(bytes),
    sha256: sha256 === undefined ? undefined : String(sha256),
  };
}

function licenceOf(value: Record<string, unknown>): string {
  const card = isObject(value['cardData']) ? value['cardData'] : {};
  const tags: readonly unknown[] = Array.isArray(value['tags']) ? value['tags'] : [];
  const tag = tags.map(String).find((text) => text.startsWith('license:'));
  const name = card['license'] ?? tag?.slice('license:'.length);
  return typeof name === 'string' && name !== '' ? name : 'not stated';
}

function chooseFiles(files: readonly HubFile[]): readonly HubFile[] {
  const weights = WEIGHTS.find((name) => files.some(({ path }) => path === name));
  const isOfWeights = (path: string) =>
    weights !== undefined && path.startsWith(weights) && /^(_data(_\d+)?)?$/.test(path.slice(weights.length));
  return files.filter(({ path }) => SMALL_FILES.includes(path) || LAYER_FILE.test(path) || isOfWeights(path));
}
