/** A text as one word of a command that a hint shows. */

/** Double quotes, which every shell knows, unless the text holds what they do not protect. */
export function shellWord(text: string): string {
  if (/^[\p{L}\p{N}_./:=@%+-]+$/u.test(text) && !text.startsWith('-')) return text;
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `"${text}"`;
}
