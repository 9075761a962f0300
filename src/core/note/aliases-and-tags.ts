/** A note's aliases and tags, from its properties and, for tags, its text. */

import { endBefore } from '../markdown/characters.js';
import type { PropertyEntry, ScannedNote } from '../markdown/scanned-note.js';
import { lookupKey } from './lookup-key.js';

const TEMPLATE_CODE = /\{\{|<%/;

/** `aliases` or `alias`: a list, or text with commas between. Each once, as written. */
export function readAliases(note: ScannedNote): readonly string[] {
  return distinct(entriesOf(note, 'aliases', 'alias').flatMap((entry) => partsOf(entry, /,/)));
}

/** Tags of the properties, then of the text, without `#`, each once as first written. */
export function readTags(note: ScannedNote): readonly string[] {
  const given = entriesOf(note, 'tags', 'tag').flatMap((entry) => partsOf(entry, /[,\s]+/));
  return distinct([...given, ...note.tags.map(({ name }) => name)].map(bareTag));
}

/** Tags compare in NFC and without regard to case. */
export function tagKey(tag: string): string {
  return lookupKey(bareTag(tag));
}

/** The tag and those it lies under: `a/b/c` answers to `a/b` and `a` too. */
export function tagAndParents(tag: string): readonly string[] {
  const all: string[] = [];
  for (let end = tag.length; end > 0; end = tag.lastIndexOf('/', end - 1)) all.push(tag.slice(0, end));
  return all;
}

function bareTag(written: string): string {
  const text = written.trim();
  let start = 0;
  while (text[start] === '#') start++;
  return text.slice(start, Math.max(start, endBefore(text, '/')));
}

function entriesOf(note: ScannedNote, ...keys: string[]): readonly PropertyEntry[] {
  return note.properties?.entries.filter(({ key }) => keys.includes(key.toLowerCase())) ?? [];
}

function partsOf(entry: PropertyEntry, separator: RegExp): readonly string[] {
  const values = entry.isList ? entry.values : entry.values.flatMap((value) => value.split(separator));
  return values.filter((value) => !TEMPLATE_CODE.test(value));
}

function distinct(written: readonly string[]): readonly string[] {
  const seen = new Map<string, string>();
  for (const value of written) {
    const text = value.trim();
    const key = lookupKey(text);
    if (text !== '' && !seen.has(key)) seen.set(key, text);
  }
  return [...seen.values()];
}
