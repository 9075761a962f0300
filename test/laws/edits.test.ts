/** Laws of editing, on real notes: bytes come back, one property is one line, an edit and its inverse leave no trace. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWritable } from '../../src/core/edit/check-writable.js';
import { editText, type TextEdits } from '../../src/core/edit/edit-text.js';
import { diffLines, splitLines } from '../../src/core/edit/line-diff.js';
import { mergeTexts } from '../../src/core/edit/merge-texts.js';
import { applyChanges, changesBetween, invertChanges } from '../../src/core/edit/text-change.js';
import { MemoryError } from '../../src/core/errors.js';
import { scan } from '../../src/core/markdown/scan.js';
import type { ScannedNote } from '../../src/core/markdown/scanned-note.js';
import { decodeNote } from '../../src/core/note/decode-note.js';
import { headingPath } from '../../src/core/note/passages.js';
import { type Random, seededRandom } from '../random.js';
import { NO_VAULTS, notePaths, sharedVault, sharedVaults } from '../shared-vaults.js';

const ALL = Boolean(process.env['CHECK_ALL']);
const SAMPLE = 600;
const SEED = Number(process.env['EDIT_SEED'] ?? 20_261_130);

type Place = { readonly path: string; readonly file: string };

function everyNote(): readonly Place[] {
  return sharedVaults().flatMap((name) => {
    const folder = sharedVault(name);
    return notePaths(folder).map((path) => ({ path: `${name}/${path}`, file: join(folder, path) }));
  });
}

function sample(places: readonly Place[], size: number, random: Random): readonly Place[] {
  if (places.length <= size) return places;
  return Array.from({ length: size }, () => random.pick(places));
}

const vaults = sharedVaults();
const describeOnVaults = describe.skipIf(vaults.length === 0);
if (vaults.length === 0) process.stderr.write(`editing laws on real notes: ${NO_VAULTS}\n`);

const refused = { conflict: 0, invalid: 0 };

/** The edited text; undefined where the program says why it will not. */
function attempt(note: ScannedNote, edits: TextEdits): string | undefined {
  try {
    return editText('n.md', note, edits).text;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    if (error.code === 'conflict') refused.conflict += 1;
    else refused.invalid += 1;
    expect(['conflict', 'invalid_input', 'not_found']).toContain(error.code);
    return undefined;
  }
}

const WORDS = [
  'alpha',
  'two words',
  '- item',
  '## Heading',
  'ends: here',
  '[[Link|shown]]',
  'a\nb',
  '日本 😀',
  ' x ',
];
const VALUES = [
  'plain',
  '2026-08-21',
  '007',
  'true',
  '[[Note]]',
  'with: colon',
  '# sign',
  '[a, b, c d]',
  "it's",
  '"q"',
  '',
];

function randomEdit(note: ScannedNote, random: Random): TextEdits {
  const word = random.pick(WORDS);
  const keys = note.properties?.entries.map(({ key }) => key) ?? [];
  const key =
    keys.length > 0 && random.chance(0.7) ? random.pick(keys) : random.pick(['status', 'new key', 'Über']);
  const lines = note.lineStarts.length;
  const line = 1 + random.below(lines);
  const kinds: readonly (() => TextEdits | undefined)[] = [
    () => ({ append: word }),
    () => ({ prepend: word }),
    () => ({ set: [`${key}=${random.pick(VALUES)}`] }),
    () => ({ unset: [key] }),
    () => ({ addTag: [random.pick(['one', 'a/b', '日本'])] }),
    () => {
      const [tag] = note.tags;
      return tag && { removeTag: [tag.name] };
    },
    () => {
      const start = random.below(note.text.length);
      const old = note.text.slice(start, start + 1 + random.below(40));
      return old.isWellFormed() && old !== '' && !old.includes('\0')
        ? { replace: old, with: word, count: 1 }
        : undefined;
    },
    () => {
      const titled = note.headings.flatMap((heading, index) =>
        heading.nested || heading.text === '' ? [] : [index],
      );
      if (titled.length === 0) return undefined;
      const section = headingPath(note.headings, random.pick(titled)).join(' > ');
      return { section, [random.pick(['content', 'append', 'prepend', 'before', 'after'])]: word };
    },
    () =>
      note.blockIds.length === 0
        ? undefined
        : { block: random.pick(note.blockIds).id, [random.pick(['content', 'before', 'after'])]: word },
    () => ({
      lines: `${line}-${Math.min(lines, line + random.below(4))}`,
      [random.pick(['content', 'before', 'after'])]: word,
    }),
  ];
  return random.pick(kinds)() ?? { append: word };
}

describeOnVaults('on real notes', () => {
  const places = vaults.length === 0 ? [] : everyNote();

  test('reading and writing back is the identity', { timeout: 600_000 }, () => {
    let damaged = 0;
    for (const { path, file } of ALL ? places : sample(places, SAMPLE, seededRandom(SEED))) {
      const bytes = readFileSync(file);
      const { text, damage } = decodeNote(bytes);
      if (damage !== 'none') {
        damaged += 1;
        expect(() => readWritable(path, bytes)).toThrow(MemoryError);
        continue;
      }
      expect(Buffer.from(new TextEncoder().encode(text)).equals(bytes), path).toBe(true);
      expect(splitLines(text).join('') === text, path).toBe(true);
      expect(scan(text).text === text, path).toBe(true);
    }
    expect(damaged).toBeLessThan(50);
  });

  const rounds = 2_000;
  test(`${rounds} random edits and their inverses restore the text (seed ${SEED})`, {
    timeout: 600_000,
  }, () => {
    const random = seededRandom(SEED);
    let edited = 0;
    for (const { path, file } of Array.from({ length: rounds }, () => random.pick(places))) {
      const { text, damage } = decodeNote(readFileSync(file));
      if (damage !== 'none') continue;
      const note = scan(text);
      const edits = randomEdit(note, random);
      const after = attempt(note, edits);
      if (after === undefined || after === text) continue;
      edited += 1;
      const changes = changesBetween(text, after);
      const what = `${path} ${JSON.stringify(edits)}`;
      expect(applyChanges(text, changes) === after, what).toBe(true);
      expect(applyChanges(after, invertChanges(text, changes)) === text, what).toBe(true);
      expect(applyChanges(after, changesBetween(after, text)) === text, what).toBe(true);
    }
    expect(edited).toBeGreaterThan(rounds * 0.6);
  });

  test('setting, changing and unsetting a property differ in that one line', { timeout: 600_000 }, () => {
    const random = seededRandom(SEED + 1);
    let seen = 0;
    for (const { path, file } of ALL ? places : sample(places, SAMPLE, random)) {
      const { text, damage } = decodeNote(readFileSync(file));
      if (damage !== 'none') continue;
      const note = scan(text);
      if (note.properties === undefined || note.conflicts.length > 0) continue;
      const set = attempt(note, { set: ['a-new-key=one'] });
      if (set === undefined) continue;
      seen += 1;
      const changed = attempt(scan(set), { set: ['a-new-key=2026-08-21'] });
      const unset = changed === undefined ? undefined : attempt(scan(changed), { unset: ['a-new-key'] });
      expect(linesChanged(text, set), path).toEqual([[0, 1]]);
      expect(linesChanged(set, changed!), path).toEqual([[1, 1]]);
      expect(linesChanged(changed!, unset!), path).toEqual([[1, 0]]);
      expect(unset === text, path).toBe(true);
      for (const { key, isList, values, valueStart, valueEnd } of note.properties.entries) {
        if (isList || values.length !== 1 || /[\r\n]/.test(values[0]!)) continue;
        const other = attempt(note, { set: [`${key}=changed`] });
        if (other === undefined || values[0] === 'changed') continue;
        // A text that is wrapped takes more than one line.
        const height = text.slice(valueStart, valueEnd).split('\n').length;
        expect(linesChanged(text, other), `${path} ${key}`).toEqual([[height, 1]]);
        const back = attempt(scan(other), { set: [`${key}=${values[0]}`] });
        if (back !== undefined) expect(linesChanged(text, back).length, `${path} ${key}`).toBeLessThan(2);
      }
    }
    expect(seen).toBeGreaterThan(20);
  });

  test('edits of different lines merge in either order, and keep both', { timeout: 600_000 }, () => {
    const random = seededRandom(SEED + 2);
    let merged = 0;
    for (const { path, file } of sample(places, 300, random)) {
      const base = decodeNote(readFileSync(file)).text;
      const lines = splitLines(base);
      if (lines.length < 6) continue;
      const at = random.below(lines.length - 3);
      const ours = lines.map((line, i) => (i === at ? `ours ${line}` : line)).join('');
      const theirs = lines.map((line, i) => (i === at + 2 ? `theirs ${line}` : line)).join('');
      const both = lines.map((line, i) =>
        i === at ? `ours ${line}` : i === at + 2 ? `theirs ${line}` : line,
      );
      expect(mergeTexts(base, ours, theirs) === both.join(''), path).toBe(true);
      expect(mergeTexts(base, theirs, ours) === both.join(''), path).toBe(true);
      const same = lines.map((line, i) => (i === at ? `third ${line}` : line)).join('');
      expect(mergeTexts(base, ours, same), path).toBeUndefined();
      merged += 1;
    }
    expect(merged).toBeGreaterThan(100);
  });
});

/** How many lines each hunk takes away and puts in. */
function linesChanged(before: string, after: string): readonly (readonly [number, number])[] {
  return diffLines(splitLines(before), splitLines(after)).map((hunk) => [
    hunk.end - hunk.start,
    hunk.otherEnd - hunk.otherStart,
  ]);
}

test('the difference of two texts leads from one to the other, whatever they are', () => {
  const random = seededRandom(SEED + 3);
  const make = () =>
    Array.from({ length: random.below(12) }, () =>
      random.pick(['a\n', 'b\n', 'c\r\n', 'd\r', '\n', 'e']),
    ).join('');
  for (let round = 0; round < 3_000; round += 1) {
    const one = make();
    const other = make();
    expect(applyChanges(one, changesBetween(one, other))).toBe(other);
  }
});
