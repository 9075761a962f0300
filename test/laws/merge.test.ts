/** Laws of merging notes, on random branches: no fact is lost, none stands twice, no property block breaks. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeFile } from '../../src/adapters/git/merge-file.js';
import { scan } from '../../src/core/markdown/scan.js';
import { mergeNotes } from '../../src/core/merge/merge-notes.js';
import { branches, type Fact, type Parts, parts, printParts, style } from '../merge/random-note.js';

const RUNS = process.env['CHECK_ALL'] ? 3_000 : 200;
const SEED = Number(process.env['MERGE_SEED'] ?? 20_261_130);
const settings = { numRuns: RUNS, seed: SEED };

const merge = (base: string, ours: string, theirs: string) => mergeNotes({ base, ours, theirs }, mergeFile);

const statements = ({ facts = [], relations = [] }: Parts): readonly Fact[] => [...facts, ...relations];

const nameOf = ({ id, text }: Fact): string => id ?? text;

function timesIn(text: string, { id, text: words }: Fact): number {
  const lines = text.split(/\r?\n/);
  return lines.filter((line) => (id === undefined ? line === `- ${words}` : line.endsWith(` ^${id}`))).length;
}

const MARKERS = /^(?:<{7} ours|={7}|>{7} theirs)\r?$/m;

test('no fact is lost, none stands twice, and no property block breaks', () => {
  let clean = 0;
  fc.assert(
    fc.property(branches, style, ({ base, ours, theirs }, look) => {
      const [b, o, t] = [printParts(base, look), printParts(ours, look), printParts(theirs, look)];
      const { text, conflicts } = merge(b, o, t);
      expect(MARKERS.test(text)).toBe(conflicts > 0);
      if (conflicts === 0) clean += 1;
      const known = new Set(statements(base).map(nameOf));
      const inOurs = new Set(statements(ours).map(nameOf));
      const inTheirs = new Set(statements(theirs).map(nameOf));
      for (const fact of [...statements(ours), ...statements(theirs)]) {
        const name = nameOf(fact);
        const mustStay = !known.has(name) || (inOurs.has(name) && inTheirs.has(name));
        const times = timesIn(text, fact);
        if (mustStay) expect(times).toBeGreaterThan(0);
        if (conflicts === 0) expect(times).toBeLessThanOrEqual(1);
        else expect(times).toBeLessThanOrEqual(2);
      }
      for (const fact of statements(base)) {
        const name = nameOf(fact);
        if (!inOurs.has(name) && !inTheirs.has(name) && conflicts === 0) expect(timesIn(text, fact)).toBe(0);
      }
      if (conflicts > 0) return;
      const { properties } = scan(text);
      expect(properties?.problems ?? []).toEqual([]);
      const keys = properties?.entries.map(({ key }) => key) ?? [];
      expect(new Set(keys).size).toBe(keys.length);
      for (const [key, value] of ours.properties) {
        const before = base.properties.find(([name]) => name === key)?.[1];
        if (before !== value)
          expect(properties?.entries.find((entry) => entry.key === key)?.values).toEqual([value]);
      }
      const tags = properties?.entries.find(({ key }) => key === 'tags')?.values ?? [];
      const added = [...ours.tags, ...theirs.tags].filter((tag) => !base.tags.includes(tag));
      const kept = base.tags.filter((tag) => ours.tags.includes(tag) && theirs.tags.includes(tag));
      expect([...tags].sort()).toEqual([...new Set([...added, ...kept])].sort());
    }),
    settings,
  );
  // Most pairs of branches can be merged; otherwise the law says little.
  expect(clean).toBeGreaterThan(RUNS / 2);
}, 120_000);

describe('an unchanged side', () => {
  test("gives the other's bytes", () => {
    fc.assert(
      fc.property(parts, parts, style, style, (one, other, look, otherLook) => {
        const [base, changed] = [printParts(one, look), printParts(other, otherLook)];
        expect(merge(base, base, changed)).toEqual({ text: changed, conflicts: 0 });
        expect(merge(base, changed, base)).toEqual({ text: changed, conflicts: 0 });
        expect(merge(base, changed, changed)).toEqual({ text: changed, conflicts: 0 });
      }),
      settings,
    );
  }, 120_000);
});

test('the sides can be exchanged: the same lines, perhaps in another order', () => {
  fc.assert(
    fc.property(branches, style, ({ base, ours, theirs }, look) => {
      const [b, o, t] = [printParts(base, look), printParts(ours, look), printParts(theirs, look)];
      const [one, other] = [merge(b, o, t), merge(b, t, o)];
      expect(one.conflicts === 0).toBe(other.conflicts === 0);
      if (one.conflicts > 0) return;
      const sorted = (text: string) =>
        text
          .split(/\r?\n/)
          .map((line) => (line.startsWith('tags: [') ? [...line].sort().join('') : line))
          .filter((line) => line !== '')
          .sort();
      expect(sorted(one.text)).toEqual(sorted(other.text));
    }),
    settings,
  );
}, 120_000);

test('a branch that is merged a second time brings no fact twice, and takes none', () => {
  fc.assert(
    fc.property(branches, style, ({ base, ours, theirs }, look) => {
      const [b, o, t] = [printParts(base, look), printParts(ours, look), printParts(theirs, look)];
      const { text, conflicts } = merge(b, o, t);
      if (conflicts > 0) return;
      const again = merge(b, text, t);
      if (again.conflicts > 0) return;
      for (const fact of [...statements(ours), ...statements(theirs)]) {
        expect(timesIn(again.text, fact)).toBe(timesIn(text, fact));
      }
    }),
    settings,
  );
}, 120_000);
