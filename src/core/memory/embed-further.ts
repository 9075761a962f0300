/**
 * Vectors of the further model for passages that have none. That takes minutes to hours, hence it never runs in a search,
 * and beside everything else: the right to write is taken for as long as storing a batch takes, whose vectors then stay
 * whatever happens. One process at a time does it, so that no passage is embedded twice.
 */

import { MemoryError } from '../errors.js';
import type { Embedder, IndexWriting } from '../ports.js';
import { KEY_BYTES } from '../retrieval/evidence.js';
import { bringUpToDate } from './bring-up-to-date.js';
import { FurtherBatches } from './further-batches.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
import { sweepUnused } from './sweep-unused.js';
import { bytesOfKeys, hasNoKey, keyAt } from './vector-keys.js';
import { withModel } from './with-model.js';

export type EmbedFurtherOptions = CallOptions & {
  /** Also ask again for what the model refused before. */
  readonly retryFailed?: boolean;
};

export type EmbedFurtherOutcome = {
  /** Empty where none is set, or it cannot be opened. */
  readonly model: string;
  /** Passages that got their vector now. */
  readonly embedded: number;
  /** Passages without a vector; of these those that the model refused. */
  readonly pending: number;
  readonly failed: number;
};

const NOTHING: EmbedFurtherOutcome = { model: '', embedded: 0, pending: 0, failed: 0 };
/** With more than this share of vectors that no passage has it is worth looking closely. */
const MANY_STALE = 0.25;
/** Between two tries the index is brought into order. */
const STORE_TRIES = 3;

export async function embedFurther(
  places: Places,
  options: EmbedFurtherOptions = {},
): Promise<EmbedFurtherOutcome> {
  const consequence = 'passages get no vectors of it';
  const further = await withModel(places.further, options, consequence, async (opened) => opened);
  const outcome = further ? await embedWith(places, further, options) : NOTHING;
  // A model that cannot be opened now may be used again tomorrow.
  if (further) await sweepUnused(places, further.model);
  return outcome;
}

async function embedWith(
  places: Places,
  embedder: Embedder,
  options: EmbedFurtherOptions,
): Promise<EmbedFurtherOutcome> {
  const { index } = places;
  const { model } = embedder;
  const before = await index.vectorCounts(model);
  const wanted = before.pending - (options.retryFailed ? 0 : before.failed);
  let embedded = 0;
  if (wanted > 0) {
    const turn = await index.startEmbedding();
    if (!turn) {
      const left = wanted === 1 ? '1 passage is' : `${wanted} passages are`;
      options.notice?.(`another process is embedding with "${model.id}"; ${left} left to it`);
      return { model: model.id, embedded, pending: before.pending, failed: before.failed };
    }
    try {
      embedded = await new FurtherEmbedding(places, embedder, options).run();
    } finally {
      await turn.end();
    }
  }
  const { pending, failed, stale, ...after } = wanted > 0 ? await index.vectorCounts(model) : before;
  if (stale > MANY_STALE * (after.embedded + stale)) {
    await whileWriting(places, options, (writing) => writing.tidyVectors(model, { hasMuchChanged: true }));
  }
  return { model: model.id, embedded, pending, failed };
}

class FurtherEmbedding {
  private readonly batches: FurtherBatches;
  /** Keys that this run needs not look at again. */
  private readonly seen = new Set<string>();

  constructor(
    private readonly places: Places,
    private readonly embedder: Embedder,
    private readonly options: EmbedFurtherOptions,
  ) {
    this.batches = new FurtherBatches(places, embedder, options);
  }

  /** Until no passage is missing, those that came meanwhile included. Returns how many got a vector. */
  async run(): Promise<number> {
    const { index } = this.places;
    const { model } = this.embedder;
    const keys = await index.failedVectors(model);
    const refused = new Set<string>();
    for (let at = 0; at < keys.length / KEY_BYTES; at++) refused.add(keyAt(keys, at));
    if (!this.options.retryFailed) for (const key of refused) this.seen.add(key);
    let embedded = 0;
    try {
      for (let missing = await this.missing(); missing.size > 0; missing = await this.missing()) {
        for await (const { parts, owners, failed } of this.batches.of(missing, refused)) {
          for (const key of owners) refused.delete(key);
          for (const key of failed) refused.add(key);
          await whileWriting(this.places, this.options, async (writing) => {
            for (const part of parts) await writing.putVectors(model, part);
            await writing.keepFailed(model, bytesOfKeys([...refused]));
          });
          embedded += owners.length;
          this.batches.tellProgress();
          this.options.signal?.throwIfAborted();
        }
        for (const key of missing.keys()) this.seen.add(key);
      }
      this.batches.tellFailed();
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code !== 'unavailable') throw error;
      this.options.notice?.(
        `${error.message}; what has no vector yet gets one from the next \`memory reindex\``,
      );
    }
    return embedded;
  }

  /** Keys of passages without a vector, with a note that holds them. */
  private async missing(): Promise<ReadonlyMap<string, number>> {
    const { index } = this.places;
    await index.state();
    const { noteOf } = await index.shape();
    const keys = await index.passageKeys();
    const known = await index.knownVectors(this.embedder.model, keys);
    const missing = new Map<string, number>();
    noteOf.forEach((note, passage) => {
      if (note === 0 || known.has(passage) || hasNoKey(keys, passage)) return;
      const key = keyAt(keys, passage);
      if (!this.seen.has(key)) missing.set(key, note);
    });
    return missing;
  }
}

/** Under the right to write, and only into an index that nobody left half written: that is made anew first. */
async function whileWriting(
  places: Places,
  { signal, notice }: CallOptions,
  work: (writing: IndexWriting) => Promise<void>,
): Promise<void> {
  const { index } = places;
  for (let tries = 0; tries < STORE_TRIES; tries++) {
    const writing = await index.startWriting({ wait: true, signal });
    try {
      if (writing && (await index.state()) === 'ready') return await work(writing);
    } finally {
      await writing?.end();
    }
    await bringUpToDate(places, { signal, notice, wait: true, countIgnored: false });
  }
  throw new MemoryError('unavailable', `The index in "${index.place}" cannot be written`, {
    hint: 'Run `memory reindex`.',
  });
}
