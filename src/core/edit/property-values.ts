/** Property values as YAML: plain where the reader gives back the very text, else in quotes. */

import { readFlowList, readLineValue } from '../markdown/property-scalars.js';

export type Quote = '' | '"' | "'";

/** A caller's `[a, b]` is a list, and so are several wikilinks with commas; everything else is one text. */
export function parseGivenValue(given: string): {
  readonly values: readonly string[];
  readonly isList: boolean;
} {
  const text = given.trim();
  if (text.startsWith('[') && text.endsWith(']') && !/^\[\[[^[\]]*\]\]$/.test(text)) {
    const links = readLineValue(text, 0, text.length);
    if (links?.isList && links.end === text.length) return { values: links.values, isList: true };
    const list = readFlowList(text, 0, text.length);
    if (list !== undefined && list.end === text.length) return { values: list.values, isList: true };
  }
  return { values: given === '' ? [] : [given], isList: false };
}

/** One scalar on a line of its own. `quote`: the signs around the value it takes the place of. */
export function printScalar(value: string, quote: Quote): string {
  if (quote === "'" && !/[\r\n\t\\]/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  if (quote === '' && isPlain(value)) return value;
  return doubleQuoted(value);
}

/** One item of `[a, b]`. */
export function printFlowItem(value: string, quote: Quote): string {
  if (quote === "'" && !/[\r\n\t\\]/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  if (quote === '' && isPlain(value) && !/[,[\]{}]/.test(value) && !value.endsWith(':')) return value;
  return doubleQuoted(value);
}

export function printFlowList(values: readonly string[], quote: Quote): string {
  return `[${values.map((value) => printFlowItem(value, quote)).join(', ')}]`;
}

export function printKey(key: string): string {
  const read = readLineValue(key, 0, key.length);
  const isKey = read?.values[0] === key && !read.isList && read.problem === undefined && !/^["']/.test(key);
  return isKey && !/:(\s|$)/.test(key) ? key : doubleQuoted(key);
}

export function quoteOf(raw: string): Quote {
  return raw.length > 1 && (raw[0] === '"' || raw[0] === "'") && raw.endsWith(raw[0]) ? raw[0] : '';
}

/** The reader, which keeps scalars as text, is the judge of what needs no quotes; a link needs them for Obsidian. */
function isPlain(value: string): boolean {
  if (value === '' || value !== value.trim() || /[\r\n\t\u0000-\u001f\u0085\u2028\u2029\ufeff]/.test(value))
    return false;
  if (/^["'[{]/.test(value) || /:$|^(---|\.\.\.)/.test(value)) return false;
  const read = readLineValue(value, 0, value.length);
  return read !== undefined && !read.isList && read.problem === undefined && read.values[0] === value;
}

function doubleQuoted(value: string): string {
  const escaped = value
    .replace(/\\/g, '\\\\')
    .replace(/"/g, '\\"')
    .replace(/\n/g, '\\n')
    .replace(/\t/g, '\\t')
    .replace(/\r/g, '\\r')
    .replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029\ufeff]/g, (sign) => {
      return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
  return `"${escaped}"`;
}
