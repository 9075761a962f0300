/** Types of make-tiny-model.mjs, for the tests. */

export type TinyModelOptions = {
  readonly dimensions?: number;
  readonly maxTokens?: number;
  readonly seed?: number;
  readonly dtype?: 'fp32' | 'fp16' | 'q8' | 'q4';
  /** A word whose row holds NaN. */
  readonly poison?: string;
  /** Every output is zero. */
  readonly isMute?: boolean;
  /** Adds the output `sentence_embedding`. */
  readonly hasOwnPooling?: boolean;
  /** Goes over what config.json says. */
  readonly config?: Readonly<Record<string, unknown>>;
};

export type TinyRerankerOptions = Pick<
  TinyModelOptions,
  'dimensions' | 'maxTokens' | 'seed' | 'dtype' | 'poison' | 'config'
> & {
  /** Numbers for a pair; one is what a reranker gives. */
  readonly labels?: number;
};

export const TINY_VOCABULARY: readonly string[];
/** Returns the folder. */
export function makeTinyModel(folder: string, options?: TinyModelOptions): string;
export function makeTinyReranker(folder: string, options?: TinyRerankerOptions): string;
