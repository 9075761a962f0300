/** Asks the person at the terminal for a yes. Any other answer is a no, and so is none: an end of the input, Ctrl-C. */

import { cleanText } from '../../operations/clean-text.js';
import type { CommandLineHost } from './host.js';

const YES = /^\s*y(es)?\s*$/i;

export async function confirm(
  { stderr, readLine }: Pick<CommandLineHost, 'stderr' | 'readLine'>,
  question: string,
): Promise<boolean> {
  stderr.write(`${cleanText(question)} [y/N] `);
  const answer = await readLine();
  // Nobody has ended the line.
  if (answer === undefined) stderr.write('\n');
  return answer !== undefined && YES.test(answer);
}
