/** Merging real notes with random edits of their lines: whatever stands in them, nothing is lost, and every conflict is marked. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mergeFile } from '../../src/adapters/git/merge-file.js';
import { splitLines } from '../../src/core/edit/line-diff.js';
import { scan } from '../../src/core/markdown/scan.js';
import { mergeNotes } from '../../src/core/merge/merge-notes.js';
import { decodeNote } from '../../src/core/note/decode-note.js';
import { type Random, seededRandom } from '../random.js';
import { NO_VAULTS, notePaths, sharedVault, sharedVaults } from '../shared-vaults.js';

const SAMPLE = process.env['CHECK_ALL'] ? 4_000 : 250;
const SEED = Number(process.env['MERGE_SEED'] ?? 20_261_130);

const vaults = sharedVaults();
if (vaults.length === 0) process.stderr.write(`laws of merging on real notes: ${NO_VAULTS}\n`);

/** New lines bear the mark, so that they are known in what comes out. */
function editLines(text: string, random: Random, mark: string): { text: string; added: readonly string[] } {
  const lines = [...splitLines(text)];
  const ending = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const added: string[] = [];
  const edits = 1 + random.below(4);
  for (let edit = 0; edit < edits; edit += 1) {
    const at = random.below(lines.length + 1);
    const line = `${random.pick(['- ', '', '## ', 'key: ', '- [ ] '])}new ${mark}${edit}`;
    const kind = random.below(4);
    if (kind === 0 && lines.length > 3) lines.splice(at, 1);
    else if (kind === 1 && lines.length > 3) lines.splice(at, 1, line + ending);
    else if (kind === 2) lines.push(...(/[\r\n]$/.test(lines.at(-1) ?? '\n') ? [] : [ending]), line + ending);
    else lines.splice(at, 0, line + ending);
    if (kind !== 0 || lines.length <= 3) added.push(line);
  }
  const edited = lines.join('');
  return { text: edited, added: added.filter((line) => edited.includes(line)) };
}

describe.skipIf(vaults.length === 0)('on real notes', () => {
  test('new lines of both sides are there, once where nothing is open, and conflicts are marked', () => {
    const random = seededRandom(SEED);
    const places = vaults.flatMap((name) => {
      const folder = sharedVault(name);
      return notePaths(folder).map((path) => join(folder, path));
    });
    let clean = 0;
    let merged = 0;
    for (let at = 0; at < SAMPLE; at += 1) {
      const file = random.pick(places);
      const { text: base, damage } = decodeNote(readFileSync(file));
      if (damage !== 'none' || /^(?:<{7}|>{7}) (?:ours|theirs)/m.test(base)) continue;
      const ours = editLines(base, random, 'o');
      const theirs = editLines(base, random, 't');
      const { text, conflicts } = mergeNotes({ base, ours: ours.text, theirs: theirs.text }, mergeFile);
      merged += 1;
      expect(/^<{7} ours/m.test(text), file).toBe(conflicts > 0);
      for (const line of [...ours.added, ...theirs.added]) {
        const times = text.split(line).length - 1;
        expect(times, `${file}: ${line}`).toBeGreaterThan(0);
        if (conflicts === 0) expect(times, `${file}: ${line}`).toBe(1);
      }
      if (conflicts > 0) continue;
      clean += 1;
      const problems = (note: string) => scan(note).properties?.problems.length ?? 0;
      if (problems(base) + problems(ours.text) + problems(theirs.text) === 0)
        expect(problems(text), file).toBe(0);
    }
    expect(clean).toBeGreaterThan(merged / 4);
  }, 120_000);
});
