/**
 * Markdown as a reader sees it, in one line, each character knowing where it came from: what snippet.ts cuts from.
 * Meant for show: it drops signs by their looks; the structure of notes is read in core/markdown.
 */

export type PlainView = {
  readonly text: string;
  /** For each character of `text` its offset in the source. */
  readonly origins: Int32Array;
};

/** Alternatives by first sign; `$<keep…>` is what stays. */
const NOISE = new RegExp(
  [
    // Lines that are signs only: fences, rules, table borders, block ids alone.
    /(?<=^|\n)[ \t>]*(?:(?:`{3,}|~{3,})[^\n`]*|(?:[-*_=][ \t]*){3,}|\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t:-]*|\^[\w-]+)[ \t]*(?=\r?\n|$)/,
    // Signs at the start of a line: quotes, callouts, headings, list markers, tasks.
    /(?<=^|\n)[ \t]*(?:>[ \t]*)+(?:\[![^\]\n]*\][+-]?[ \t]*)?/,
    /(?<=^|\n|> ?)[ \t]*#{1,6}[ \t]+/,
    /(?<=^|\n|> ?)[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?/,
    // Comments, tags, footnote marks, block ids, closing signs of headings.
    /%%[\s\S]*?%%|<!--[\s\S]*?-->|<\/?[A-Za-z][^<>\n]*>|\[\^[^\]\n]+\]:?|[ \t]+\^[\w-]+(?=[ \t]*(?:\r?\n|$))/,
    // Links and images keep what they show.
    /!?\[\[(?:[^\]|\n]*\\?\|)?(?<keepShown>[^\]|\n]+)\]\]/,
    /!?\[(?<keepText>[^\]\n]*)\]\((?:<[^>\n]*>|[^()\s]*(?:\([^()\s]*\))?)(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?\)/,
    // Signs around words.
    /\\(?<keepEscaped>[!-/:-@[-`{-~])/,
    /\*{1,3}|~~|==|`+|(?<![\p{L}\p{N}])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}])/u,
    /[ \t]*\|[ \t]*/,
    // White space, control and direction signs.
    /[\s\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/,
  ]
    .map((pattern) => pattern.source)
    .join('|'),
  'gu',
);

export function plainView(source: string): PlainView {
  const parts: string[] = [];
  const origins: number[] = [];
  const push = (from: number, to: number) => {
    for (let at = from; at < to; at++) origins.push(at);
    parts.push(source.slice(from, to));
  };
  let done = 0;
  for (const match of source.matchAll(NOISE)) {
    push(done, match.index);
    done = match.index + match[0].length;
    const groups = match.groups ?? {};
    const kept = groups['keepShown'] ?? groups['keepText'] ?? groups['keepEscaped'];
    if (kept !== undefined) {
      const start =
        match.index +
        match[0].lastIndexOf(
          kept,
          groups['keepText'] === undefined ? undefined : match[0].indexOf(']') - kept.length,
        );
      push(start, start + kept.length);
    } else if (/[\s|\u0000-\u001f]/.test(match[0]) || match[0].startsWith('<')) {
      origins.push(match.index);
      parts.push(' ');
    }
  }
  push(done, source.length);
  return collapse(parts.join(''), origins);
}

/** Single spaces, none at the ends. */
function collapse(text: string, origins: readonly number[]): PlainView {
  let out = '';
  const kept: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const isSpace = text.charCodeAt(at) === 32 || text.charCodeAt(at) === 160;
    if (isSpace && (out === '' || out.endsWith(' '))) continue;
    out += isSpace ? ' ' : text[at];
    kept.push(origins[at]!);
  }
  const trimmed = out.trimEnd();
  return { text: trimmed, origins: Int32Array.from(kept.slice(0, trimmed.length)) };
}
