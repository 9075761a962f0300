/**
 * Headings, fences, list items and links equal those of an independent parser on real notes, but for the classes
 * that docs/note-format.md lists. A seeded sample of 2,000 notes; all of them with CHECK_ALL=1.
 */

import { describe, expect, test } from 'vitest';
import { NO_VAULTS, notePaths, readNotes, sharedVault, sharedVaults } from '../shared-vaults.js';
import { differences } from './oracle.js';

const SAMPLE = 2000;
const BATCH = 500;
const all = process.env['CHECK_ALL'] === '1';

/** What the whole of the vaults holds, by class; docs/note-format.md repeats these figures. */
const REMAINDER: Readonly<Record<string, number>> = {
  'fences: comment': 9,
  'headings: comment': 7,
  'links: wikilink': 2,
};

/** A small generator of even quality: the sample is the same on every machine. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function choose(notes: readonly (readonly [folder: string, path: string])[]) {
  const next = random(3);
  return notes
    .map((note) => ({ note, order: next() }))
    .sort((one, other) => one.order - other.order)
    .slice(0, all ? notes.length : SAMPLE)
    .map(({ note }) => note);
}

const vaults = sharedVaults();

describe.skipIf(vaults.length === 0)('scan() against remark', () => {
  test(all ? 'on all notes' : `on a sample of ${SAMPLE} notes`, () => {
    const notes = vaults.flatMap((name) => {
      const folder = sharedVault(name);
      return notePaths(folder).map((path) => [folder, path] as const);
    });
    const chosen = choose(notes);
    const counts: Record<string, number> = {};
    const unexplained: string[] = [];
    for (let from = 0; from < chosen.length; from += BATCH)
      for (const [folder, path] of chosen.slice(from, from + BATCH)) {
        const { text } = readNotes(folder, [path])[0]!;
        for (const difference of differences(text)) {
          const name = difference.class === undefined ? undefined : `${difference.kind}: ${difference.class}`;
          if (name === undefined)
            unexplained.push(
              `${path}: ${difference.by} alone sees ${difference.kind} ${difference.detail} at ${difference.start}`,
            );
          else counts[name] = (counts[name] ?? 0) + 1;
        }
      }
    expect(unexplained).toEqual([]);
    if (all) expect(counts).toEqual(REMAINDER);
  }, 600_000);
});

if (vaults.length === 0) test.skip(NO_VAULTS, () => {});
