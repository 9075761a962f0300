/** Bytes of a file as text, with what is wrong with them. */

export type DecodedNote = {
  /** With the BOM, if there is one, as its first character. */
  readonly text: string;
  /** Holds bytes that are not UTF-8 (replaced by U+FFFD in the text) or NUL characters: never to be written to. */
  readonly damage: 'none' | 'invalid-utf8' | 'nul';
};

const lenient = new TextDecoder('utf-8', { ignoreBOM: true });
const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

export function decodeNote(bytes: Uint8Array): DecodedNote {
  const text = lenient.decode(bytes);
  if (text.includes('\uFFFD') && !isValid(bytes)) return { text, damage: 'invalid-utf8' };
  return { text, damage: text.includes('\0') ? 'nul' : 'none' };
}

/** A note may hold U+FFFD itself. */
function isValid(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
