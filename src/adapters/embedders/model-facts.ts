/** What is known of a sentence encoder before it is opened. The list of known ones is known-models.ts. */

/** How the vectors of a text's tokens become one. */
export type Pooling = 'mean' | 'cls' | 'last';

/** What a model may run on; `auto` takes the best that works. */
export const DEVICES = ['auto', 'cpu', 'cuda', 'webgpu'] as const;
export type Device = (typeof DEVICES)[number];

export type ModelFacts = {
  /** Short name that people type, such as `all-MiniLM-L6-v2`; of a local folder its path. */
  readonly id: string;
  /** Repository on the hub that holds the ONNX files; empty for a local folder that is no known model. */
  readonly hubId: string;
  /** Commit of that repository. */
  readonly revision: string;
  /** Of the model's own output. */
  readonly dimensions: number;
  /** Smaller numbers of leading dimensions that it was trained to be cut to (Matryoshka); often none. */
  readonly cutTo: readonly number[];
  /** Longer texts are cut by the tokenizer. */
  readonly maxTokens: number;
  readonly pooling: Pooling;
  /** Output of the ONNX file that holds one finished vector a text; it is taken as it is, whatever `pooling` says. */
  readonly pooledOutput?: string;
  /** Put before a query, and before a passage; empty for none. */
  readonly queryInstruction: string;
  readonly passageInstruction: string;
  /** Which of the ONNX files is read, in the terms of transformers.js. */
  readonly dtype: 'fp32' | 'fp16' | 'q8' | 'q4';
  /** Of what has to be downloaded. */
  readonly bytes: number;
  /** SPDX identifier, or the name of the licence. */
  readonly licence: string;
  /** ISO 639-1 codes; undefined for a hundred or so. */
  readonly languages?: readonly string[];
};
