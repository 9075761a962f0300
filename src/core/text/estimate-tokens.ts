/** The one estimate of how many tokens a language model needs for a text. */

/** A quarter of the characters, but one a character for scripts that are written without spaces. */
export function estimateTokens(text: string): number {
  let dense = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x0e00 && isDense(code)) dense++;
  }
  return Math.ceil((text.length - dense) / 4 + dense);
}

/** Han, kana, Hangul and their punctuation, Thai, Lao, Myanmar, Khmer. */
function isDense(code: number): boolean {
  return (
    (code >= 0x2e80 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7af) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xff00 && code <= 0xffef) ||
    (code >= 0x0e00 && code <= 0x0eff) ||
    (code >= 0x1000 && code <= 0x109f) ||
    (code >= 0x1780 && code <= 0x17ff)
  );
}
