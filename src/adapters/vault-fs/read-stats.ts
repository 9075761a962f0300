/**
 * What a walk asks of each file. Node 20 makes an object with four dates of the numbers that the system gives, which
 * costs a walk a quarter or more; later versions make the dates when they are asked for. docs/decisions/0025 says why the
 * numbers are taken as they are there.
 */

import { lstatSync } from 'node:fs';

/** Columns: size, time of change, of its entry's change, inode, time of birth; times in milliseconds since 1970. */
export const COLUMNS = 5;

/** Puts the columns of a file, or of a link itself, into `into` from `start` on. Throws what lstatSync throws. */
export type ReadStats = (path: string, into: Float64Array, start: number) => void;

/** What its own lstatSync gets: eighteen numbers, those of the last call, and undefined after an error. */
type Numbers = (path: string, bigint: false, request: undefined, failure: object) => Float64Array | undefined;

/** The last of this line has been released, so that what is inside stays as it is. */
const NODE_OF_NUMBERS = '20';

/** Tried on `known`, a path that exists. */
export function statsReader(known: string): ReadStats {
  const numbers = numbersOfNode();
  if (!numbers) return readObject;
  const failure = {};
  const read: ReadStats = (path, into, start) => {
    const found = numbers(path, false, undefined, failure);
    if (found) takeNumbers(found, into, start);
    else readObject(path, into, start);
  };
  return isRight(read, known) ? read : readObject;
}

function readObject(path: string, into: Float64Array, start: number): void {
  const { size, mtimeMs, ctimeMs, ino, birthtimeMs } = lstatSync(path);
  into[start] = size;
  into[start + 1] = mtimeMs;
  into[start + 2] = ctimeMs;
  into[start + 3] = ino;
  into[start + 4] = birthtimeMs;
}

function takeNumbers(found: Float64Array, into: Float64Array, start: number): void {
  into[start] = found[8]!;
  into[start + 1] = found[12]! * 1e3 + found[13]! / 1e6;
  into[start + 2] = found[14]! * 1e3 + found[15]! / 1e6;
  into[start + 3] = found[7]!;
  into[start + 4] = found[16]! * 1e3 + found[17]! / 1e6;
}

function numbersOfNode(): Numbers | undefined {
  if (process.versions.node.split('.', 1)[0] !== NODE_OF_NUMBERS || process.platform === 'win32')
    return undefined;
  const { binding, noDeprecation } = process as unknown as {
    readonly binding: (name: string) => { readonly lstat: Numbers };
    readonly noDeprecation: boolean | undefined;
  };
  try {
    // Who asks Node for warnings of what it may drop one day means his own code.
    process.noDeprecation = true;
    return binding('fs').lstat;
  } catch {
    // Refused, as under Node's permissions.
    return undefined;
  } finally {
    process.noDeprecation = noDeprecation ?? false;
  }
}

function isRight(read: ReadStats, known: string): boolean {
  try {
    const both = new Float64Array(2 * COLUMNS);
    readObject(known, both, 0);
    read(known, both, COLUMNS);
    return both.subarray(0, COLUMNS).every((value, column) => value === both[COLUMNS + column]);
  } catch {
    return false;
  }
}
