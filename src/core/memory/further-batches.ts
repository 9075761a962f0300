/**
 * Reads the notes whose passages lack vectors of the further model, and embeds those in batches of about a second. A text
 * that the model refuses is found by halving its batch. Storing is embed-further.ts.
 */

import { MemoryError } from '../errors.js';
import type { IndexedPassage } from '../note/indexed-note.js';
import { readNoteSteps } from '../note/read-note.js';
import type { Embedder } from '../ports.js';
import type { PassageVectors } from '../retrieval/evidence.js';
import { packVectors } from '../retrieval/pack-vectors.js';
import { Turns } from '../turns.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
import { keysOf } from './vector-keys.js';
import { windowsWithin } from './windows.js';

const NOTES_AT_ONCE = 50;
const FIRST_BATCH = 8;
const LARGEST_BATCH = 64;
/** So much is lost at most when the process is killed, and so long does it take to hear a signal. */
const BATCH_MS = 1_000;
/** Refused texts that are named one by one. */
const MOST_NAMED = 5;
/** Where so many are refused and none is taken, the model is what is wrong. */
const FEWEST_FOR_BLAME = 16;

type Item = { readonly passage: IndexedPassage; readonly path: string };

export type EmbeddedBatch = {
  readonly parts: readonly PassageVectors[];
  /** Keys of the passages embedded, and of those refused. */
  readonly owners: readonly string[];
  readonly failed: readonly string[];
};

export class FurtherBatches {
  private readonly turns: Turns;
  private size = FIRST_BATCH;
  private total = 0;
  private done = 0;
  private path = '';
  private embedded = 0;
  private newlyFailed = 0;
  /** When the first batch was done, which opened the model, and how many passages that were. */
  private measuredFrom: { readonly ms: number; readonly done: number } | undefined;

  constructor(
    private readonly places: Pick<Places, 'index' | 'vault' | 'clock'>,
    private readonly embedder: Embedder,
    private readonly options: CallOptions,
  ) {
    this.turns = new Turns(places.clock);
  }

  /** `missing` are keys with notes that hold them; of what is in `refused` it was told before. */
  async *of(
    missing: ReadonlyMap<string, number>,
    refused: ReadonlySet<string>,
  ): AsyncGenerator<EmbeddedBatch> {
    const before = this.done;
    this.total += missing.size;
    const left = new Set(missing.keys());
    const waiting: Item[] = [];
    const notes = await this.places.index.notes([...new Set(missing.values())]);
    for (let from = 0; from < notes.length; from += NOTES_AT_ONCE) {
      const paths = notes.slice(from, from + NOTES_AT_ONCE).map(({ path }) => path);
      for (const file of await this.places.vault.read(paths)) {
        if ('reason' in file) continue;
        const { passages } = await this.turns.take(readNoteSteps(file));
        for (const passage of passages) {
          if (left.delete(passage.vectorKey)) waiting.push({ passage, path: file.path });
        }
        while (waiting.length >= this.size) yield await this.embed(waiting.splice(0, this.size), refused);
      }
    }
    while (waiting.length > 0) yield await this.embed(waiting.splice(0, this.size), refused);
    // Of notes that changed since they were indexed.
    this.done = before + missing.size;
  }

  tellProgress(): void {
    const { done, total, path, measuredFrom: from } = this;
    const ms = from ? this.places.clock.elapsedMs() - from.ms : 0;
    const perSecond = from && ms > 0 ? ((done - from.done) / ms) * 1_000 : 0;
    const speed = perSecond > 0 ? { perSecond, secondsLeft: Math.ceil((total - done) / perSecond) } : {};
    this.options.report?.({ unit: 'passages', done, total, path, ...speed });
    this.measuredFrom ??= { ms: this.places.clock.elapsedMs(), done };
  }

  tellFailed(): void {
    const more = this.newlyFailed - MOST_NAMED;
    if (more > 0) this.options.notice?.(`so it is with ${more} more`);
  }

  private async embed(items: readonly Item[], refused: ReadonlySet<string>): Promise<EmbeddedBatch> {
    const startMs = this.places.clock.elapsedMs();
    const parts: PassageVectors[] = [];
    const owners: string[] = [];
    const failed: string[] = [];
    const take = async (some: readonly Item[]): Promise<void> => {
      try {
        parts.push(await this.vectorsOf(some));
        owners.push(...some.map(({ passage }) => passage.vectorKey));
        this.embedded += some.length;
      } catch (error) {
        if (!(error instanceof MemoryError) || error.code !== 'invalid_input') throw error;
        const middle = some.length >> 1;
        if (middle === 0) {
          failed.push(some[0]!.passage.vectorKey);
          this.refuse(some[0]!, refused, error);
          return;
        }
        this.options.signal?.throwIfAborted();
        await take(some.slice(0, middle));
        await take(some.slice(middle));
      }
    };
    await take(items);
    this.done += items.length;
    this.path = items.at(-1)!.path;
    const ms = Math.max(1, this.places.clock.elapsedMs() - startMs);
    const fitting = Math.min(2 * this.size, Math.round((items.length * BATCH_MS) / ms));
    this.size = Math.max(1, Math.min(LARGEST_BATCH, fitting));
    return { parts, owners, failed };
  }

  private async vectorsOf(items: readonly Item[]): Promise<PassageVectors> {
    const { model } = this.embedder;
    const windows = items.flatMap(({ passage }) => windowsWithin(passage, model.windowChars));
    const vectors = await this.embedder.embedPassages(windows.map(({ text }) => text));
    if (vectors.length !== windows.length * model.dimensions) {
      const given = `${vectors.length} numbers for ${windows.length} texts`;
      throw new MemoryError(
        'unavailable',
        `The model "${model.id}" gave ${given}, not ${model.dimensions} each`,
        {
          hint: 'Check its dimensions with `memory model check`.',
        },
      );
    }
    return { keys: keysOf(windows), vectors: packVectors(vectors, model.dimensions, model.rowFormat) };
  }

  private refuse({ passage, path }: Item, refused: ReadonlySet<string>, error: MemoryError): void {
    const { id } = this.embedder.model;
    if (!refused.has(passage.vectorKey)) this.newlyFailed += 1;
    if (this.embedded === 0 && this.newlyFailed >= FEWEST_FOR_BLAME) {
      throw new MemoryError('unavailable', `The model "${id}" refuses every text: ${error.message}`, {
        hint: 'Check it with `memory model check`.',
        cause: error,
      });
    }
    if (refused.has(passage.vectorKey) || this.newlyFailed > MOST_NAMED) return;
    this.options.notice?.(
      `"${path}" line ${passage.line} stays without a vector of "${id}", which refused it: ${error.message}`,
    );
  }
}
