/** Names in a vault that complete a path being typed: one folder is read, no index is opened. */

import { readdir } from 'node:fs/promises';
import { join, normalize } from 'node:path';

/** Notes and folders, or folders alone, whose path starts with `prefix`. Folders end in a slash. */
export async function vaultNames(root: string, prefix: string, foldersOnly: boolean): Promise<string[]> {
  const cut = prefix.lastIndexOf('/') + 1;
  const folder = prefix.slice(0, cut);
  const start = prefix.slice(cut);
  if (normalize(`/${folder}`) !== `/${folder}`) return [];
  const names: string[] = [];
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const { name } = entry;
    if (name.startsWith('.') || name === 'node_modules' || !name.startsWith(start) || /[\r\n]/.test(name))
      continue;
    if (entry.isDirectory()) names.push(`${folder}${name}/`);
    else if (!foldersOnly && name.endsWith('.md')) names.push(`${folder}${name}`);
  }
  return names.sort();
}
