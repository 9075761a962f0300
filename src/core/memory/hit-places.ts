/** Where in its note a hit is shown: snippet, line and headings, read from the note as it is now. */

import { decodeNote } from '../note/decode-note.js';
import { headingsAt } from '../note/heading-at.js';
import { isSameStamp } from '../note/same-stamp.js';
import type { NoteCard } from '../note/stored-note.js';
import type { SeenFile } from '../ports.js';
import type { StoredPassage } from '../retrieval/evidence.js';
import { focus } from '../retrieval/focus.js';
import type { ScoredWord } from '../retrieval/gather.js';
import type { RankedNote } from '../retrieval/rank.js';
import { snippet, snippetTerms } from '../retrieval/snippet.js';
import type { Places } from './places.js';

/** About two lines at a terminal and forty tokens for a model. */
const SNIPPET_CHARS = 160;

export type HitPlace = {
  readonly line: number;
  readonly headings: readonly string[];
  readonly snippet: string;
};

/** A passage's text and where it stands in the note at hand. */
type PassageText = {
  readonly text: string;
  readonly line: number;
  readonly headings: readonly string[];
  readonly level: number;
};

export class HitPlaces {
  private readonly files = new Map<string, SeenFile>();
  private readonly passages = new Map<number, StoredPassage>();
  private readonly terms: ReadonlyMap<string, number>;

  constructor(
    private readonly places: Pick<Places, 'vault' | 'index'>,
    words: readonly ScoredWord[],
  ) {
    this.terms = snippetTerms(words);
  }

  async load(ranked: readonly RankedNote[], notes: ReadonlyMap<number, NoteCard>): Promise<void> {
    const paths = [...notes.values()].map((note) => note.path);
    for (const file of await this.places.vault.peek(paths)) {
      if (!('reason' in file)) this.files.set(file.path, file);
    }
    const numbers = ranked.flatMap(({ passages }) => passages[0]?.number ?? []);
    for (const passage of await this.places.index.passages(numbers, [])) {
      this.passages.set(passage.number, passage);
    }
  }

  async placeOf(ranked: RankedNote, note: NoteCard): Promise<HitPlace> {
    const passage = this.passages.get(ranked.passages[0]?.number ?? -1);
    const file = this.files.get(note.path);
    if (!passage || !file) {
      return { line: passage?.line ?? 1, headings: passage?.headings ?? [], snippet: '' };
    }
    const found = isSameStamp(file.stamp, note.stamp)
      ? indexedText(file, passage)
      : await currentText(file, passage);
    const { start, end } = focus(found.text, [...this.terms.keys()]);
    const shown = snippet(found.text.slice(start, end), this.terms, { maxChars: SNIPPET_CHARS });
    const offset = start + shown.offset;
    return {
      line: found.line + countNewlines(found.text, offset),
      headings: headingsAt(found, found.text, offset),
      snippet: withCutEnds(shown.text, start > 0, end < found.text.length),
    };
  }
}

/** Says that the passage goes on before and behind the stretch that was looked at. */
function withCutEnds(text: string, isCutBefore: boolean, isCutBehind: boolean): string {
  const before = isCutBefore && text !== '' && !text.startsWith('…') ? '…' : '';
  const behind = isCutBehind && text !== '' && !text.endsWith('…') ? '…' : '';
  return before + text + behind;
}

/** The file is as it was indexed, so the offsets hold. */
function indexedText(file: SeenFile, passage: StoredPassage): PassageText {
  const { text } = decodeNote(file.bytes);
  if (passage.ordinal > 0) return { ...passage, text: text.slice(passage.start, passage.end) };
  return headText(text, passage);
}

/** Only the head has the words: the property block is shown where it has them, else the beginning of the text. */
function headText(text: string, head: Pick<StoredPassage, 'start' | 'end'>): PassageText {
  const block = text.slice(head.start, head.end);
  const body = text.slice(head.end);
  const isBlockShown = body.trim() === '';
  const start = isBlockShown ? head.start : head.end + (body.length - body.trimStart().length);
  return {
    text: isBlockShown ? block : text.slice(start),
    line: 1 + countNewlines(text, start),
    headings: [],
    level: 0,
  };
}

/** The file changed since: the passage is looked for by its key, else the whole note stands in. */
async function currentText(file: SeenFile, passage: StoredPassage): Promise<PassageText> {
  const { text } = decodeNote(file.bytes);
  const { readNote } = await import('../note/read-note.js');
  const note = readNote({ ...file, hash: '' });
  const same = note.passages.find((one) => one.key === passage.key);
  if (same) return { ...same, text: text.slice(same.start, same.end) };
  const body = note.head.end;
  return { text: text.slice(body), line: 1 + countNewlines(text, body), headings: [], level: 0 };
}

function countNewlines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
