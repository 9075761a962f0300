/** The path and the text of a new note, from what a caller gave. */

import { MemoryError } from '../errors.js';
import { scan } from '../markdown/scan.js';
import type { ScannedNote } from '../markdown/scanned-note.js';
import { checkNotePath } from '../note/note-path.js';
import { readTitle } from '../note/title.js';
import { addTag } from './edit-tags.js';
import { withLineEnding } from './line-endings.js';
import { type PropertyValue, parseSetting, setProperty } from './set-property.js';
import { applyChanges, type TextChange } from './text-change.js';

/** What links cannot hold, and what file systems forbid. */
const UNFIT = /[#^[\]|\\/:*?"<>\u0000-\u001f\u007f]|%%/;

/** A checked path for a note to be made, with `.md`. Throws `invalid_input`. */
export function newNotePath(given: string): string {
  const path = checkNotePath(/\.md$/i.test(given) ? given : `${given}.md`, 'make');
  for (const part of path.split('/')) {
    const unfit = UNFIT.exec(part)?.[0];
    if (unfit !== undefined) {
      throw refused(given, `holds "${unfit}", which links or file systems cannot hold`);
    }
    if (part.startsWith('.') || part === 'node_modules')
      throw refused(given, `would not be read: "${part}" is never looked at`);
    if (/[. ]$|^ | \.md$/i.test(part))
      throw refused(given, `holds "${part}" with a space or a dot at its edge`);
  }
  return path;
}

function refused(given: string, why: string): MemoryError {
  return new MemoryError('invalid_input', `The path ${JSON.stringify(given)} ${why}`, {
    hint: 'Choose another name.',
  });
}

/** A title as a file name: what cannot stand in one becomes `-`. */
export function fileNameFor(title: string): string {
  const name = title
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(new RegExp(`( ?)(?:${UNFIT.source})+( ?)`, 'g'), (_, before: string, behind: string) =>
      before + behind === '' ? '-' : ' - ',
    )
    .replace(/^[\s.-]+|[\s.-]+$/g, '');
  if (name !== '') return `${name}.md`;
  throw new MemoryError('invalid_input', `No file can be named after the title ${JSON.stringify(title)}`, {
    hint: 'Give a title with letters or digits, or a path that ends in .md.',
  });
}

export type NewNote = {
  readonly path: string;
  readonly title: string;
  readonly content: string;
  /** The text of a template, its placeholders filled. */
  readonly template: string | undefined;
  readonly type: string | undefined;
  readonly isHandoff: boolean;
  readonly tags: readonly string[];
  readonly set: readonly string[];
};

export function newNoteText(given: NewNote): string {
  const content = withLineEnding(given.content, '\n').replace(/^\n+/, '').trimEnd();
  const begun = given.template === undefined ? '' : withLineEnding(given.template, '\n').trimEnd();
  const parts = [begun, content].filter((part) => part !== '');
  let note = scan(parts.length === 0 ? '' : `${parts.join('\n\n')}\n`);
  if (!note.headings.some(({ level, nested }) => level === 1 && !nested)) note = withTitle(note, given.title);
  const change = (changes: readonly TextChange[]) => {
    if (changes.length > 0) note = scan(applyChanges(note.text, changes));
  };
  const set = (key: string, value: PropertyValue) => change(setProperty(given.path, note, key, value));
  if (readTitle(note, given.path).title !== given.title) set('title', single(given.title));
  const type = given.type ?? (given.isHandoff ? 'handoff' : undefined);
  if (type !== undefined) set('type', single(type));
  if (given.isHandoff) set('status', single('open'));
  for (const tag of given.tags) change(addTag(given.path, note, tag));
  for (const setting of given.set) {
    const { key, value } = parseSetting(setting);
    set(key, value);
  }
  return note.text;
}

function single(value: string): PropertyValue {
  return { values: [value], isList: false };
}

/** A title that a heading shows otherwise, such as `*a*`, gets a property of its own afterwards. */
function withTitle(note: ScannedNote, title: string): ScannedNote {
  const rest = note.text.slice(note.bodyStart).replace(/^\n+/, '');
  return scan(`${note.text.slice(0, note.bodyStart)}# ${title}\n${rest === '' ? '' : `\n${rest}`}`);
}

/** `{{title}}`, `{{date}}`, `{{time:HH:mm}}` … as Obsidian's own templates have them; other code stays. */
export function fillTemplate(template: string, title: string, nowMs: number): string {
  const now = new Date(nowMs);
  return template.replace(
    /\{\{\s*(title|date|time)\s*(?::([^}]+))?\}\}/gi,
    (_, name: string, format?: string) => {
      if (name.toLowerCase() === 'title') return title;
      return formatDate(now, format?.trim() ?? (name.toLowerCase() === 'date' ? 'YYYY-MM-DD' : 'HH:mm'));
    },
  );
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

export function formatDate(date: Date, format: string): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const values: Readonly<Record<string, () => string>> = {
    YYYY: () => String(date.getFullYear()).padStart(4, '0'),
    YY: () => two(date.getFullYear() % 100),
    MMMM: () => MONTHS[date.getMonth()]!,
    MMM: () => MONTHS[date.getMonth()]!.slice(0, 3),
    MM: () => two(date.getMonth() + 1),
    M: () => String(date.getMonth() + 1),
    DD: () => two(date.getDate()),
    D: () => String(date.getDate()),
    dddd: () => DAYS[date.getDay()]!,
    ddd: () => DAYS[date.getDay()]!.slice(0, 3),
    HH: () => two(date.getHours()),
    H: () => String(date.getHours()),
    mm: () => two(date.getMinutes()),
    m: () => String(date.getMinutes()),
    ss: () => two(date.getSeconds()),
    s: () => String(date.getSeconds()),
  };
  return format.replace(
    /\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|mm|m|ss|s/g,
    (token, literal) => (literal === undefined ? values[token]!() : literal),
  );
}
