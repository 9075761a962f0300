/** What managing the models of meaning, and rerankers, takes and tells. What is done: app/manage-models.ts. */

export const MODEL_ACTIONS = ['list', 'show', 'pull', 'use', 'check'] as const;

export type ModelAction = (typeof MODEL_ACTIONS)[number];

export type ModelInput = {
  readonly action: ModelAction;
  /** An id of the list, `static`, `none`, `transformers:` and a repository or folder, an endpoint, or a folder. */
  readonly id?: string | undefined;
  /** With `pull` and `use`: download what is missing, and ask nobody. */
  readonly yes: boolean;
};

export const MODEL_STATES = [
  'built in',
  'downloaded',
  'incomplete',
  'not downloaded',
  'folder',
  'endpoint',
] as const;

/** `none`: words alone; `table`: static vectors of words; `encoder`: vectors of sentences; `reranker`: scores of pairs. */
export const MODEL_KINDS = ['none', 'table', 'encoder', 'reranker'] as const;

export type ModelKind = (typeof MODEL_KINDS)[number];

/** Numbers are 0 and texts empty where nothing is known or there is nothing to say. */
export type ListedModel = {
  readonly id: string;
  readonly kind: ModelKind;
  readonly state: (typeof MODEL_STATES)[number];
  readonly chosen: boolean;
  readonly dimensions: number;
  /** Smaller numbers of dimensions that AGENT_MEMORY_DIM may ask for. */
  readonly cutTo: readonly number[];
  readonly maxTokens: number;
  /** To download. */
  readonly bytes: number;
  readonly licence: string;
  /** ISO 639-1; none for many. */
  readonly languages: readonly string[];
  readonly about: string;
  /** The repository of its files, and which commit of it. */
  readonly hub: string;
  readonly revision: string;
  readonly pooling: string;
  readonly queryInstruction: string;
  readonly passageInstruction: string;
  /** What its makers say that texts with nothing in common come to. */
  readonly unrelatedCosine: number;
  /** Where its files are, or will be. */
  readonly folder: string;
};

export type ModelCheck = {
  readonly model: string;
  readonly dimensions: number;
  /** Until the first text was embedded, and for each of the next. */
  readonly openMs: number;
  readonly textMs: number;
  /**
   * Cosine of a question with a text that answers it in other words, and with one about something else; of a reranker
   * its logits for them.
   */
  readonly near: number;
  readonly far: number;
};

export type ModelOutput = {
  /** What was done. */
  readonly action: ModelAction;
  /** As it is named. */
  readonly chosen: string;
  /** Who chose it: AGENT_MEMORY_MODEL, the path of the settings, or nobody. */
  readonly chosenBy: string;
  /** The reranker in use, as it is named; `none` where there is none. */
  readonly reranker: string;
  readonly models: readonly ListedModel[];
  /** With `check`. */
  readonly check?: ModelCheck;
  /** With `pull` and `use`. */
  readonly downloadedBytes: number;
  /** With `use`: passages of this vault that got a vector now, and that have none yet. */
  readonly embedded: number;
  readonly pending: number;
  /** What to do now, in a line. */
  readonly next: string;
};
