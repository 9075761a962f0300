/** One value for the stamps of a whole vault, so that an unchanged one need not be compared file by file. */

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);

/** Of the 64 bits of a file's hash, those that a whole number holds. */
const HIGH_SHIFT = 2 ** 21;
const FIRST_ROOM = 256;

const HASH_START = 0x811c9dc5;

function hashOn(start: number, text: string): number {
  let hash = start;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

/** Adds up a hash of each file, which leaves their order out, and keeps most of each. */
export class Fingerprint {
  private kept = new Float64Array(FIRST_ROOM);
  private low = 0;
  private high = 0;
  private count = 0;
  private afterPrefix = HASH_START;

  /** The files that follow have paths that begin so. */
  enter(prefix: string): void {
    this.afterPrefix = hashOn(HASH_START, prefix);
  }

  add(name: string, size: number, mtimeMs: number, ctimeMs: number, inode: number): void {
    let a = hashOn(this.afterPrefix, name);
    let b = Math.imul(a ^ size, 0x9e3779b1);
    double[0] = mtimeMs;
    a = Math.imul(a ^ halves[0]!, 0x85ebca6b) ^ halves[1]!;
    double[0] = ctimeMs;
    b = Math.imul(b ^ halves[0]!, 0xc2b2ae35) ^ halves[1]!;
    double[0] = inode;
    a = Math.imul(a ^ halves[0]! ^ halves[1]!, 0x27d4eb2f);
    a ^= a >>> 15;
    b = Math.imul(b ^ a, 0x165667b1);
    b ^= b >>> 13;
    this.low = (this.low + a) | 0;
    this.high = (this.high + b) | 0;
    if (this.count === this.kept.length) {
      const larger = new Float64Array(2 * this.count);
      larger.set(this.kept);
      this.kept = larger;
    }
    this.kept[this.count++] = (a >>> 0) * HIGH_SHIFT + (b >>> 11);
  }

  /** In the order in which the files were added. */
  get marks(): Float64Array {
    return this.kept.subarray(0, this.count);
  }

  toString(): string {
    return `${this.count}-${(this.low >>> 0).toString(16)}-${(this.high >>> 0).toString(16)}`;
  }
}
