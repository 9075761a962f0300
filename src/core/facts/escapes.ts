/**
 * The backslashes of facts: put in on writing, so that a text neither opens a block nor pairs nor ends as something
 * else; taken out on reading. `dropEscapes(escape…(text)) === text` for every text.
 */

import { blockIdStart } from '../markdown/block-ids.js';
import { endBefore, isPunctuation, trimSigns } from '../markdown/characters.js';
import { isBackslashed } from '../markdown/link-parts.js';
import { scan } from '../markdown/scan.js';
import { trailingFields } from './groups.js';

/** Line breaks become spaces, blanks at the ends go: the form in which a text can be one line. */
export function toOneLine(text: string): string {
  return text
    .split(/[\n\r\v\f\u0085\u2028\u2029]+/)
    .map((line) => trimSigns(line, ' \t'))
    .filter((line) => line !== '')
    .join(' ');
}

/** A backslash before a sign stands for the sign. */
export function dropEscapes(text: string): string {
  return text.includes('\\') ? text.replace(/\\([!-/:-@[-`{-~])/g, '$1') : text;
}

/** A fact's text, fit to stand behind a list marker and before fields and an id. `after`: what those fields say. */
export function escapeText(text: string, struck: boolean, after: string): string {
  const marks = new Set<number>();
  markBackslashes(text, marks, struck);
  markPairs(text, marks, after);
  if (struck) for (let at = 0; at < text.length; at++) if (text[at] === '~') marks.add(at);
  markKind(text, marks);
  markEnd(text, marks, after !== '');
  if (!struck && isWhollyStruck(withMarks(text, marks))) marks.add(0);
  const escaped = withMarks(text, marks);
  return struck ? escaped : escapeStart(escaped);
}

/** A field's value or a relation's context, fit to stand in parentheses and before what says `after`. */
export function escapeValue(value: string, after: string): string {
  const marks = new Set<number>();
  markBackslashes(value, marks, true);
  markPairs(value, marks, after);
  markParentheses(value, marks);
  return withMarks(value, marks);
}

function withMarks(text: string, marks: ReadonlySet<number>): string {
  if (marks.size === 0) return text;
  let out = '';
  for (let at = 0; at < text.length; at++) out += marks.has(at) ? `\\${text[at]}` : text[at];
  return out;
}

/** A backslash that would be taken for an escape, or that would escape what the writer puts behind it. */
function markBackslashes(text: string, marks: Set<number>, atEnd: boolean): void {
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '\\') continue;
    if (at + 1 === text.length ? atEnd : isPunctuation(text.charCodeAt(at + 1))) marks.add(at);
  }
}

/** Signs that open something which nothing in the text closes, so that they cannot pair with what follows. */
function markPairs(text: string, marks: Set<number>, after: string): void {
  if (after.includes('`')) for (const at of openTicks(text)) marks.add(at);
  if (after.includes('~~')) markOdd(text, '~~', marks);
  if (after.includes('$')) markOddDollar(text, marks);
  // These pair with what stands lines below, too.
  markOdd(text, '$$', marks);
  markOdd(text, '%%', marks);
  for (const at of placesOf(text, '<!--')) marks.add(at);
}

/** The last sign where their number is odd. */
function markOdd(text: string, sign: string, marks: Set<number>): void {
  const places = placesOf(text, sign);
  if (places.length % 2 === 0) return;
  const last = places.at(-1)!;
  for (let at = last; at < text.length && text[at] === text[last]; at++) marks.add(at);
}

function markOddDollar(text: string, marks: Set<number>): void {
  const single = placesOf(text, '$').filter((at) => text[at + 1] !== '$' && text[at - 1] !== '$');
  if (single.length % 2 === 1) marks.add(single.at(-1)!);
}

function placesOf(text: string, sign: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + sign.length)) places.push(at);
  return places;
}

/** Every backtick of the runs that no run of equal length closes. */
function openTicks(text: string): number[] {
  const runs = [...text.matchAll(/`+/g)].map((run) => ({ at: run.index, length: run[0].length }));
  const nextOfLength = new Map<number, number>();
  const closers = runs.map(() => -1);
  for (let index = runs.length - 1; index >= 0; index--) {
    closers[index] = nextOfLength.get(runs[index]!.length) ?? -1;
    nextOfLength.set(runs[index]!.length, index);
  }
  const open: number[] = [];
  for (let index = 0; index < runs.length; index++) {
    if (closers[index]! >= 0) index = closers[index]!;
    else for (let tick = 0; tick < runs[index]!.length; tick++) open.push(runs[index]!.at + tick);
  }
  return open;
}

/** `[word] ` at the start would be read as the kind, `[x] ` as a task. */
function markKind(text: string, marks: Set<number>): void {
  if (readKind(text) !== undefined) marks.add(0);
}

const KIND = /^\[(\p{L}[\p{L}\p{N} _-]{0,30})\] /u;

/** A leading `[word]`: its word and where the text behind it begins. */
export function readKind(text: string): { readonly kind: string; readonly end: number } | undefined {
  const match = KIND.exec(text);
  return match ? { kind: match[1]!.trim(), end: match[0].length } : undefined;
}

/** An end that would be read as a field or a block id. Fields behind the text reach over commas to one before them. */
function markEnd(text: string, marks: Set<number>, isBeforeFields: boolean): void {
  const id = blockIdStart(text, 0, text.length);
  if (id >= 0) marks.add(id);
  const end = isBeforeFields ? endBefore(text, ' \t,·') : text.length;
  if (trailingFields(text.slice(0, end)).fields.length > 0) marks.add(end - 1);
}

function markParentheses(text: string, marks: Set<number>): void {
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') open.push(at);
    else if (text[at] === ')' && open.pop() === undefined) marks.add(at);
  }
  for (const at of open) marks.add(at);
}

/** Whether `~~…~~` spans the whole text, no `~~` between. */
export function isWhollyStruck(text: string): boolean {
  if (
    text.length < 5 ||
    !text.startsWith('~~') ||
    !text.endsWith('~~') ||
    isBackslashed(text, 0, text.length - 2)
  )
    return false;
  for (let at = text.indexOf('~~', 2); at >= 0 && at < text.length - 2; at = text.indexOf('~~', at + 1))
    if (!isBackslashed(text, 0, at)) return false;
  return true;
}

/** A backslash before the sign that would open a block instead of a paragraph. */
function escapeStart(text: string): string {
  if (isParagraph(text)) return text;
  const ordinal = /^\d+(?=[.)])/.exec(text);
  const at = ordinal ? ordinal[0].length : 0;
  return `${text.slice(0, at)}\\${text.slice(at)}`;
}

/** What follows decides too: the id that ends the line. */
const PROBE_ID = ' ^f-000000000000';

function isParagraph(text: string): boolean {
  const note = scan(`- ${text}${PROBE_ID}`);
  const item = note.items[0];
  return (
    note.items.length === 1 &&
    note.headings.length === 0 &&
    item !== undefined &&
    item.task === undefined &&
    item.textStart === 2 &&
    item.textEnd === note.text.length
  );
}
