/** Takes out of texts what could make a terminal, or a model that reads them, see something else than the text. */

/**
 * Control characters but tab, line feed and a carriage return before one, and the marks that reorder what is shown.
 * Left-to-right and right-to-left marks and the joiners stay: ordinary text of many languages needs them.
 */
const HARMFUL =
  /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]/g;

export function cleanText(text: string): string {
  return text.replace(HARMFUL, '');
}

/** The same value with all its texts cleaned. Keys are names of ours. */
export function cleanDeep<T>(value: T): T {
  if (typeof value === 'string') return cleanText(value) as T;
  if (Array.isArray(value)) return value.map(cleanDeep) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cleanDeep(inner)])) as T;
}

/** JSON that loses nothing and yet shows nothing harmful: such characters are written as `\uXXXX`. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(HARMFUL, (character) =>
    character < ' ' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
