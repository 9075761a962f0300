/** What is used of @huggingface/transformers, and how it is loaded. Models are opened by open-transformer.ts. */

import { MemoryError } from '../../core/errors.js';

export type Tensor = { readonly data: unknown; readonly type: string; readonly dims: readonly number[] };
export type Tokenizer = {
  (
    texts: readonly string[],
    options: object,
  ): {
    readonly input_ids: readonly (readonly number[])[];
    /** Only of models that tell two texts apart by them. */
    readonly token_type_ids?: readonly (readonly number[])[];
  };
  readonly pad_token_id: number | undefined;
};
export type Model = {
  (inputs: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor | undefined>>>;
  dispose(): Promise<unknown>;
};
type ModelOpener = { from_pretrained(folder: string, options: object): Promise<Model> };
/** By what comes out: hidden states of tokens, or scores of the whole text. */
export type ModelClass = 'AutoModel' | 'AutoModelForSequenceClassification';
export type Library = {
  readonly env: Record<string, unknown>;
  readonly LogLevel: { readonly NONE: number };
  readonly AutoTokenizer: { from_pretrained(folder: string, options: object): Promise<Tokenizer> };
  readonly AutoModel: ModelOpener;
  readonly AutoModelForSequenceClassification: ModelOpener;
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor;
};

let loaded: Promise<Library> | undefined;

/** Never from the network, and nothing kept in the library's own folder. */
export function loadLibrary(): Promise<Library> {
  loaded ??= importLibrary();
  return loaded;
}

async function importLibrary(): Promise<Library> {
  let library: Library;
  try {
    library = (await import('@huggingface/transformers')) as unknown as Library;
  } catch (error) {
    loaded = undefined;
    throw new MemoryError(
      'unavailable',
      `The package @huggingface/transformers, which runs models, cannot be loaded: ${firstLine(error)}`,
      {
        hint: 'Install it beside this program: `npm install --global @huggingface/transformers`.',
        cause: error,
      },
    );
  }
  Object.assign(library.env, {
    allowRemoteModels: false,
    allowLocalModels: true,
    useFSCache: false,
    useBrowserCache: false,
    useWasmCache: false,
    cacheDir: null,
    logLevel: library.LogLevel.NONE,
  });
  return library;
}

export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0]!.slice(0, 300);
}
