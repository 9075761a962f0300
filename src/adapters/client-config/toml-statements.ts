/** The statements of a TOML file with their places: as much of the language as finding and changing a table needs. */

import { brokenConfig, lineAt } from './broken-config.js';

export type TomlStatement = {
  /** `header` of a table, `list` of an array of tables, `pair` of key and value. */
  readonly kind: 'blank' | 'comment' | 'header' | 'list' | 'pair';
  readonly keys: readonly string[];
  /** From the start of its line to behind its line ending. */
  readonly start: number;
  readonly end: number;
  /** Of a pair: the value, without a comment behind it. */
  readonly valueStart: number;
  readonly valueEnd: number;
  /** Counted from 1. */
  readonly line: number;
};

/** Throws for what no reader of TOML would take. */
export function tomlStatements(path: string, text: string): readonly TomlStatement[] {
  const statements: TomlStatement[] = [];
  for (let start = 0; start < text.length; ) {
    const statement = readStatement(path, text, start);
    statements.push(statement);
    start = statement.end;
  }
  return statements;
}

function readStatement(path: string, text: string, start: number): TomlStatement {
  const first = skipBlanks(text, start === 0 && text.startsWith('\ufeff') ? 1 : start);
  const line = lineAt(text, start);
  const fail = (reason: string) => brokenConfig(path, line, reason);
  const common = { keys: [], start, valueStart: first, valueEnd: first, line };
  if (isLineEnd(text, first)) return { ...common, kind: 'blank', end: behindLine(text, first) };
  if (text[first] === '#') return { ...common, kind: 'comment', end: behindLine(text, first) };
  if (text[first] === '[') {
    const isList = text[first + 1] === '[';
    const { keys, at } = readKeys(text, first + (isList ? 2 : 1), fail);
    const closing = isList ? ']]' : ']';
    if (!text.startsWith(closing, at)) throw fail('the header of the table is not closed');
    const end = skipBlanks(text, at + closing.length);
    if (!isLineEnd(text, end) && text[end] !== '#') throw fail('text stands behind the header of the table');
    return { ...common, kind: isList ? 'list' : 'header', keys, end: behindLine(text, end) };
  }
  const { keys, at } = readKeys(text, first, fail);
  if (text[at] !== '=') throw fail('a key has no value');
  const valueStart = skipBlanks(text, at + 1);
  const valueEnd = readValue(text, valueStart, fail);
  if (valueEnd === valueStart) throw fail('a key has no value');
  return { ...common, kind: 'pair', keys, valueStart, valueEnd, end: behindLine(text, valueEnd) };
}

type Fail = (reason: string) => Error;

/** `a."b c".'d'`, and the offset of what follows. */
function readKeys(
  text: string,
  start: number,
  fail: Fail,
): { readonly keys: readonly string[]; readonly at: number } {
  const keys: string[] = [];
  let at = start;
  for (;;) {
    at = skipBlanks(text, at);
    const rest = text.slice(at, at + 2_000);
    const match = /^(?:([A-Za-z0-9_-]+)|"((?:[^"\\\r\n]|\\.)*)"|'([^'\r\n]*)')/.exec(rest);
    if (match === null) throw fail('this is no key');
    keys.push(match[1] ?? match[3] ?? readQuoted(match[2]!, fail));
    at = skipBlanks(text, at + match[0].length);
    if (text[at] !== '.') return { keys, at };
    at += 1;
  }
}

function readQuoted(raw: string, fail: Fail): string {
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    throw fail('a key holds an escape that is not known');
  }
}

/** Where the value ends: lists and texts may run over several lines. */
function readValue(text: string, start: number, fail: Fail): number {
  let depth = 0;
  let end = start;
  for (let at = start; at < text.length; ) {
    const sign = text[at]!;
    if (sign === '"' || sign === "'") {
      at = end = behindString(text, at, fail);
    } else if (sign === '#') {
      if (depth === 0) return end;
      while (!isLineEnd(text, at)) at += 1;
    } else if (isLineEnd(text, at)) {
      if (depth === 0) return end;
      at += 1;
    } else {
      if (sign === '[' || sign === '{') depth += 1;
      if (sign === ']' || sign === '}') depth -= 1;
      if (depth < 0) throw fail('a bracket is closed that was not opened');
      at += 1;
      if (!/\s/.test(sign)) end = at;
    }
  }
  if (depth > 0) throw fail('a bracket is not closed');
  return end;
}

function behindString(text: string, start: number, fail: Fail): number {
  const sign = text[start]!;
  const long = sign.repeat(3);
  const isLong = text.startsWith(long, start);
  const closing = isLong ? long : sign;
  for (let at = start + closing.length; at < text.length; at += 1) {
    if (sign === '"' && text[at] === '\\') at += 1;
    else if (text.startsWith(closing, at)) {
      let end = at + closing.length;
      // Up to two more quotes may belong to a long text.
      while (isLong && text[end] === sign && end < at + 5) end += 1;
      return end;
    } else if (!isLong && isLineEnd(text, at)) break;
  }
  throw fail('a text in quotes is not closed');
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}

function isLineEnd(text: string, at: number): boolean {
  return at >= text.length || text[at] === '\n' || text[at] === '\r';
}

function behindLine(text: string, start: number): number {
  const newline = text.indexOf('\n', start);
  return newline < 0 ? text.length : newline + 1;
}
