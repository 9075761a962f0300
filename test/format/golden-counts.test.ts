/**
 * What the scanner finds in each public vault, counted. A change of these figures is a change of reading: look at
 * what changed, then write them anew with UPDATE_GOLDEN=1.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scan } from '../../src/core/markdown/scan.js';
import { NO_VAULTS, notePaths, readNotes, sharedVault, sharedVaults } from '../shared-vaults.js';

const FILE = join(import.meta.dirname, 'golden-counts.json');
const BATCH = 1000;

type Counts = Record<string, number>;

function countAll(folder: string): Counts {
  const counts: Counts = {};
  const add = (name: string, number: number) => {
    counts[name] = (counts[name] ?? 0) + number;
  };
  const paths = notePaths(folder);
  for (let from = 0; from < paths.length; from += BATCH)
    for (const { text } of readNotes(folder, paths.slice(from, from + BATCH))) {
      const note = scan(text);
      add('notes', 1);
      for (const form of ['wiki', 'markdown', 'reference', 'property'] as const)
        add(`${form} links`, note.links.filter((link) => link.form === form && link.kind === 'link').length);
      add('embeds', note.links.filter(({ kind }) => kind === 'embed').length);
      add('tags', note.tags.length);
      add('fields', note.fields.length);
      add('headings', note.headings.length);
      add('items', note.items.length);
      add('tasks', note.tasks.length);
      add('block ids', note.blockIds.length);
      add('callouts', note.callouts.length);
      add('fences', note.regions.filter(({ kind }) => kind === 'fence').length);
      add('tables', note.regions.filter(({ kind }) => kind === 'table').length);
      add('properties', note.properties?.entries.length ?? 0);
      add('property problems', note.properties?.problems.length ?? 0);
    }
  return counts;
}

const vaults = sharedVaults();

describe.skipIf(vaults.length === 0)('scan() on the public vaults', () => {
  test.each(vaults)('%s holds what it held', (name) => {
    const golden = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Counts>;
    const counts = countAll(sharedVault(name));
    if (process.env['UPDATE_GOLDEN'] === '1') {
      golden[name] = counts;
      writeFileSync(FILE, `${JSON.stringify(golden, null, 2)}\n`);
    } else expect(counts).toEqual(golden[name]);
  });
});

if (vaults.length === 0) test.skip(NO_VAULTS, () => {});
