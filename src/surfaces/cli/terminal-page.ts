/** The page for a terminal: colours, links, columns. Loaded only there; the plain one is operations/plain-page.ts. */

import type { Page } from '../../operations/operation.js';

const ESCAPE = '\u001b';
const CYAN = `${ESCAPE}[36m`;
const BOLD = `${ESCAPE}[1m`;
const DIM = `${ESCAPE}[2m`;
const RESET = `${ESCAPE}[0m`;

export type TerminalLook = {
  readonly columns: number;
  readonly elapsedMs: number | undefined;
  readonly colours: boolean;
  readonly links: boolean;
  /** Text whose words are made visible where they are found. */
  readonly wanted: string;
};

/** Wider lines than this are hard to read, and the date would stand far off. */
const WIDEST = 100;

export function terminalPage(look: TerminalLook): Page {
  const dress = (style: string, text: string): string => (look.colours ? `${style}${text}${RESET}` : text);
  const words = wordsOf(look.wanted);
  const wanted = words.map(stemOf);
  const parts = words.filter((word) => UNSPACED.test(word));
  const emphasise = (word: string): string => {
    if (wanted.includes(stemOf(fold(word)))) return dress(BOLD, word);
    const part = parts.find((candidate) => word.includes(candidate));
    return part === undefined ? word : word.replaceAll(part, dress(BOLD, part));
  };
  return {
    columns: Math.min(look.columns, WIDEST),
    elapsedMs: look.elapsedMs,
    path: (text, uri) => {
      const coloured = dress(CYAN, text);
      return look.links && uri !== undefined ? hyperlink(uri, coloured) : coloured;
    },
    found: (text) => (wanted.length === 0 || !look.colours ? text : text.replace(WORD, emphasise)),
    faint: (text) => dress(DIM, text),
  };
}

/** OSC 8. A terminal that does not know it shows the text alone. */
function hyperlink(uri: string, text: string): string {
  const target = uri.replace(/[^!-~]/gu, encodeURIComponent);
  return `${ESCAPE}]8;;${target}${ESCAPE}\\${text}${ESCAPE}]8;;${ESCAPE}\\`;
}

/** Scripts that put no spaces between words, so that a run of letters holds many. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

const WORD = /[\p{L}\p{N}\p{M}_]+/gu;

function wordsOf(text: string): string[] {
  return fold(text).match(WORD) ?? [];
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Near enough to the stemmer of the index for showing; ranking never depends on it. */
function stemOf(word: string): string {
  if (word.length < 4) return word;
  return word.replace(/(ing|edly|ed|ies|es|s|e|y|ly)$/, '');
}
