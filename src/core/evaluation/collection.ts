/** A retrieval collection: texts, questions, and which texts answer which question. Read by adapters/collection-fs. */

import type { Judgements } from '../retrieval/metrics.js';

export type CollectionDocument = {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** The conversation it belongs to; a question of one is asked of that one only. */
  readonly conversation: string;
};

export type CollectionQuery = { readonly id: string; readonly text: string; readonly conversation: string };

export type RetrievalCollection = {
  readonly name: string;
  readonly documents: readonly CollectionDocument[];
  /** Judged ones only, without those that have no answer. */
  readonly queries: readonly CollectionQuery[];
  readonly judgements: ReadonlyMap<string, Judgements>;
};
