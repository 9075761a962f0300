/** Adds and removes tags of the properties. Only the list form of `tags` is written; tags in the text are the text's. */

import { MemoryError } from '../errors.js';
import type { ScannedNote } from '../markdown/scanned-note.js';
import { tagKey } from '../note/aliases-and-tags.js';
import { findProperty } from './property-lines.js';
import { setProperty } from './set-property.js';
import type { TextChange } from './text-change.js';

export function addTag(path: string, note: ScannedNote, given: string): readonly TextChange[] {
  const tag = checkTag(given);
  const key = tagKey(tag);
  if (note.tags.some(({ name }) => tagKey(name) === key)) return [];
  if (['tags', 'tag'].some((name) => tagsIn(note, name).some((other) => tagKey(other) === key))) return [];
  return setProperty(path, note, 'tags', { values: [...tagsIn(note, 'tags'), tag], isList: true });
}

export function removeTag(path: string, note: ScannedNote, given: string): readonly TextChange[] {
  const key = tagKey(checkTag(given));
  for (const name of ['tags', 'tag']) {
    const tags = tagsIn(note, name);
    const left = tags.filter((tag) => tagKey(tag) !== key);
    if (left.length === tags.length) continue;
    const isList = name === 'tags' || findProperty(note, name)!.entry.isList;
    return setProperty(path, note, name, {
      values: isList ? left : left.length === 0 ? [] : [left.join(' ')],
      isList,
    });
  }
  const inText = note.tags.find(({ name }) => tagKey(name) === key);
  if (inText === undefined) return [];
  throw new MemoryError(
    'invalid_input',
    `The tag "#${inText.name}" of "${path}" stands in its text (line ${inText.line})`,
    {
      hint: 'Only tags of the properties are removed; take it out with --replace.',
    },
  );
}

function tagsIn(note: ScannedNote, name: string): readonly string[] {
  const entry = findProperty(note, name)?.entry;
  if (entry === undefined) return [];
  return entry.isList ? entry.values : entry.values.flatMap((value) => value.split(/[,\s]+/)).filter(Boolean);
}

function checkTag(given: string): string {
  const tag = given.trim().replace(/^#+|\/+$/g, '');
  if (tag !== '' && !/[\s,#[\]{}"'`|^:]/.test(tag) && !/^\d+$/.test(tag)) return tag;
  throw new MemoryError('invalid_input', `${JSON.stringify(given)} cannot be a tag`, {
    hint: 'A tag is one word of letters, digits, _ - and /, not of digits alone.',
  });
}
