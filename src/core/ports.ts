/** All that core needs from outside, on one screen. Methods are asynchronous, work on batches and take and give plain values. */

import type { IndexedNote, MovedNote, TouchedNote } from './note/indexed-note.js';
import type { NamedNote } from './note/resolve-link.js';
import type { NoteCard, NoteFilter, StoredLink, StoredNote } from './note/stored-note.js';
import type { Calibration } from './retrieval/bands.js';
import type {
  CollectionShape,
  PassageVectors,
  StoredPassage,
  TermEvidence,
  VectorSpace,
} from './retrieval/evidence.js';

/** What the file system says of one file. Equal stamps mean unchanged. Times in milliseconds with their fraction. */
export type FileStamp = {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
  /** Not compared; 0 where the file system does not know it. */
  readonly birthMs: number;
};

/** A file that should have been read and was not, with the reason in words. */
export type SkippedFile = { readonly path: string; readonly reason: string };

export type ListOptions = {
  /** Also walk ignored folders, to count the Markdown files in them. */
  readonly countIgnored?: boolean;
  /** Also say which files were ignored, and by what. */
  readonly nameIgnored?: boolean;
  /** Also say which notes are younger than this, in milliseconds since 1970. */
  readonly youngFromMs?: number;
  readonly signal?: AbortSignal | undefined;
};

export type VaultListing = {
  /** How many notes there are. */
  readonly count: number;
  stampAt(index: number): FileStamp;
  /** With `youngFromMs`: places of notes that were changed after that, or whose entry was; rising. */
  readonly young: readonly number[];
  /** A number for each stamp and its path, in their order: another stamp has another one. */
  readonly marks: Float64Array;
  /** Equal for equal stamps, in whatever order the files came. */
  readonly fingerprint: string;
  /** How many Markdown files the ignore rules left out. */
  readonly ignored: number;
  readonly skipped: readonly SkippedFile[];
  /** With `nameIgnored`: the ignored Markdown files and the rule that each met. */
  readonly ignoredFiles: readonly SkippedFile[];
  /** Rules that could not be read. */
  readonly ruleProblems: readonly { readonly path: string; readonly message: string }[];
  /** Folders that could not be opened, with a trailing slash: what lies below them is unknown, not gone. */
  readonly unreadable: readonly string[];
  /** True when the root holds nothing at all, as an unmounted disk does. */
  readonly bare: boolean;
};

/**
 * Of a listing the places of files that need another look. The others are indexed as they are, were not young then, and
 * have their stamps still. `notes`: how many the index holds now.
 */
export type UnsettledFiles = { readonly places: readonly number[]; readonly notes: number };

export type SeenFile = { readonly path: string; readonly bytes: Uint8Array; readonly stamp: FileStamp };

/** `hash` is the SHA-256 of the bytes, lower-case hex. */
export type NoteFile = SeenFile & { readonly hash: string };

/** The folder of notes. */
export interface Vault {
  /** Absolute path, or another name of the place for people. */
  readonly root: string;
  /** Every note's stamp. Throws `unavailable` when the root cannot be read; never answers with an empty vault then. */
  list(options?: ListOptions): Promise<VaultListing>;
  /** Throws `unavailable` when the root cannot be read or holds nothing: asked before notes are taken for deleted. */
  checkRoot(): Promise<void>;
  /** The bytes of notes, in the order asked; what cannot be read comes back as a SkippedFile. */
  peek(paths: readonly string[]): Promise<readonly (SeenFile | SkippedFile)[]>;
  /** The same with hashes, and with a turn for others before each batch. */
  read(paths: readonly string[]): Promise<readonly (NoteFile | SkippedFile)[]>;
  /** For reading many notes: undefined where that cannot be done beside the caller's own work. */
  readAside(): Promise<NoteReading | undefined>;
  /** A file of the program under `.memory`, undefined where there is none. */
  readSetting(name: string): Promise<string | undefined>;
  appendSetting(name: string, text: string): Promise<void>;
  /** This machine, in letters that a file name can hold. */
  readonly host: string;
  /** The right to write, which one caller among all processes has at a time; undefined when another has it and `wait` is false. */
  startWriting(options: {
    readonly wait: boolean;
    readonly signal?: AbortSignal | undefined;
  }): Promise<VaultWriting | undefined>;
  /** As in NoteFile. */
  hash(bytes: Uint8Array): Promise<string>;
  /** Which of the paths are there, whatever they are. */
  exist(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Names of what lies in a folder, sorted; none where there is no such folder. */
  names(folder: string): Promise<readonly string[]>;
  /** By which rule a note at the path is, or would be, ignored; undefined when it is looked at. */
  ignoredBy(path: string): Promise<string | undefined>;
  /** Keeps a text that a caller saw, for merging what he makes of it. Derived data: it may be gone at any time. */
  keepSeen(hash: string, text: string): Promise<void>;
  seen(hash: string): Promise<string | undefined>;
  /** From now on. `poll`: without asking the system for events. */
  watch(options: { readonly poll: boolean }): Promise<VaultWatch>;
}

/** Reads notes and takes them apart while the caller does something else. */
export interface NoteReading {
  /** In the order asked; a caller may ask for more before it has the first. */
  read(paths: readonly string[]): Promise<readonly (IndexedNote | SkippedFile)[]>;
  close(): Promise<void>;
}

/** Tells when notes may have changed. It never says which: that is found by comparing stamps. */
export interface VaultWatch {
  /** How many signs of changes there were since the last `forget`. */
  readonly signs: number;
  /** Why the system gives no signs, in words; undefined while it does. */
  readonly blindness: string | undefined;
  forget(): void;
  /** Ends with the next sign, `wake`, `close`, or after `ms`. One caller at a time. */
  wait(ms: number): Promise<void>;
  wake(): void;
  /** Whether the folder of the vault is gone, or is another one than that which is watched. */
  isStale(): boolean;
  /** Makes sure that all folders are watched, and none that has gone. */
  renew(): Promise<void>;
  close(): void;
}

/** What the index knows of a note without opening it. */
export type KnownNote = Omit<FileStamp, 'birthMs'> & { readonly number: number; readonly seenMs: number };

/** One atomic change of the index. Notes whose path is known replace the old ones. */
export type IndexBatch = {
  readonly put: readonly IndexedNote[];
  readonly remove: readonly string[];
  /** Known notes whose path changed: their text is not looked at again. */
  readonly move: readonly MovedNote[];
  readonly touch: readonly TouchedNote[];
  /** When the files were read. A note that changed within two seconds before is read again by the next check. */
  readonly seenMs: number;
};

export type CheckRecord = {
  /** Milliseconds since 1970 of the last complete comparison with the vault. */
  readonly checkedAtMs: number;
  /** How long the comparison took, and of how many files. */
  readonly checkMs: number;
  readonly files: number;
  /** Of the listing that the index was equal to; empty where a second look at some file is due. */
  readonly fingerprint: string;
  readonly ignored: number;
  readonly skipped: readonly SkippedFile[];
  /** Fingerprint of the model that every passage has a vector of; empty where some have none. */
  readonly embeddedBy: string;
};

export type VectorCounts = {
  /** Passages with a vector, passages without one, and vectors that no passage has. */
  readonly embedded: number;
  readonly pending: number;
  /** Of the pending ones those that the model refused. */
  readonly failed: number;
  readonly stale: number;
  readonly bytes: number;
};

export type IndexCounts = {
  readonly notes: number;
  readonly passages: number;
  readonly links: number;
  readonly bytes: number;
};

/** Whether to wait for another writer: for as long as it takes, for half a second, or not. */
export type Patience = boolean | 'briefly';

/** Who writes to the index now. */
export type LockHolder = { readonly pid: number; readonly host: string; readonly sinceMs: number };

/**
 * `suspect`: whole as far as can be told, but a writer was killed while it wrote; it answers, and is to be built anew.
 * `none`: missing, foreign, or damaged.
 */
export type IndexState = 'ready' | 'suspect' | 'none';

/**
 * The derived data. It can be rebuilt from a Vault alone. Methods throw `corrupt` when the files behind it turn out
 * to be damaged; a new index built over it mends that.
 */
export interface NoteIndex {
  readonly schema: number;
  /** Where it lies, for people. */
  readonly place: string;
  /** Looks at the files again: opens, or opens anew what another process replaced. */
  state(): Promise<IndexState>;
  /** The right to write, which one caller has at a time; undefined when another has it and `wait` is false. */
  startWriting(options: {
    readonly wait: Patience;
    readonly signal?: AbortSignal | undefined;
  }): Promise<IndexWriting | undefined>;
  /** Another one after each change of what is indexed. */
  version(): Promise<string>;
  /** Who writes now; undefined where nobody does. */
  lockHolder(): Promise<LockHolder | undefined>;
  /** Names of files beside the index that no run needs; a rebuild removes those that are due. */
  orphans(): Promise<readonly string[]>;

  known(): Promise<ReadonlyMap<string, KnownNote>>;
  /** Those of these paths that are known. */
  knownAt(paths: readonly string[]): Promise<ReadonlyMap<string, KnownNote>>;
  /** Against what the last look that was recorded left settled; undefined where there was none. */
  unsettled(marks: Float64Array): Promise<UnsettledFiles | undefined>;
  /** The indexed hash of each of the paths that is known. */
  hashes(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  lastCheck(): Promise<CheckRecord | undefined>;
  counts(): Promise<IndexCounts>;

  shape(): Promise<CollectionShape>;
  lookUp(terms: readonly string[]): Promise<readonly TermEvidence[]>;
  /** Indexed terms that start with `prefix`, by rising length, then code points; at most `limit`. */
  expand(prefix: string, limit: number): Promise<readonly string[]>;
  /** Passages in the order asked, with the places of `terms` in them. */
  passages(numbers: readonly number[], terms: readonly string[]): Promise<readonly StoredPassage[]>;
  /** KEY_BYTES for each passage number, all zero for heads and holes. */
  passageKeys(): Promise<Uint8Array>;
  keepsVectors(model: EmbeddingModel): Promise<boolean>;
  /** Undefined where none are kept. */
  vectors(model: EmbeddingModel): Promise<VectorSpace | undefined>;
  /** Of `keys` (KEY_BYTES each) those that have a vector, as places in the list. */
  knownVectors(model: EmbeddingModel, keys: Uint8Array): Promise<ReadonlySet<number>>;
  vectorCounts(model: EmbeddingModel): Promise<VectorCounts>;
  /** Keys of the passages that the model refused when it was last asked, KEY_BYTES each. */
  failedVectors(model: EmbeddingModel): Promise<Uint8Array>;
  /**
   * The right to embed with a further model, which one caller has at a time, for as long as that takes; others read and
   * write meanwhile. Undefined when another has it.
   */
  startEmbedding(): Promise<EmbeddingTurn | undefined>;
  /** Whether `sweepVectors` would change something. */
  hasUnusedVectors(used: readonly EmbeddingModel[]): Promise<boolean>;
  /** Of the vault with the model of that fingerprint, empty for words alone; undefined where there is none. */
  readCalibration(fingerprint: string): Promise<Calibration | undefined>;
  notes(numbers: readonly number[]): Promise<readonly NoteCard[]>;
  /** Numbers of the notes that pass; undefined when the filter lets all pass. */
  filter(filter: NoteFilter): Promise<Uint32Array | undefined>;
  /** By path, or the newest in order. */
  findNotes(filter: NoteFilter, order?: NoteOrder): Promise<readonly StoredNote[]>;
  links(filter: {
    readonly from?: number;
    readonly keys?: readonly string[];
  }): Promise<readonly StoredLink[]>;
  /** Notes by the lookup keys of their stems, titles and aliases. */
  named(keys: readonly string[]): Promise<ReadonlyMap<string, readonly NamedNote[]>>;
  /** Every tag of every note. */
  tagBearers(): Promise<readonly TagBearer[]>;
  close(): Promise<void>;
}

export type NoteOrder = { readonly newestBy: 'created' | 'updated'; readonly limit: number };

/** `tag` is folded, `shown` as the note writes it. */
export type TagBearer = { readonly tag: string; readonly shown: string; readonly note: number };

export interface IndexWriting {
  /** Returns the vector keys, as in IndexedPassage, of the passages that `put` replaced. */
  write(batch: IndexBatch): Promise<ReadonlySet<string>>;
  /** `marks`: of the settled files, NaN for others. Without them those of an earlier record stay. */
  recordCheck(record: CheckRecord, marks?: Float64Array): Promise<void>;
  /** A key that has a vector gets the new one. */
  putVectors(model: EmbeddingModel, vectors: PassageVectors): Promise<void>;
  /** Drops vectors that no passage has, once they are many; looks closely where much has changed. */
  tidyVectors(model: EmbeddingModel, options: { readonly hasMuchChanged: boolean }): Promise<void>;
  /** In place of those kept before. */
  keepFailed(model: EmbeddingModel, keys: Uint8Array): Promise<void>;
  /** Removes the vectors of models that no reindex used for a week. */
  sweepVectors(used: readonly EmbeddingModel[]): Promise<void>;
  /** In place of the one of the same model. */
  keepCalibration(calibration: Calibration): Promise<void>;
  /** A fresh index built beside the present one, which answers until `publish`. */
  startRebuild(): Promise<IndexRebuild>;
  end(): Promise<void>;
}

export interface EmbeddingTurn {
  end(): Promise<void>;
}

export interface IndexRebuild {
  add(notes: readonly IndexedNote[], seenMs: number): Promise<void>;
  publish(record: CheckRecord, marks: Float64Array): Promise<void>;
  abandon(): Promise<void>;
}

/** What vectors depend on: two models with one fingerprint give the same vectors. */
export type EmbeddingModel = {
  readonly id: string;
  readonly dimensions: number;
  readonly fingerprint: string;
  /** About how many characters a vector says most of; longer passages get several. Undefined: one for each passage. */
  readonly windowChars?: number;
  /** How a component is kept: in half a byte unless given. */
  readonly rowFormat?: 'bytes' | 'half-bytes';
  /** ISO 639-1 codes of the languages it knows; undefined for any. */
  readonly languages?: readonly string[];
  /** What its makers say that texts with nothing in common come to; a calibrated vault knows better. */
  readonly unrelatedCosine?: number;
};

export type QueryVector = {
  /** Of length 1; all zero where the model knows none of the words. */
  readonly vector: Float32Array;
  /** Share of the query's words that the model knows, 0-1. */
  readonly knownShare: number;
};

/** Turns texts into vectors. */
export interface Embedder {
  readonly model: EmbeddingModel;
  /**
   * One after another, `dimensions` signed bytes each: a direction, scaled so that its largest component is ±127; all
   * zero for a text of which the model knows nothing. Even without texts it shows whether the model can be used.
   */
  embedPassages(texts: readonly string[]): Promise<Int8Array>;
  embedQuery(text: string): Promise<QueryVector>;
  /** Frees what was loaded; the next call loads it again. */
  release(): Promise<void>;
}

/** Two with one fingerprint give the same scores. */
export type RerankingModel = {
  readonly id: string;
  readonly fingerprint: string;
  /** Of query and passage together; longer passages are cut. */
  readonly maxTokens: number;
  /** ISO 639-1 codes of the languages it knows; undefined for any. */
  readonly languages?: readonly string[];
};

/** Reads a query and a passage together, and says how well the one answers the other. */
export interface Reranker {
  readonly model: RerankingModel;
  /**
   * A logit for each passage: any number, higher is better, comparable among the passages of a call. Throws
   * `unavailable` where the model cannot be used now, `invalid_input` where one of the texts is the trouble.
   */
  score(query: string, passages: readonly string[]): Promise<Float64Array>;
  /** Frees what was loaded; the next call loads it again. */
  release(): Promise<void>;
}

/** Time, turns and new ids: the only sources of them in the product. */
export interface Clock {
  nowMs(): number;
  /** For measuring: rises evenly from some start, with a fraction. */
  elapsedMs(): number;
  /** Resolves when whoever waits in this process has had a turn. */
  giveTurn(): Promise<void>;
  /** `length` random characters of lower-case Crockford base32. */
  randomId(length: number): string;
}

/** New bytes for a file that was read under the same right to write. */
export type Replacement = { readonly seen: NoteFile; readonly bytes: Uint8Array };

/**
 * Changes of files, each of them whole: after a crash a file is the old one or the new one. Paths are relative to the
 * vault; what leads out of it is refused with `invalid_input`, what cannot be written is `unavailable`. Once another
 * process has taken the right to write away, nothing is changed any more (`unavailable`).
 */
export interface VaultWriting {
  /** Undefined where there is no file. Throws `unavailable` for one that cannot be read. */
  read(path: string): Promise<NoteFile | undefined>;
  /** For each the file as it is then; undefined, and not replaced, where it is no longer the one that was seen. */
  replace(changed: readonly Replacement[]): Promise<readonly (NoteFile | undefined)[]>;
  /** Makes the file and the folders above it; undefined where something is there already. */
  create(path: string, bytes: Uint8Array): Promise<NoteFile | undefined>;
  /** False where something is at `to` already. Makes the folders above it. */
  move(from: string, to: string): Promise<boolean>;
  /** Nothing happens where there is no file. */
  remove(path: string): Promise<void>;
  /** False where something lies in the folder, or it cannot be removed; that is no error. */
  removeFolder(path: string): Promise<boolean>;
  /** At the end of the file, which is made where there is none. */
  append(path: string, bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
}
