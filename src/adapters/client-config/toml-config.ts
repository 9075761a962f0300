/** A table `[servers.name]` of a TOML configuration, put in and taken out in place. JSON: json-config.ts. */

import { lineEndingOf } from '../../core/edit/line-endings.js';
import { applyChanges, type TextChange } from '../../core/edit/text-change.js';
import { brokenConfig } from './broken-config.js';
import type { ServerCommand } from './clients.js';
import { type TomlStatement, tomlStatements } from './toml-statements.js';

/** What stands in the table, as far as it is texts and lists of them; undefined where there is no such table. */
export function readTomlEntry(path: string, text: string, keys: readonly string[]): unknown {
  const statements = tomlStatements(path, text);
  const table = tableOf(path, statements, keys);
  if (table === undefined) return undefined;
  const pairs = table.statements.filter(({ kind }) => kind === 'pair');
  return Object.fromEntries(
    pairs.map(({ keys: own, valueStart, valueEnd }) => [
      own.join('.'),
      plainValue(text.slice(valueStart, valueEnd)),
    ]),
  );
}

/** Other keys that the table has stay. A file that is not there is begun. */
export function putTomlEntry(
  path: string,
  given: string | undefined,
  keys: readonly string[],
  { command, args }: ServerCommand,
): string {
  const text = given ?? '';
  const eol = lineEndingOf(text);
  const lines = {
    command: JSON.stringify(command),
    args: `[${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
  };
  const table = tableOf(path, tomlStatements(path, text), keys);
  if (table === undefined) {
    const printed = [
      `[${keys.map(printKey).join('.')}]`,
      `command = ${lines.command}`,
      `args = ${lines.args}`,
    ].join(eol);
    if (text === '') return `${printed}${eol}`;
    return /[\r\n]$/.test(text) ? `${text}${eol}${printed}${eol}` : `${text}${eol}${eol}${printed}`;
  }
  const changes: TextChange[] = [];
  const missing: string[] = [];
  for (const [key, value] of Object.entries(lines)) {
    const pair = table.statements.find((one) => one.kind === 'pair' && one.keys.join('.') === key);
    if (pair === undefined) missing.push(`${key} = ${value}${eol}`);
    else if (!isSame(text.slice(pair.valueStart, pair.valueEnd), value)) {
      changes.push({ start: pair.valueStart, end: pair.valueEnd, text: value });
    }
  }
  if (missing.length > 0) {
    const at = table.header.end;
    const lead = /[\r\n]/.test(text[at - 1]!) ? '' : eol;
    changes.push({ start: at, end: at, text: lead + missing.join('') });
  }
  return applyChanges(
    text,
    changes.sort((a, b) => a.start - b.start),
  );
}

function isSame(written: string, value: string): boolean {
  return JSON.stringify(plainValue(written)) === JSON.stringify(plainValue(value));
}

/** With the tables below it, such as its environment. */
export function removeTomlEntry(path: string, text: string, keys: readonly string[]): string {
  const statements = tomlStatements(path, text);
  if (tableOf(path, statements, keys) === undefined) return text;
  let changed = text;
  for (const [at, statement] of [...statements.entries()].reverse()) {
    if (statement.kind !== 'header' || !startsWith(statement.keys, keys)) continue;
    const own = ownStatements(statements, at);
    let start = statement.start;
    const end = own.at(-1)?.end ?? statement.end;
    if (statements[at - 1]?.kind === 'blank') start = statements[at - 1]!.start;
    // What ended without a newline before the table was put behind it does so again.
    if (end === changed.length && !/[\r\n]$/.test(changed))
      start = changed.slice(0, start).replace(/\r?\n$/, '').length;
    changed = changed.slice(0, start) + changed.slice(end);
  }
  return changed;
}

type Table = { readonly header: TomlStatement; readonly statements: readonly TomlStatement[] };

/** Throws where the table is written in another form, which is not changed. */
function tableOf(
  path: string,
  statements: readonly TomlStatement[],
  keys: readonly string[],
): Table | undefined {
  let prefix: readonly string[] = [];
  let found: Table | undefined;
  for (const [at, statement] of statements.entries()) {
    if (statement.kind === 'header' || statement.kind === 'list') prefix = statement.keys;
    const isOwn = prefix.length === keys.length && startsWith(prefix, keys);
    if (statement.kind === 'header' && isOwn) {
      if (found !== undefined) throw brokenConfig(path, statement.line, 'the table stands there twice');
      found = { header: statement, statements: ownStatements(statements, at) };
    } else if (statement.kind === 'list' && startsWith(prefix, keys) && isOwn) {
      throw brokenConfig(path, statement.line, 'this is a list of tables, not a table');
    } else if (statement.kind === 'pair' && !startsWith(prefix, keys)) {
      const full = [...prefix, ...statement.keys];
      const isWithin = startsWith(full, keys) || (startsWith(keys, full) && full.length > prefix.length);
      if (isWithin)
        throw brokenConfig(path, statement.line, `write it as a table of its own, [${keys.join('.')}]`);
    }
  }
  return found;
}

/** Behind a header, to its last pair. */
function ownStatements(statements: readonly TomlStatement[], at: number): readonly TomlStatement[] {
  const next = statements.findIndex(({ kind }, i) => i > at && (kind === 'header' || kind === 'list'));
  const own = statements.slice(at + 1, next < 0 ? undefined : next);
  return own.slice(0, own.findLastIndex(({ kind }) => kind === 'pair') + 1);
}

function startsWith(keys: readonly string[], start: readonly string[]): boolean {
  return start.every((key, at) => keys[at] === key);
}

function printKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
}

/** Texts and lists of texts; anything else as it is written. */
function plainValue(written: string): unknown {
  const literal = /^'([^'\r\n]*)'$/.exec(written)?.[1];
  if (literal !== undefined) return literal;
  try {
    return JSON.parse(written.replace(/,(\s*\])$/, '$1'));
  } catch {
    const items = [...written.matchAll(/"(?:[^"\\]|\\.)*"|'([^']*)'/g)].map(
      (match) => match[1] ?? parseQuoted(match[0]),
    );
    return written.startsWith('[') ? items : written;
  }
}

function parseQuoted(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted;
  }
}
