/** What the use cases stand on: the ports of one opened memory. */

import type { Clock, Embedder, NoteIndex, Reranker, Vault } from '../ports.js';

export type Places = {
  readonly vault: Vault;
  readonly index: NoteIndex;
  readonly clock: Clock;
  /** Opens the model when first asked for; none where words alone are wanted. */
  readonly embedder?: () => Promise<Embedder | undefined>;
  /** A larger model, opened only where the gate finds that words and the model above are not enough. */
  readonly further?: () => Promise<Embedder | undefined>;
  /** Reads the first hits once more, for who asks for that. */
  readonly reranker?: () => Promise<Reranker | undefined>;
  /** Where the vault is followed: ends when the index holds what was written before. */
  readonly catchUp?: () => Promise<void>;
};
