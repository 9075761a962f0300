/** What is known of a sentence encoder or a reranker before it is opened. Known ones: known-models.ts, known-rerankers.ts. */

/** How the vectors of a text's tokens become one. */
export type Pooling = 'mean' | 'cls' | 'last';

/** What a model may run on; `auto` takes the best that works. */
export const DEVICES = ['auto', 'cpu', 'cuda', 'webgpu'] as const;
export type Device = (typeof DEVICES)[number];

/** Of encoders and rerankers alike. */
export type SharedFacts = {
  /** Short name that people type, such as `all-MiniLM-L6-v2`; of a local folder its path. */
  readonly id: string;
  /** Repository on the hub that holds the ONNX files; empty for a local folder that is no known model. */
  readonly hubId: string;
  /** Commit of that repository. */
  readonly revision: string;
  /** Longer texts are cut; of a reranker those of query and passage together. */
  readonly maxTokens: number;
  /** Which of the ONNX files is read, in the terms of transformers.js. */
  readonly dtype: 'fp32' | 'fp16' | 'q8' | 'q4';
  /** Of what has to be downloaded. */
  readonly bytes: number;
  /** SPDX identifier, or the name of the licence. */
  readonly licence: string;
  /** ISO 639-1 codes; undefined for a hundred or so. */
  readonly languages?: readonly string[];
};

export type ModelFacts = SharedFacts & {
  /** Of the model's own output. */
  readonly dimensions: number;
  /** Smaller numbers of leading dimensions that it was trained to be cut to (Matryoshka); often none. */
  readonly cutTo: readonly number[];
  readonly pooling: Pooling;
  /** Output of the ONNX file that holds one finished vector a text; it is taken as it is, whatever `pooling` says. */
  readonly pooledOutput?: string;
  /** Put before a query, and before a passage; empty for none. */
  readonly queryInstruction: string;
  readonly passageInstruction: string;
  /** Where the bands of its cosines begin: what texts with nothing in common come to, where its card says so. */
  readonly unrelatedCosine?: number;
};

/** A cross-encoder: it reads a query and a passage together, and gives one number. */
export type RerankerFacts = SharedFacts;
