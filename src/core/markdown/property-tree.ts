/** Property blocks of unusual shape, read by the `yaml` package with every scalar as text; the rest: property-lines.ts. */

import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { lineOf } from './lines.js';
import { bareLinkEnd } from './property-scalars.js';
import type { PropertyEntry, PropertyProblem } from './scanned-note.js';
import { readPropertyLinks } from './wikilinks.js';

const MAX_ALIASES = 100;
/** Broken YAML costs up to twenty microseconds a character. */
const MAX_LENGTH = 200_000;
const TOO_MUCH = 'the block is too long, too deep or refers to itself too often to be read as YAML';
/** Values beyond one a character can only come from aliases. */
const EXTRA_VALUES = 10_000;
const MAX_DEPTH = 32;
const MAX_BRACKETS = 64;
const MAX_COLUMN = 200;
const MAX_PROBLEMS = 10;

export type PropertyTree = {
  readonly entries: readonly PropertyEntry[];
  readonly problems: readonly PropertyProblem[];
};

type DraftEntry = { key: string; values: string[]; isList: boolean; start: number; end: number };

type Walk = {
  readonly text: string;
  /** What aliases stand for, as of where the walk has come to. */
  readonly anchors: Map<string, Node>;
  readonly entries: DraftEntry[];
  /** Entries of leaves in lists, by key. */
  readonly lists: Map<string, DraftEntry>;
  aliases: number;
  values: number;
};

/** Reads the YAML from `from` to `to`. With problems there are no entries. */
export function readPropertyTree(
  text: string,
  lineStarts: Uint32Array,
  from: number,
  to: number,
): PropertyTree {
  const source = text.slice(from, to);
  const counter = new LineCounter();
  const firstLine = lineOf(lineStarts, from) + 1;
  const document = source.length > MAX_LENGTH || nestsTooDeep(source) ? undefined : parse(source, counter);
  if (document === undefined) return { entries: [], problems: [{ line: firstLine, message: TOO_MUCH }] };
  const problems = document.errors.slice(0, MAX_PROBLEMS).map(({ pos, message }) => ({
    line: firstLine + Math.max(0, counter.linePos(pos[0]).line - 1),
    message: message.split('\n', 1)[0]!,
  }));
  if (problems.length > 0) return { entries: [], problems };
  const root = document.contents;
  if (root === null) return { entries: [], problems };
  if (!isMap(root))
    return { entries: [], problems: [{ line: firstLine, message: 'no `key: value` in the block' }] };
  const walk: Walk = {
    text: source,
    anchors: new Map(),
    entries: [],
    lists: new Map(),
    aliases: 0,
    values: 0,
  };
  if (!readMap(walk, root, '', false, 0))
    return { entries: [], problems: [{ line: firstLine, message: TOO_MUCH }] };
  const entries = walk.entries.map(({ key, values, isList, start, end }) => ({
    key,
    values,
    isList,
    valueStart: start + from,
    valueEnd: end + from,
    line: lineOf(lineStarts, start + from) + 1,
    links: readPropertyLinks(text, start + from, end + from, (at) => lineOf(lineStarts, at) + 1),
  }));
  return { entries, problems };
}

function parse(source: string, lineCounter: LineCounter): Document {
  return parseDocument(source, {
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter,
    logLevel: 'silent',
  });
}

/**
 * The parser recurses, and a regular expression compiled at the end of the stack takes the process down, past any
 * `catch`. Counts open brackets, and the columns that indentation and `- - -` take.
 */
function nestsTooDeep(source: string): boolean {
  let brackets = 0;
  let column = 0;
  let isIndent = true;
  for (let at = 0; at < source.length; at++) {
    const sign = source[at]!;
    if (sign === '\n') {
      column = 0;
      isIndent = true;
    } else if (isIndent && ' \t-?:'.includes(sign)) {
      if (++column > MAX_COLUMN) return true;
    } else {
      isIndent = false;
      if (sign === '[' || sign === '{') {
        if (++brackets > MAX_BRACKETS) return true;
      } else if ((sign === ']' || sign === '}') && brackets > 0) brackets--;
    }
  }
  return false;
}

function readMap(walk: Walk, map: unknown, prefix: string, inList: boolean, depth: number): boolean {
  if (!isMap(map) || depth > MAX_DEPTH) return false;
  for (const { key, value } of map.items) {
    const name = prefix + (isScalar(key) ? String(key.value) : sourceOf(walk, key as Node).text);
    const at = (key as Node | null)?.range?.[1] ?? 0;
    if (!readNode(walk, name, value as Node | null, inList, at, depth)) return false;
  }
  return true;
}

/** Adds what the node holds to the entries of `key`. False: too much of it. */
function readNode(
  walk: Walk,
  key: string,
  written: Node | null,
  inList: boolean,
  keyEnd: number,
  depth: number,
): boolean {
  if (++walk.values > walk.text.length + EXTRA_VALUES) return false;
  let node = written;
  if (isAlias(node)) {
    if (++walk.aliases > MAX_ALIASES) return false;
    node = walk.anchors.get(node.source) ?? null;
  } else if (node !== null && 'anchor' in node && typeof node.anchor === 'string')
    walk.anchors.set(node.anchor, node);
  const { text, start, end } = sourceOf(walk, written);
  if (node === null) {
    add(walk, key, undefined, inList, keyEnd, keyEnd);
    return true;
  }
  if (isScalar(node)) {
    const isEmpty = node.value === null || (node.value === '' && start === end);
    add(
      walk,
      key,
      isEmpty ? undefined : String(node.value),
      inList,
      isEmpty ? keyEnd : start,
      isEmpty ? keyEnd : end,
    );
    return true;
  }
  if (isSeq(node)) {
    if (text.startsWith('[[') && bareLinkEnd(text, 0, text.length) === text.length) {
      add(walk, key, text, inList, start, end);
      return true;
    }
    if (depth > MAX_DEPTH) return false;
    if (node.items.length === 0) add(walk, key, undefined, true, start, end);
    return node.items.every((item) => readNode(walk, key, item as Node | null, true, start, depth + 1));
  }
  if (isMap(node) && node.items.length === 0) add(walk, key, undefined, inList, start, end);
  return readMap(walk, node, `${key}.`, inList, depth + 1);
}

/** Leaves of one path inside a list share an entry; at the top, a key written twice gives two. */
function add(
  walk: Walk,
  key: string,
  value: string | undefined,
  isList: boolean,
  start: number,
  end: number,
): void {
  const values = value === undefined ? [] : [value];
  const shared = isList ? walk.lists.get(key) : undefined;
  if (shared !== undefined) {
    shared.values.push(...values);
    shared.end = Math.max(shared.end, end);
    return;
  }
  const entry = { key, values, isList, start, end };
  walk.entries.push(entry);
  if (isList) walk.lists.set(key, entry);
}

function sourceOf(walk: Walk, node: Node | null): { text: string; start: number; end: number } {
  const start = node?.range?.[0] ?? 0;
  let end = node?.range?.[1] ?? start;
  while (end > start && /\s/.test(walk.text[end - 1]!)) end--;
  return { text: walk.text.slice(start, end), start, end };
}
