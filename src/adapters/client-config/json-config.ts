/**
 * An entry of a JSON configuration, put in and taken out in place: comments, trailing commas, indentation, line endings
 * and everything else in the file keep their bytes. TOML: toml-config.ts.
 */

import {
  createScanner,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { lineEndingOf } from '../../core/edit/line-endings.js';
import { applyChanges, type TextChange } from '../../core/edit/text-change.js';
import { brokenConfig, lineAt } from './broken-config.js';

const COMMA = 5;
const BOM = '\ufeff';

/** What stands under the keys; undefined where nothing does. */
export function readJsonEntry(path: string, text: string, keys: readonly string[]): unknown {
  let node = rootOf(path, withoutBom(text));
  for (const key of keys)
    node = node?.type === 'object' ? valueIn(propertiesOf(node, key).at(-1)) : undefined;
  return node === undefined ? undefined : getNodeValue(node);
}

/** The text with the entry; keys that an earlier one has besides stay. A file that is not there is begun. */
export function putJsonEntry(
  path: string,
  given: string | undefined,
  keys: readonly string[],
  entry: Readonly<Record<string, unknown>>,
): string {
  const text = withoutBom(given ?? '');
  const bom = given?.startsWith(BOM) ? BOM : '';
  const root = rootOf(path, text);
  if (root === undefined) {
    // Nothing, or nothing but blanks and comments.
    const lead = text === '' || /[\r\n]$/.test(text) ? text : `${text}${lineEndingOf(text)}`;
    return `${bom}${lead}${JSON.stringify(nest(keys, entry), null, 2).replaceAll('\n', lineEndingOf(text))}${lineEndingOf(text)}`;
  }
  let node = root;
  for (const [depth, key] of keys.entries()) {
    if (node.type !== 'object') throw notAnObject(path, text, node, keys.slice(0, depth));
    const found = propertiesOf(node, key);
    if (found.length > 1)
      throw brokenConfig(path, lineAt(text, found[1]!.offset), `"${key}" stands there twice`);
    const value = valueIn(found[0]);
    if (value === undefined) {
      const edits = insertProperty(text, node, key, nest(keys.slice(depth + 1), entry));
      return bom + checked(path, text, apply(text, edits), keys, entry);
    }
    node = value;
  }
  const present: unknown = getNodeValue(node);
  const merged = isObject(present) ? { ...present, ...entry } : entry;
  if (JSON.stringify(present) === JSON.stringify(merged)) return given ?? '';
  const printed = printValue(text, merged, indentAt(text, node.offset));
  const edit = { start: node.offset, end: node.offset + node.length, text: printed };
  return bom + checked(path, text, apply(text, [edit]), keys, merged);
}

/** The text without the entry. */
export function removeJsonEntry(path: string, given: string, keys: readonly string[]): string {
  const text = withoutBom(given);
  let parent: Node | undefined;
  let property: Node | undefined;
  let node = rootOf(path, text);
  for (const key of keys) {
    if (node?.type !== 'object') return given;
    const found = propertiesOf(node, key);
    if (found.length > 1)
      throw brokenConfig(path, lineAt(text, found[1]!.offset), `"${key}" stands there twice`);
    parent = node;
    property = found[0];
    node = valueIn(property);
  }
  if (parent === undefined || property === undefined) return given;
  const after = apply(text, removeProperty(text, parent, property));
  return (given.startsWith(BOM) ? BOM : '') + checked(path, text, after, keys, undefined);
}

function withoutBom(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}

function rootOf(path: string, text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error !== undefined) {
    const reason = printParseErrorCode(error.error)
      .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .toLowerCase();
    throw brokenConfig(path, lineAt(text, error.offset), reason);
  }
  if (root !== undefined && root.type !== 'object') throw notAnObject(path, text, root, []);
  return root;
}

function notAnObject(path: string, text: string, node: Node, keys: readonly string[]) {
  const what = keys.length === 0 ? 'the file' : `"${keys.join('.')}"`;
  return brokenConfig(path, lineAt(text, node.offset), `${what} is no object`);
}

function propertiesOf(object: Node, key: string): readonly Node[] {
  return (object.children ?? []).filter((property) => property.children?.[0]?.value === key);
}

function valueIn(property: Node | undefined): Node | undefined {
  return property?.children?.[1];
}

function nest(keys: readonly string[], entry: unknown): unknown {
  return keys.reduceRight((inner, key) => ({ [key]: inner }), entry);
}

/** Behind the last property and what is said about it, before the closing brace. */
function insertProperty(text: string, object: Node, key: string, value: unknown): readonly TextChange[] {
  const close = object.offset + object.length - 1;
  const last = object.children?.at(-1);
  const lastEnd = last === undefined ? undefined : last.offset + last.length;
  const comma = lastEnd === undefined ? undefined : commaAfter(text, lastEnd);
  const commaEdit =
    lastEnd !== undefined && comma === undefined ? [{ start: lastEnd, end: lastEnd, text: ',' }] : [];
  const closing = lastEnd !== undefined && comma !== undefined ? ',' : '';
  const isOneLine = !/[\r\n]/.test(text.slice(object.offset, close));
  const end = text.slice(0, close).trimEnd().length;
  if (lastEnd !== undefined && isOneLine) {
    const property = ` ${JSON.stringify(key)}: ${JSON.stringify(value)}${closing}`;
    return [...commaEdit, { start: end, end, text: property }];
  }
  const eol = lineEndingOf(text);
  const own = indentAt(text, object.offset);
  const indent = childIndent(text, object, own);
  const property = `${eol}${indent}${JSON.stringify(key)}: ${printValue(text, value, indent)}${closing}`;
  const tail = /[\r\n]/.test(text.slice(end, close)) ? '' : `${eol}${own}`;
  return [...commaEdit, { start: end, end, text: property + tail }];
}

function removeProperty(text: string, object: Node, property: Node): readonly TextChange[] {
  const siblings = object.children ?? [];
  const close = object.offset + object.length - 1;
  const at = siblings.indexOf(property);
  let end = property.offset + property.length;
  const comma = commaAfter(text, end);
  const before = siblings[at - 1];
  const edits: TextChange[] = [];
  if (comma !== undefined) end = comma + 1;
  else if (before !== undefined) {
    const separator = commaAfter(text, before.offset + before.length)!;
    edits.push({ start: separator, end: separator + 1, text: '' });
  }
  const isAlone = siblings.length === 1;
  if (isAlone && `${text.slice(object.offset + 1, property.offset)}${text.slice(end, close)}`.trim() === '') {
    return [{ start: object.offset + 1, end: close, text: '' }];
  }
  const restOfLine = /^[^\r\n]*/.exec(text.slice(end))![0];
  const isOwnLine = restOfLine.trim() === '' || end + restOfLine.length > close;
  // What follows on the line must not come to stand behind a comment of the line before.
  const start = isOwnLine ? text.slice(0, property.offset).trimEnd().length : property.offset;
  return [...edits, { start, end: isOwnLine ? end : end + /^[ \t]*/.exec(restOfLine)![0].length, text: '' }];
}

/** Offset of the comma that follows, past blanks and comments. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  return (scanner.scan() as number) === COMMA ? scanner.getTokenOffset() : undefined;
}

function indentAt(text: string, offset: number): string {
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart))![0];
}

/** As the object's first property has it, else one step more than the object. */
function childIndent(text: string, object: Node, own: string): string {
  const first = object.children?.[0];
  const isOwnLine = first !== undefined && /[\r\n]/.test(text.slice(object.offset, first.offset));
  return isOwnLine ? indentAt(text, first.offset) : own + indentStep(text);
}

/** The indentation of the first line that has one. */
function indentStep(text: string): string {
  const first = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return first.startsWith('\t') ? '\t' : first;
}

function printValue(text: string, value: unknown, indent: string): string {
  if (!/[\r\n]/.test(text.trim()))
    return JSON.stringify(value, null, 2).replace(/\n/g, `${lineEndingOf(text)}${indent}`);
  return JSON.stringify(value, null, indentStep(text)).replace(/\n/g, `${lineEndingOf(text)}${indent}`);
}

/** Edits that begin at one place follow each other in the order given. */
function apply(text: string, edits: readonly TextChange[]): string {
  return applyChanges(
    text,
    [...edits].sort((a, b) => a.start - b.start),
  );
}

/** Read again: the entry is as wanted, and all else as before. */
function checked(
  path: string,
  before: string,
  after: string,
  keys: readonly string[],
  entry: unknown,
): string {
  const wanted = structuredClone(getNodeValue(rootOf(path, before)!)) as Record<string, unknown>;
  let place = wanted;
  for (const key of keys.slice(0, -1)) place = (place[key] ??= {}) as Record<string, unknown>;
  if (entry === undefined) delete place[keys.at(-1)!];
  else place[keys.at(-1)!] = entry;
  const root = rootOf(path, after);
  if (root !== undefined && JSON.stringify(getNodeValue(root)) === JSON.stringify(wanted)) return after;
  throw brokenConfig(path, 1, 'it is written in a way that cannot be changed in place');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
