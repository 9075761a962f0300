/** Whether a file is as it was when it was read, as far as the file system tells. */

import type { FileStamp } from '../ports.js';

export type ComparedStamp = Pick<FileStamp, 'size' | 'mtimeMs' | 'ctimeMs' | 'inode'>;

export function isSameStamp(a: ComparedStamp, b: ComparedStamp): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.inode === b.inode;
}
