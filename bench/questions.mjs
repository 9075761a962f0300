/** Natural questions about a vault, made from its headings and link texts; the same vault gives the same questions. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FRAMES = [
  'how do I use {}',
  'what is {}',
  '{}',
  'why does {} fail',
  'example of {}',
  'difference between {} and its alternatives',
  'where is {} described',
  'when to use {}',
];

export function makeQuestions(vault, count) {
  const paths = readdirSync(vault, { recursive: true })
    .filter((path) => path.endsWith('.md') && !path.startsWith('.'))
    .sort();
  const questions = [];
  // Steps that share no factor with the number of notes visit each once, spread over the vault.
  for (let at = 0, step = 0; questions.length < count && step < paths.length; step += 1) {
    at = (at + 7919) % paths.length;
    const text = readFileSync(join(vault, paths[at]), 'utf8');
    const pattern = step % 2 === 0 ? /^#{1,4} +(.+)$/gm : /\[([^\]\n]{8,60})\]\([^)\n]+\)/g;
    const found = [...text.matchAll(pattern)]
      .map((match) => match[1].replace(/[`*_#[\]]/g, '').trim())
      .filter((one) => one.split(' ').length > 1);
    if (found.length === 0) continue;
    questions.push(FRAMES[step % FRAMES.length].replace('{}', found[step % found.length].slice(0, 70)));
  }
  return questions;
}
