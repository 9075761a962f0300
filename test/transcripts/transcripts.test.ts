/**
 * Runs the transcripts beside this file, each in a folder of its own with a copy of the example vault, and compares
 * what the commands say. `UPDATE_TRANSCRIPTS=1 npx vitest run test/transcripts` writes down what they say now.
 */

import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  bin,
  copyExampleVault,
  quietEnvironment,
  runCommand,
  temporaryFolder,
} from '../surfaces/run-memory.js';
import { readTranscript, type Step, writeTranscript } from './read-transcript.js';

const folder = import.meta.dirname;
const names = readdirSync(folder).filter((name) => name.endsWith('.txt'));
const isUpdating = process.env['UPDATE_TRANSCRIPTS'] === '1';

test.each(names)('%s', async (name) => {
  const path = join(folder, name);
  const written = readTranscript(readFileSync(path, 'utf8'));
  const place = makePlace();
  const steps: Step[] = [];
  for (const step of written.steps) steps.push({ ...step, said: await say(place, step.command) });
  if (isUpdating) writeFileSync(path, writeTranscript({ steps, after: written.after }));
  else expect(writeTranscript({ ...written, steps })).toBe(writeTranscript(written));
});

/** A folder with `vault/`, and `memory` on the path. */
function makePlace(): string {
  const place = temporaryFolder();
  copyExampleVault(place);
  mkdirSync(join(place, '.path'));
  symlinkSync(bin, join(place, '.path/memory'));
  return place;
}

/** What the command says on stdout and stderr, and its exit code if that is not 0. */
async function say(place: string, command: string): Promise<string[]> {
  const { PATH, ...rest } = quietEnvironment();
  const environment = { ...rest, HOME: place, PATH: `${join(place, '.path')}:${PATH}` };
  const { code, stdout } = await runCommand('bash', ['-c', `exec 2>&1\n${command}`], {
    cwd: place,
    environment,
  });
  const lines = withoutChance(stdout, place).replace(/\n+$/, '').split('\n');
  const said = lines.length === 1 && lines[0] === '' ? [] : lines.map((line) => line.trimEnd());
  return code === 0 ? said : [...said, `[exit ${code}]`];
}

/** Replaces what differs from run to run: the folder, the program, durations, ages, moments, today, ids, sizes and scores. */
function withoutChance(text: string, place: string): string {
  const today = new Date().toISOString().slice(0, 10);
  return text
    .replaceAll(place, '<here>')
    .replaceAll(encodeURIComponent(place), '<here>')
    .replaceAll(bin, '<program>')
    .replaceAll(process.execPath, '<node>')
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, '<moment>')
    .replaceAll(today, '<today>')
    .replace(/(<today>) \d\d:\d\d\b/g, '$1 <time>')
    .replace(
      /(memory undo |took back \w+ |take back "|"(?:id|undone)":"|memory: ")[0-9a-hjkmnp-tv-z]{12}\b/gm,
      '$1<id>',
    )
    .replace(/· [\d,]+ ms/g, '· <n> ms')
    .replace(/(?<=checked | {3})(just now|\d+ \w+ ago)/g, '<ago>')
    .replace(/(?<=^claimed .* · hash )[0-9a-f]{16}/gm, '<hash>')
    .replace(/(?<="status":"claimed .*"hash":")[0-9a-f]{64}/g, '<hash>')
    .replace(/"(ms|ageMs|checkedMsAgo|indexBytes|bytes|score)":[\d.e+-]+/g, '"$1":<n>')
    .replace(/index( +)[\d.]+ (bytes|kB|MB)/g, 'index$1<size>');
}

describe('readTranscript()', () => {
  const text =
    'Prose.\n\n  $ a\n  one\n\n  two\n\nMore.\n  still prose\n\n  $ b\n  $ c\n  [exit 2]\n\nThe end.\n';

  test('tells prose, commands and what they say', () => {
    expect(readTranscript(text)).toEqual({
      steps: [
        { prose: ['Prose.', ''], command: 'a', said: ['one', '', 'two'] },
        { prose: ['', 'More.', '  still prose', ''], command: 'b', said: [] },
        { prose: [], command: 'c', said: ['[exit 2]'] },
      ],
      after: ['', 'The end.'],
    });
  });

  test('is undone by writeTranscript()', () => {
    expect(writeTranscript(readTranscript(text))).toBe(text);
  });
});
