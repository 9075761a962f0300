/** The stamps of a vault's files, in columns: objects for each of them would outlive the walk and cost it a tenth. */

import type { FileStamp } from '../../core/ports.js';
import { Fingerprint } from './fingerprint.js';
import { COLUMNS, type ReadStats } from './read-stats.js';

const FIRST_ROOM = 256;

export class FileStamps {
  readonly fingerprint = new Fingerprint();
  /** Places of those that, or whose entry, were changed after `youngFromMs`. */
  readonly young: number[] = [];
  private readonly names: string[] = [];
  /** Of each file the place of its folder's prefix. */
  private readonly folderOf: number[] = [];
  private readonly prefixes: string[] = [];
  private columns = new Float64Array(COLUMNS * FIRST_ROOM);

  constructor(
    private readonly readStats: ReadStats,
    private readonly youngFromMs = Infinity,
  ) {}

  get count(): number {
    return this.names.length;
  }

  /** The files that follow lie in this folder; `prefix` is empty or ends in a slash. */
  enter(prefix: string): void {
    this.prefixes.push(prefix);
    this.fingerprint.enter(prefix);
  }

  /** A file of this folder; throws what lstatSync throws. */
  add(name: string, path: string): void {
    const start = COLUMNS * this.names.length;
    if (start === this.columns.length) {
      const larger = new Float64Array(2 * start);
      larger.set(this.columns);
      this.columns = larger;
    }
    const { columns } = this;
    this.readStats(path, columns, start);
    const mtimeMs = columns[start + 1]!;
    const ctimeMs = columns[start + 2]!;
    if (mtimeMs > this.youngFromMs || ctimeMs > this.youngFromMs) this.young.push(this.names.length);
    this.names.push(name);
    this.folderOf.push(this.prefixes.length - 1);
    this.fingerprint.add(name, columns[start]!, mtimeMs, ctimeMs, columns[start + 3]!);
  }

  stampAt(index: number): FileStamp {
    const start = COLUMNS * index;
    const { columns } = this;
    return {
      path: this.prefixes[this.folderOf[index]!]! + this.names[index]!,
      size: columns[start]!,
      mtimeMs: columns[start + 1]!,
      ctimeMs: columns[start + 2]!,
      inode: columns[start + 3]!,
      birthMs: columns[start + 4]!,
    };
  }
}
