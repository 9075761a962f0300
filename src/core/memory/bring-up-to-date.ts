/**
 * Takes the vault's changes into the index: the whole of `reindex`, and the check before a search (freshness.ts).
 * A vault that cannot be read is an error; it never counts as an empty one.
 */

import { MemoryError } from '../errors.js';
import type { MovedNote, TouchedNote } from '../note/indexed-note.js';
import type { CheckRecord, IndexWriting, NoteFile, Patience, VaultListing } from '../ports.js';
import { Turns } from '../turns.js';
import { type Comparison, compareWithVault, type Difference, differenceFrom, stampsOf } from './compare.js';
import { NoteEmbedding } from './embed-notes.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
import { BatchReader } from './read-batches.js';
import { checkRecord, isSameReport, listVault, settledMarks, type TimedListing } from './vault-look.js';

export type UpdateOptions = CallOptions & {
  /** Wait for another process that is writing; otherwise the outcome says `busy`. */
  readonly wait: Patience;
  /** More changes than this are left alone and the outcome says `behind`. */
  readonly mostChanges?: number;
  /** Walk ignored folders too, to count the notes in them. */
  readonly countIgnored: boolean;
  /** Read every file and compare hashes instead of stamps. */
  readonly verify?: boolean;
};

export type UpdateCounts = {
  readonly indexed: number;
  readonly unchanged: number;
  readonly moved: number;
  readonly removed: number;
};

export type UpdateOutcome =
  | { readonly kind: 'done'; readonly counts: UpdateCounts; readonly record: CheckRecord }
  | { readonly kind: 'busy' }
  | { readonly kind: 'behind'; readonly changes: number };

/** With more than this share of the notes changed, building anew is faster than replacing. */
const REBUILD_SHARE = 0.5;
const REBUILD_LEAST = 500;
/** A share of the notes. */
const MUCH_CHANGED = 0.05;
/** A record younger than this is not written again when nothing changed. */
const RECORD_AGE_MS = 5_000;

export async function bringUpToDate(places: Places, options: UpdateOptions): Promise<UpdateOutcome> {
  const { index } = places;
  const listing = await listVault(places, options);
  let found: Found | undefined;
  if ((await index.state()) === 'ready') {
    const tried = await tryWithoutLock(places, listing, options);
    if (tried && 'kind' in tried) return tried;
    found = tried;
  }

  let writing = await index.startWriting({ wait: false, signal: options.signal });
  let current = listing;
  if (!writing) {
    if (!options.wait) return { kind: 'busy' };
    writing = await index.startWriting({ wait: options.wait, signal: options.signal });
    if (!writing) return { kind: 'busy' };
    current = await listVault(places, options);
    found = undefined;
  }
  try {
    return await new Update(places, writing, current, options).run(found);
  } finally {
    await writing.end();
  }
}

/** For an index that turned out to be damaged: builds all of it anew, whatever it says of itself. */
export async function rebuildFromNothing(places: Places, options: CallOptions): Promise<void> {
  const writing = await places.index.startWriting({ wait: true, signal: options.signal });
  if (!writing) return;
  const all: UpdateOptions = { ...options, wait: true, countIgnored: true };
  try {
    await new Update(places, writing, await listVault(places, all), all).rebuild(0);
  } finally {
    await writing.end();
  }
}

/** What was found without the lock; true under it while the index has the same version. */
type Found = Comparison & { readonly version: string };

/** The outcome when nothing has to be written, which needs no lock. */
async function tryWithoutLock(
  places: Places,
  timed: TimedListing,
  options: UpdateOptions,
): Promise<UpdateOutcome | Found | undefined> {
  if (options.verify) return undefined;
  const version = await places.index.version();
  const last = await places.index.lastCheck();
  const isSame =
    last !== undefined && last.fingerprint !== '' && last.fingerprint === timed.listing.fingerprint;
  const { difference, known } = isSame ? noDifference(timed.listing) : await compare(places, timed.listing);
  const changes = countChanges(difference);
  const certain = changes - difference.doubtful.length;
  if (options.mostChanges !== undefined && certain > options.mostChanges) {
    return { kind: 'behind', changes: certain };
  }
  if (changes > 0) return { difference, known, version };
  // A search does not wait for vectors of notes that it did not change.
  if (options.mostChanges === undefined && !(await isEmbedded(places, last))) return undefined;
  const record = { ...checkRecord(timed, [], last, options), embeddedBy: last?.embeddedBy ?? '' };
  if (
    !last ||
    Math.abs(record.checkedAtMs - last.checkedAtMs) > RECORD_AGE_MS ||
    !isSameReport(record, last)
  ) {
    const writing = await places.index.startWriting({ wait: false });
    if (writing) {
      try {
        if ((await places.index.state()) === 'ready') {
          await writing.recordCheck(record, isSame ? undefined : settledMarks(timed));
        }
      } finally {
        await writing.end();
      }
    }
  }
  return {
    kind: 'done',
    counts: { indexed: 0, unchanged: difference.unchanged, moved: 0, removed: 0 },
    record,
  };
}

async function isEmbedded({ embedder }: Places, last: CheckRecord | undefined): Promise<boolean> {
  return (last?.embeddedBy ?? '') === ((await embedder?.())?.model.fingerprint ?? '');
}

async function compare(places: Places, listing: VaultListing): Promise<Comparison> {
  const turns = new Turns(places.clock);
  const found = await differenceFrom(places.index, listing);
  refuseBareVault(places, listing, found.known);
  await turns.giveIfDue();
  return found;
}

function noDifference({ count }: VaultListing): Comparison {
  return { difference: { changed: [], doubtful: [], gone: [], unchanged: count }, known: count };
}

function countChanges({ changed, doubtful, gone }: Difference): number {
  return changed.length + doubtful.length + gone.length;
}

/** An unmounted disk leaves an empty folder behind. */
function refuseBareVault({ vault }: Places, listing: VaultListing, known: number): void {
  if (!listing.bare || known === 0) return;
  const indexed = known === 1 ? '1 note is' : `${known} notes are`;
  throw new MemoryError('unavailable', `The vault "${vault.root}" is empty, but ${indexed} indexed`, {
    hint: 'Mount the disk it lies on. If the notes were deleted on purpose, put any file into the folder and run `memory reindex`.',
  });
}

class Update {
  private indexed = 0;
  private moved = 0;
  private readonly reader: BatchReader;

  constructor(
    private readonly places: Places,
    private readonly writing: IndexWriting,
    private timed: TimedListing,
    private options: UpdateOptions,
  ) {
    this.reader = new BatchReader(places.vault, places.clock, options);
  }

  async run(found: Found | undefined): Promise<UpdateOutcome> {
    const { index } = this.places;
    const { listing } = this.timed;
    if ((await index.state()) !== 'ready') return this.rebuild(0);
    const { difference, known } = this.options.verify
      ? await this.wholeDifference()
      : found?.version === (await index.version())
        ? found
        : await differenceFrom(index, listing);
    refuseBareVault(this.places, listing, known);
    const certain = difference.changed.length + difference.gone.length;
    if (this.options.mostChanges !== undefined && certain > this.options.mostChanges) {
      return { kind: 'behind', changes: certain };
    }
    if (!this.options.verify && difference.changed.length > Math.max(REBUILD_LEAST, known * REBUILD_SHARE)) {
      return this.rebuild(difference.gone.length);
    }
    return this.replace(difference);
  }

  /** All files, whatever their stamps say. */
  private async wholeDifference(): Promise<Comparison> {
    const { listing } = this.timed;
    const known = await this.places.index.known();
    const stamps = stampsOf(listing);
    const { gone } = compareWithVault(stamps, listing, known);
    return { difference: { changed: stamps, doubtful: [], gone, unchanged: 0 }, known: known.size };
  }

  /** Everything into a new index; the old one answers until it is whole. */
  async rebuild(gone: number): Promise<UpdateOutcome> {
    // A new index begins with a full account, whatever was asked of the old one.
    if (!this.options.countIgnored) {
      this.options = { ...this.options, countIgnored: true };
      this.timed = await listVault(this.places, this.options);
    }
    const { listing } = this.timed;
    const { unread } = this.reader;
    const rebuild = await this.writing.startRebuild();
    const embedding = await NoteEmbedding.start(this.places, this.writing, this.options);
    try {
      for await (const notes of this.reader.notes(stampsOf(listing))) {
        await rebuild.add(notes, this.timed.startMs);
        await embedding?.take(notes);
        this.indexed += notes.length;
      }
      if (unread.length > 0) await this.places.vault.checkRoot();
      const record = {
        ...checkRecord(this.timed, unread, undefined, this.options),
        embeddedBy: embedding?.fingerprint ?? '',
      };
      await rebuild.publish(record, settledMarks(this.timed, this.unread()));
      await embedding?.tidy(true);
      return this.outcome(record, 0, gone);
    } catch (error) {
      await rebuild.abandon();
      throw error;
    }
  }

  private async replace({ changed, doubtful, gone, unchanged }: Difference): Promise<UpdateOutcome> {
    const { moveNote, touchNote } = await import('../note/read-note.js');
    const { index } = this.places;
    let same = unchanged;
    const goneHashes = new Map<string, string[]>();
    if (gone.length > 0) {
      for (const [path, hash] of await index.hashes(gone.map((note) => note.path))) {
        goneHashes.set(hash, [...(goneHashes.get(hash) ?? []), path]);
      }
    }
    const last = await index.lastCheck();
    // Only behind the first notes: V8 collects all garbage soon after the model's table is opened, and a process that has
    // few notes to take apart is at its end by then.
    let starting: Promise<NoteEmbedding | undefined> | undefined;
    const startEmbedding = () =>
      (starting ??= NoteEmbedding.start(this.places, this.writing, this.options, last));
    const remove = new Set(gone.map((note) => note.path));
    // A fresh clone is doubtful as a whole; a search must not pay for hashing all of it at once.
    const checked = doubtful.slice(0, this.options.mostChanges ?? doubtful.length);
    same += doubtful.length - checked.length;
    for await (const files of this.reader.files([...changed, ...checked])) {
      const hashes = await index.hashes(files.map((file) => file.path));
      const fresh: NoteFile[] = [];
      const move: MovedNote[] = [];
      const touch: TouchedNote[] = [];
      for (const file of files) {
        if (hashes.get(file.path) === file.hash) {
          touch.push(touchNote(file.stamp));
          same += 1;
          continue;
        }
        const origins = hashes.has(file.path) ? [] : (goneHashes.get(file.hash) ?? []);
        const [origin] =
          origins.length === 1 && remove.has(origins[0]!) ? await index.findNotes({ paths: origins }) : [];
        if (origin) {
          remove.delete(origin.path);
          move.push(moveNote(origin, file.stamp));
        } else fresh.push(file);
      }
      const put = await this.reader.takeApart(fresh);
      const replaced = await this.writing.write({ put, move, touch, remove: [], seenMs: this.timed.startMs });
      await (await startEmbedding())?.take(put, replaced);
      this.moved += move.length;
      this.indexed += put.length;
    }
    const removed = [...remove, ...this.reader.unread.map(({ path }) => path)];
    if (removed.length > 0) {
      await this.places.vault.checkRoot();
      await this.writing.write({ put: [], move: [], remove: removed, touch: [], seenMs: this.timed.startMs });
    }
    const embedding = await startEmbedding();
    const isEmbedded = (last?.embeddedBy ?? '') === (embedding?.fingerprint ?? '');
    if (this.options.mostChanges === undefined) {
      if (!isEmbedded) await embedding?.takeMissing(this.places.vault);
      const hasMuchChanged = this.indexed + removed.length > MUCH_CHANGED * (same + this.indexed);
      if (!isEmbedded || this.indexed + removed.length > 0) await embedding?.tidy(hasMuchChanged);
    }
    const counted = {
      ...checkRecord(this.timed, this.reader.unread, last, this.options),
      embeddedBy: isEmbedded || this.options.mostChanges === undefined ? (embedding?.fingerprint ?? '') : '',
    };
    const record = checked.length < doubtful.length ? { ...counted, fingerprint: '' } : counted;
    const left = doubtful.slice(checked.length).map(({ path }) => path);
    await this.writing.recordCheck(record, settledMarks(this.timed, new Set([...this.unread(), ...left])));
    return this.outcome(record, same, remove.size);
  }

  private unread(): ReadonlySet<string> {
    return new Set(this.reader.unread.map(({ path }) => path));
  }

  private outcome(record: CheckRecord, unchanged: number, removed: number): UpdateOutcome {
    return { kind: 'done', counts: { indexed: this.indexed, unchanged, moved: this.moved, removed }, record };
  }
}
