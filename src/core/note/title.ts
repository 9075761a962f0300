/** What a note is called: its property `title`, else its only level-1 heading, else its file's name. */

import type { PropertyEntry, ScannedNote } from '../markdown/scanned-note.js';
import { stemOf } from './lookup-key.js';

const TEMPLATE_CODE = /\{\{|<%/;

export type NoteTitle = { readonly title: string; readonly source: 'property' | 'heading' | 'name' };

export function readTitle(note: ScannedNote, path: string): NoteTitle {
  const given = propertyTitle(note);
  if (given !== undefined) return { title: given, source: 'property' };
  const heading = headingTitle(note);
  if (heading !== undefined) return { title: heading, source: 'heading' };
  return { title: stemOf(path), source: 'name' };
}

function propertyTitle(note: ScannedNote): string | undefined {
  const entry = findEntry(note, 'title');
  if (entry === undefined || entry.isList || entry.values.length !== 1) return undefined;
  // Without quotes `{{title}}` is no scalar, but a template that nothing has filled in.
  const isTemplate = note.text[entry.valueStart] === '{' || note.text.startsWith('<%', entry.valueStart);
  const title = entry.values[0]!.trim();
  return title === '' || isTemplate ? undefined : title;
}

function headingTitle(note: ScannedNote): string | undefined {
  const outline = note.headings.filter(({ nested }) => !nested);
  const first = outline[0];
  if (first === undefined || first.level !== 1 || first.text === '') return undefined;
  if (outline.some((other) => other !== first && other.level === 1)) return undefined;
  return TEMPLATE_CODE.test(note.text.slice(first.contentStart, first.contentEnd)) ? undefined : first.text;
}

/** The first entry of that key, without regard to case. */
export function findEntry(note: ScannedNote, key: string): PropertyEntry | undefined {
  return note.properties?.entries.find((entry) => entry.key.toLowerCase() === key);
}
