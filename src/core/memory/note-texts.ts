/** Reads notes for showing pieces of them: each file once a call. */

import { decodeNote } from '../note/decode-note.js';
import type { Vault } from '../ports.js';

/** Texts of notes by path; `load` comes before `get`. */
export type TextSource = Pick<NoteTexts, 'load' | 'get'>;

export class NoteTexts {
  private readonly texts = new Map<string, string | undefined>();

  constructor(private readonly vault: Vault) {}

  async load(paths: readonly string[]): Promise<void> {
    const missing = [...new Set(paths)].filter((path) => !this.texts.has(path));
    for (const file of await this.vault.peek(missing)) {
      this.texts.set(file.path, 'reason' in file ? undefined : decodeNote(file.bytes).text);
    }
  }

  /** The text, or undefined when the file cannot be read. Only after `load`. */
  get(path: string): string | undefined {
    return this.texts.get(path);
  }
}

const MAX_CONTEXT = 160;

/** The line around a place, cut to a window where it is long. */
export function lineAround(text: string, start: number, end: number): string {
  const lineStart = text.lastIndexOf('\n', Math.max(0, start - 1)) + 1;
  const newline = text.indexOf('\n', start);
  const lineEnd = newline < 0 ? text.length : newline;
  if (lineEnd - lineStart <= MAX_CONTEXT) return text.slice(lineStart, lineEnd).trim();
  const margin = Math.max(20, Math.floor((MAX_CONTEXT - (end - start)) / 2));
  const from = Math.max(lineStart, start - margin);
  const to = Math.min(lineEnd, Math.min(end, start + MAX_CONTEXT) + margin);
  const before = from > lineStart ? '…' : '';
  const after = to < lineEnd ? '…' : '';
  return `${before}${text.slice(from, to).trim()}${after}`;
}
