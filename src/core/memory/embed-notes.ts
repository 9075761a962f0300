/**
 * Vectors for passages that have none: of notes that are taken into the index, and of those that were before. Those of a
 * further model are made beside all this (embed-further.ts).
 */

import type { IndexedNote, IndexedPassage } from '../note/indexed-note.js';
import type { CheckRecord, Embedder, IndexWriting, NoteIndex, Vault } from '../ports.js';
import { packVectors } from '../retrieval/pack-vectors.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
import { hasNoKey, keysOf } from './vector-keys.js';
import { windowsOf } from './windows.js';
import { tried, withModel } from './with-model.js';

/** Texts between two looks at the signal, and turns for others. */
const BATCH = 256;
/**
 * Up to so many new passages of a note that was there before get their vectors in less time than it takes to look whether
 * they have one from earlier, which few have. A new note may be a copy.
 */
const FEW_PASSAGES = 4;
/** Notes read at a time. */
const NOTES_AT_ONCE = 100;

export class NoteEmbedding {
  /** Keys that this run has seen. */
  private readonly seen = new Set<string>();

  private constructor(
    private readonly index: NoteIndex,
    private readonly writing: IndexWriting,
    private readonly embedder: Embedder,
    /** Whether there are vectors from earlier runs to ask for. */
    private readonly hasEarlier: boolean,
    /** Whether every passage had one when the index was last compared with the vault. */
    private readonly hasAll: boolean,
    private readonly options: CallOptions,
  ) {}

  /** Undefined where no model is set. */
  static async start(
    { index, embedder: open }: Pick<Places, 'index' | 'embedder'>,
    writing: IndexWriting,
    options: CallOptions,
    last?: CheckRecord,
  ): Promise<NoteEmbedding | undefined> {
    const embedder = await withModel(open, options, 'notes are indexed by words alone', tried);
    if (!embedder) return undefined;
    const hasEarlier = await index.keepsVectors(embedder.model);
    const hasAll = hasEarlier && last?.embeddedBy === embedder.model.fingerprint;
    return new NoteEmbedding(index, writing, embedder, hasEarlier, hasAll, options);
  }

  get fingerprint(): string {
    return this.embedder.model.fingerprint;
  }

  /** `replaced`: keys of passages that the index held before, which have vectors where all have. */
  async take(notes: readonly IndexedNote[], replaced: ReadonlySet<string> = new Set()): Promise<void> {
    if (this.hasAll) for (const key of replaced) this.seen.add(key);
    const wanted: IndexedPassage[] = [];
    for (const { passages } of notes) {
      for (const passage of passages) {
        if (this.seen.has(passage.vectorKey)) continue;
        this.seen.add(passage.vectorKey);
        wanted.push(passage);
      }
    }
    if (wanted.length === 0) return;
    const isWorthALook = this.hasEarlier && (replaced.size === 0 || wanted.length > FEW_PASSAGES);
    const known = isWorthALook
      ? await this.index.knownVectors(this.embedder.model, keysOf(wanted))
      : new Set<number>();
    const missing = wanted.filter((_, at) => !known.has(at));
    for (let from = 0; from < missing.length; from += BATCH) {
      const { model } = this.embedder;
      const windows = missing
        .slice(from, from + BATCH)
        .flatMap((passage) => windowsOf(passage, model.windowChars));
      const vectors = await this.embedder.embedPassages(windows.map(({ text }) => text));
      await this.writing.putVectors(model, {
        keys: keysOf(windows),
        vectors: packVectors(vectors, model.dimensions, model.rowFormat),
      });
      this.options.signal?.throwIfAborted();
    }
  }

  /** Of notes that are in the index and whose vectors were never made, or lost. */
  async takeMissing(vault: Pick<Vault, 'read'>): Promise<void> {
    const paths = await this.pathsWithout();
    if (paths.length === 0) return;
    const { readNote } = await import('../note/read-note.js');
    for (let from = 0; from < paths.length; from += NOTES_AT_ONCE) {
      const files = await vault.read(paths.slice(from, from + NOTES_AT_ONCE));
      await this.take(files.flatMap((file) => ('reason' in file ? [] : [readNote(file)])));
      this.options.report?.({
        done: Math.min(paths.length, from + NOTES_AT_ONCE),
        total: paths.length,
        path: paths[from]!,
      });
    }
  }

  async tidy(hasMuchChanged: boolean): Promise<void> {
    await this.writing.tidyVectors(this.embedder.model, { hasMuchChanged });
  }

  private async pathsWithout(): Promise<readonly string[]> {
    const { noteOf } = await this.index.shape();
    const passageKeys = await this.index.passageKeys();
    const known = await this.index.knownVectors(this.embedder.model, passageKeys);
    const notes = new Set<number>();
    for (let passage = 0; passage < noteOf.length; passage++) {
      const note = noteOf[passage]!;
      if (note === 0 || known.has(passage) || hasNoKey(passageKeys, passage)) continue;
      notes.add(note);
    }
    return (await this.index.notes([...notes])).map(({ path }) => path);
  }
}
