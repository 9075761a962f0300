/** Property values equal those of the `yaml` package on every block of the public vaults that it can read. */

import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { scan } from '../../src/core/markdown/scan.js';
import { NO_VAULTS, notePaths, readNotes, sharedVault, sharedVaults } from '../shared-vaults.js';

const BATCH = 1000;
const all = process.env['CHECK_ALL'] === '1';
/** Without CHECK_ALL=1, every so manyth note. */
const STEP = all ? 1 : 5;

type Leaves = Record<string, string[]>;

/** The format's own two rules: unquoted wikilinks are links, template code is text. YAML reads both as collections. */
const OWN_RULES = /(?<!["'[])\[\[(?!\[)|\[\s*\[\[|\{\{|<%/;

/** Texts of all scalars by their path; undefined where YAML finds an error, as in keys written twice. */
function yamlLeaves(source: string): Leaves | undefined {
  const document = parseDocument(source, { schema: 'failsafe', prettyErrors: false });
  if (document.errors.length > 0) return undefined;
  const leaves: Leaves = {};
  collect(document.toJS({ mapAsMap: true }), '', leaves);
  return leaves;
}

function collect(value: unknown, path: string, leaves: Leaves): void {
  if (value instanceof Map)
    for (const [key, inner] of value) collect(inner, path === '' ? String(key) : `${path}.${key}`, leaves);
  else if (Array.isArray(value)) for (const inner of value) collect(inner, path, leaves);
  else {
    leaves[path] ??= [];
    if (value !== null && value !== '') leaves[path].push(String(value));
  }
}

function ourLeaves(markdown: string): Leaves {
  const leaves: Leaves = {};
  for (const { key, values } of scan(markdown).properties?.entries ?? []) {
    leaves[key] ??= [];
    leaves[key].push(...values.filter((value) => value !== ''));
  }
  return leaves;
}

/** Empty lists have no leaf in YAML, an entry here. */
function filled(leaves: Leaves): Leaves {
  return Object.fromEntries(Object.entries(leaves).filter(([, values]) => values.length > 0));
}

const vaults = sharedVaults();

describe.skipIf(vaults.length === 0)('scan() against the yaml package', () => {
  test.each(vaults)('on all property blocks of %s', (name) => {
    const folder = sharedVault(name);
    const paths = notePaths(folder).filter((_, index) => index % STEP === 0);
    let compared = 0;
    for (let from = 0; from < paths.length; from += BATCH)
      for (const { path, text } of readNotes(folder, paths.slice(from, from + BATCH))) {
        const block = scan(text).properties;
        if (block === undefined) continue;
        const source = text.slice(block.start + 3, block.end - 3);
        const theirs = OWN_RULES.test(source) ? undefined : yamlLeaves(source);
        if (theirs === undefined) continue;
        compared++;
        expect(filled(ourLeaves(text)), path).toEqual(filled(theirs));
      }
    if (all) expect(compared).toBe(COMPARED[name]);
  });
});

/** How many blocks of each vault are compared. */
const COMPARED: Readonly<Record<string, number>> = {
  'dataview-deep-dive': 216,
  'kepano-obsidian': 70,
  'ms-cpp-docs': 9737,
  'oldwinter-garden-zh': 3066,
  'rust-book': 0,
  tldr: 0,
};

if (vaults.length === 0) test.skip(NO_VAULTS, () => {});
