/**
 * The compiled loops of the ranking (kernel/ranking.ts) and their memory, as functions over plain arrays. One
 * collection is loaded at a time, with the vectors of one model; those of a further model have a kernel of their own.
 * What a query puts into the memory holds until the next `startQuery`, hence callers must not wait for anything between
 * starting a query and reading its results.
 */

import { MemoryError } from '../errors.js';
import { type CollectionShape, KEY_BYTES, type VectorSpace } from './evidence.js';
import { kernelCode } from './kernel-code.js';
import type { PostingsRun } from './postings.js';

type Address = number;
type Global = { readonly value: number };

type KernelExports = {
  readonly memory: { readonly buffer: ArrayBuffer };
  allocate(bytes: number): Address;
  startQuery(): void;
  openCollection(passages: number): number;
  countCollection(): number;
  countNotes(start: Address, end: Address, before: number): number;
  setFieldWeights(title: number, alias: number, tag: number, name: number, heading: number): void;
  setSaturation(
    k1: number,
    bodyB: number,
    bodyFloor: number,
    headB: number,
    headFloor: number,
    bestPassageShare: number,
  ): void;
  setMeans(body: number, head: number, passage: number): void;
  startWord(): void;
  sweepRun(
    start: Address,
    end: Address,
    before: number,
    share: number,
    allowed: Address,
    onlyFound: number,
  ): void;
  endWord(gain: number): void;
  scoreAtRank(rank: number): number;
  endSweep(least: number, words: number, notes: Address, named: Address): void;
  startScoring(notes: Address, count: number, words: number): number;
  scoreRun(word: number, start: Address, end: Address, before: number, share: number): void;
  endScoring(gains: Address): void;
  openVectors(rows: number, rowBytes: number, isHalved: number, isStreamed: number): number;
  takeRows(first: number, query: Address, unit: number): void;
  matchVectors(): number;
  compareVectors(query: Address, unit: number): void;
  closestNotes(count: number, least: number, allowed: Address, notes: Address): void;
  readonly rows: Global;
  readonly rowsLength: Global;
  readonly queryLength: Global;
  readonly passageKeys: Global;
  readonly cosines: Global;
  readonly bestPassages: Global;
  readonly compared: Global;
  readonly mean: Global;
  readonly deviation: Global;
  readonly pending: Global;
  readonly noteOf: Global;
  readonly passageBody: Global;
  readonly passageOther: Global;
  readonly noteLimit: Global;
  readonly headLength: Global;
  readonly textPassages: Global;
  readonly totalBody: Global;
  readonly totalHead: Global;
  readonly foundCount: Global;
  readonly firsts: Global;
  readonly offsets: Global;
  readonly sums: Global;
  readonly covered: Global;
  readonly passageCovered: Global;
  readonly amounts: Global;
  readonly passageScores: Global;
};

/** A kernel and what its memory holds. */
type Instance = {
  readonly kernel: KernelExports;
  shape: CollectionShape | undefined;
  space: VectorSpace | undefined;
  /** Instead of a space: what came of comparing one with a single query while it was read. */
  compared: { readonly space: VectorSpace; readonly query: Float32Array } | undefined;
};

let module: object | undefined;
let first: Instance | undefined;
/** For the vectors of the further model alone: dropped with them, as the memory of a kernel never shrinks. */
let second: Instance | undefined;

/** The kernel with this collection in its memory. */
export function kernelWith(shape: CollectionShape): KernelExports {
  first ??= makeInstance();
  return withShape(first, shape);
}

/**
 * The kernel with a collection and vectors of its passages. With `query` it may be good for comparing with that alone: the
 * first time it is asked so the vectors pass by and leave no trace but their cosines, since a process that asks once
 * spends longer on the memory for all of them than on reading them.
 */
export function kernelWithVectors(
  shape: CollectionShape,
  space: VectorSpace,
  query?: Float32Array,
): KernelExports {
  first ??= makeInstance();
  return withVectors(first, shape, space, query);
}

/** Another kernel, so that neither set of vectors drives out the other. */
export function furtherKernelWith(shape: CollectionShape, space: VectorSpace): KernelExports {
  second ??= makeInstance();
  return withVectors(second, shape, space);
}

/** Lets go of the further vectors; the next comparison with them reads them again. */
export function releaseFurtherKernel(): void {
  second = undefined;
}

/** Live passages of which the space holds no vector. What it loads stays for the comparison. */
export function countPendingFurther(shape: CollectionShape, space: VectorSpace): number {
  return furtherKernelWith(shape, space).pending.value;
}

function makeInstance(): Instance {
  module ??= new WebAssembly.Module(kernelCode());
  const kernel = new WebAssembly.Instance(module, {}).exports as KernelExports;
  return { kernel, shape: undefined, space: undefined, compared: undefined };
}

function withShape(instance: Instance, shape: CollectionShape): KernelExports {
  const { kernel } = instance;
  if (instance.shape === shape) return kernel;
  instance.shape = undefined;
  instance.space = undefined;
  instance.compared = undefined;
  demand(kernel.openCollection(shape.noteOf.length));
  new Uint32Array(kernel.memory.buffer, kernel.noteOf.value).set(shape.noteOf);
  new Uint16Array(kernel.memory.buffer, kernel.passageBody.value).set(shape.bodyLength);
  new Uint16Array(kernel.memory.buffer, kernel.passageOther.value).set(shape.otherLength);
  demand(kernel.countCollection());
  instance.shape = shape;
  return kernel;
}

function withVectors(
  instance: Instance,
  shape: CollectionShape,
  space: VectorSpace,
  query?: Float32Array,
): KernelExports {
  const kernel = withShape(instance, shape);
  const { compared } = instance;
  if (instance.space === space || (compared?.space === space && compared.query === query)) return kernel;
  const streamed = compared?.space === space ? undefined : query;
  const { format, rowBytes, rows, passageKeys } = space;
  instance.space = undefined;
  instance.compared = undefined;
  demand(kernel.openVectors(rows.count, rowBytes, format === 'half-bytes' ? 1 : 0, streamed ? 1 : 0));
  if (streamed) streamRows(kernel, space, streamed);
  else rows.copyTo(new Uint8Array(kernel.memory.buffer, kernel.rows.value, kernel.rowsLength.value));
  new Uint8Array(kernel.memory.buffer).set(passageKeys, kernel.passageKeys.value);
  demand(kernel.matchVectors());
  if (streamed) instance.compared = { space, query: streamed };
  else instance.space = space;
  return kernel;
}

function streamRows(kernel: KernelExports, { rows, rowBytes }: VectorSpace, query: Float32Array): void {
  const { place, unit } = placeQuery(kernel, query);
  const rowsAtOnce = kernel.rowsLength.value / (KEY_BYTES + rowBytes);
  for (let row = 0; row < rows.count; row += rowsAtOnce) {
    // Widening the query may make the memory grow, which makes it another buffer.
    const room = new Uint8Array(kernel.memory.buffer, kernel.rows.value, kernel.rowsLength.value);
    rows.copyTo(room, row * (KEY_BYTES + rowBytes));
    kernel.takeRows(row, place, unit);
  }
}

const LARGEST_BYTE = 127;

/** A query's vector as the kernel takes it: signed bytes at `place`, which times `unit` have the length 1. */
export function placeQuery(kernel: KernelExports, vector: Float32Array): { place: Address; unit: number } {
  const count = kernel.queryLength.value;
  const place = allocate(kernel, count);
  let highest = 0;
  let squares = 0;
  for (const component of vector) {
    highest = Math.max(highest, Math.abs(component));
    squares += component * component;
  }
  const scale = highest === 0 ? 0 : LARGEST_BYTE / highest;
  const whole = new Int8Array(kernel.memory.buffer, place, count);
  for (let at = 0; at < vector.length; at++) whole[at] = Math.round(vector[at]! * scale);
  return { place, unit: scale === 0 ? 0 : 1 / (scale * Math.sqrt(squares)) };
}

/** Room in the kernel's memory. */
export function allocate(kernel: KernelExports, bytes: number): Address {
  const address = kernel.allocate(bytes);
  demand(address);
  return address;
}

/** The answer of a function that needs memory: 0 where there is none. */
export function demand(answer: number): void {
  if (answer === 0) {
    throw new MemoryError('unavailable', 'There is not enough memory to rank so many notes', {
      hint: 'Search a part of the vault, with `--folder`.',
    });
  }
}

/** Postings in the kernel's memory. */
export type PlacedRun = { readonly start: Address; readonly end: Address; readonly before: number };

export function placeRun(kernel: KernelExports, { bytes, before }: PostingsRun): PlacedRun {
  const start = allocate(kernel, bytes.length);
  new Uint8Array(kernel.memory.buffer, start).set(bytes);
  return { start, end: start + bytes.length, before };
}

/** Notes that hold a term; what is gone is not counted. */
export function countNotes(postings: readonly PostingsRun[], shape: CollectionShape): number {
  const kernel = kernelWith(shape);
  kernel.startQuery();
  return readingPostings(() => {
    let notes = 0;
    for (const run of postings) {
      const { start, end, before } = placeRun(kernel, run);
      notes += kernel.countNotes(start, end, before);
    }
    return notes;
  });
}

/** Copies, which stay when the memory is used again. */
export function readNumbers(kernel: KernelExports, address: Address, count: number): Float64Array {
  return new Float64Array(kernel.memory.buffer, address, count).slice();
}

export function readWholeNumbers(kernel: KernelExports, address: Address, count: number): Uint32Array {
  return new Uint32Array(kernel.memory.buffer, address, count).slice();
}

/** Note numbers behind their count. */
export function readNotes(kernel: KernelExports, address: Address): Uint32Array {
  const [count = 0] = readWholeNumbers(kernel, address, 1);
  return readWholeNumbers(kernel, address + 4, count);
}

/** Runs what reads postings; bytes that make no sense are the index's fault. */
export function readingPostings<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    // What it left half done is not worth mending.
    first = undefined;
    second = undefined;
    throw new MemoryError('corrupt', 'The index holds postings that cannot be read', {
      hint: 'Run `memory reindex`; the notes are not touched.',
      cause: error,
    });
  }
}

export type Kernel = KernelExports;
