/** Short forms of what the scanner finds, so that format tables stay readable. Each checks its spans on the way. */

import { expect } from 'vitest';
import { scan } from '../../src/core/markdown/scan.js';
import type { Link, ScannedNote } from '../../src/core/markdown/scanned-note.js';

/** Lines of a table's Markdown, joined. */
export function lines(...parts: string[]): string {
  return parts.join('\n');
}

/** `link wiki Target#Heading^block|shown`. */
export function showLink(link: Link): string {
  const place = (link.heading && `#${link.heading}`) + (link.block && `^${link.block}`);
  return `${link.kind} ${link.form} ${link.target}${place}${link.shown && `|${link.shown}`}`;
}

export function linksOf(markdown: string): string[] {
  const note = scan(markdown);
  for (const link of note.links) {
    const written = markdown.slice(link.start, link.end);
    expect(written).toMatch(/^!?\[.*[\])]$/s);
    expect(link.kind === 'embed').toBe(written.startsWith('!'));
    expect(lineAt(note, link.start)).toBe(link.line);
  }
  return note.links.map(showLink);
}

export function tagsOf(markdown: string): string[] {
  const note = scan(markdown);
  for (const { name, start, end, line } of note.tags) {
    expect(markdown.slice(start, end)).toBe(`#${name}`);
    expect(lineAt(note, start)).toBe(line);
  }
  return note.tags.map(({ name }) => name);
}

/** `key=value`. */
export function fieldsOf(markdown: string): string[] {
  const note = scan(markdown);
  for (const { value, valueStart, valueEnd, start, line } of note.fields) {
    expect(markdown.slice(valueStart, valueEnd)).toBe(value);
    expect(lineAt(note, start)).toBe(line);
  }
  return note.fields.map(({ key, value }) => `${key}=${value}`);
}

/** `h2 text`. */
export function headingsOf(markdown: string): string[] {
  return scan(markdown).headings.map(({ level, text }) => `h${level} ${text}`);
}

/** `fence 2-4`, by lines. */
export function regionsOf(markdown: string): string[] {
  return scan(markdown).regions.map(({ kind, line, endLine }) => `${kind} ${line}-${endLine}`);
}

/** `key=value` or `key=[value, value]`; an empty value is `key=`. */
export function propertiesOf(markdown: string): string[] {
  return (scan(markdown).properties?.entries ?? []).map(({ key, values, isList, valueStart, valueEnd }) => {
    expect(valueEnd).toBeGreaterThanOrEqual(valueStart);
    return `${key}=${isList ? `[${values.join(', ')}]` : values.join()}`;
  });
}

/** Lines of the trouble that `doctor` is told. */
export function problemLinesOf(markdown: string): number[] {
  return (scan(markdown).properties?.problems ?? []).map(({ line }) => line);
}

/** `id of lines`. */
export function blockIdsOf(markdown: string): string[] {
  const note = scan(markdown);
  return note.blockIds.map(({ id, of, firstLine, lastLine, start, end, line }) => {
    expect(markdown.slice(start, end)).toBe(`^${id}`);
    expect(lineAt(note, start)).toBe(line);
    return `${id} ${of} ${firstLine}-${lastLine}`;
  });
}

function lineAt(note: ScannedNote, offset: number): number {
  return note.text.slice(0, offset).split(/\r\n|\n|\r/).length;
}
