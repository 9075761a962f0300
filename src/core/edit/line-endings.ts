/** Line endings of a note, and a caller's text brought to them. */

/** The note's first line ending; `\n` where it has none. */
export function lineEndingOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

export function withLineEnding(text: string, ending: string): string {
  return text.replace(/\r\n|\n|\r/g, ending);
}

/** A caller's text as whole lines of the note: its endings, none at its end. */
export function asLines(given: string, ending: string): string {
  return withLineEnding(given.replace(/(?:\r\n|\n|\r)$/, ''), ending);
}

/** Whether the text is empty or its last line is ended. */
export function endsLine(text: string): boolean {
  return text === '' || text === '\ufeff' || /[\r\n]$/.test(text);
}
