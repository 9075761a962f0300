/** What git needs to merge notes: an attribute beside them, and in the repository's own configuration a driver. */

import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { lineEndingOf } from '../../core/edit/line-endings.js';
import { MemoryError } from '../../core/errors.js';
import type { ServerCommand } from './clients.js';
import { appendLines, removeLines } from './marked-block.js';

const DRIVER = 'agent-memory';

/** Merging takes three files, which git names in this order: the common ancestor, ours, theirs. */
const DRIVER_ARGUMENTS = 'merge-driver %O %A %B';

export const ATTRIBUTE_LINE = `*.md merge=${DRIVER}`;

export function putAttribute(given: string | undefined): string {
  return given !== undefined && placeOfLine(given) !== undefined
    ? given
    : appendLines(given, ATTRIBUTE_LINE, false);
}

export function removeAttribute(text: string): string | undefined {
  const start = placeOfLine(text);
  return start === undefined ? text : removeLines(text, start, start + ATTRIBUTE_LINE.length, false);
}

function placeOfLine(text: string): number | undefined {
  const match = new RegExp(`^${ATTRIBUTE_LINE.replace(/[*.]/g, '\\$&')}$`, 'm').exec(
    text.replaceAll('\r', '\n'),
  );
  return match?.index;
}

/** The command line of the driver, which git gives to a shell. */
export function driverCommand({ command, args }: ServerCommand): string {
  const words = [command, ...args].map((word) =>
    shellQuoted(word.replaceAll('\\', '/')).replaceAll('%', '%%'),
  );
  return `${words.join(' ')} ${DRIVER_ARGUMENTS}`;
}

function shellQuoted(word: string): string {
  return /^[A-Za-z0-9_./:@+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The repository's configuration with the section of the driver. */
export function putDriver(text: string, driver: string): string {
  const eol = lineEndingOf(text);
  const lines = [
    `[merge "${DRIVER}"]`,
    '\tname = notes, by facts and properties',
    `\tdriver = ${configValue(driver)}`,
  ];
  const section = findSection(text);
  if (section !== undefined) {
    const ending = /[\r\n]$/.test(text.slice(section.start, section.end)) ? eol : '';
    return `${text.slice(0, section.start)}${lines.join(eol)}${ending}${text.slice(section.end)}`;
  }
  return appendLines(text, lines.join(eol), false);
}

export function removeDriver(text: string): string {
  const section = findSection(text);
  if (section === undefined) return text;
  const end = text.slice(0, section.end).replace(/[\r\n]+$/, '').length;
  return removeLines(text, section.start, Math.max(end, section.start), false) ?? '';
}

/** The driver that is set; undefined where none is. */
export function readDriver(text: string): string | undefined {
  const section = findSection(text);
  if (section === undefined) return undefined;
  return /^[ \t]*driver[ \t]*=[ \t]*(.*?)[ \t]*$/m.exec(text.slice(section.start, section.end))?.[1];
}

function configValue(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** From its header to the next one. */
function findSection(text: string): { readonly start: number; readonly end: number } | undefined {
  const start = text.search(new RegExp(`^[ \\t]*\\[merge[ \\t]+"${DRIVER}"\\]`, 'm'));
  if (start < 0) return undefined;
  const body = text.indexOf('\n', start);
  const next = body < 0 ? -1 : text.slice(body + 1).search(/^[ \t]*\[/m);
  return { start, end: next < 0 ? text.length : body + 1 + next };
}

/** The configuration file of the repository that the folder lies in; work trees share that of their repository. */
export function repositoryConfig(folder: string): string {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const git = join(at, '.git');
    const stats = statSync(git, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return join(git, 'config');
    if (stats?.isFile()) {
      const target = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))?.[1]?.trim();
      if (target !== undefined) return join(commonFolder(resolve(at, target)), 'config');
    }
    if (dirname(at) === at) break;
  }
  throw new MemoryError('not_found', `"${folder}" does not lie in a git repository`, {
    hint: 'Make one with `git init`, or name a folder of one with --folder.',
    details: { path: folder },
  });
}

function commonFolder(gitFolder: string): string {
  try {
    return resolve(gitFolder, readFileSync(join(gitFolder, 'commondir'), 'utf8').trim());
  } catch {
    return gitFolder;
  }
}
