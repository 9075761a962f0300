/** Fits hits into a budget of tokens. */

import { estimateTokens } from '../text/estimate-tokens.js';

type Packable = { readonly path: string; readonly title: string; readonly snippet: string };

/** Line number, score, date and the signs between them, in text or JSON. */
const TOKENS_AROUND_HIT = 8;

/**
 * Hits in order while they fit. One too long for what is left comes without its snippet if that fits, so that the
 * order stays that of the ranking and its name is known; the first always comes.
 */
export function packHits<T extends Packable>(hits: readonly T[], maxTokens: number): T[] {
  const packed: T[] = [];
  let left = maxTokens;
  for (const hit of hits) {
    const short = TOKENS_AROUND_HIT + estimateTokens(`${hit.path} ${hit.title}`);
    const full = short + estimateTokens(hit.snippet);
    if (full <= left) packed.push(hit);
    else if (short <= left || packed.length === 0) packed.push({ ...hit, snippet: '' });
    else break;
    left -= full <= left ? full : short;
  }
  return packed;
}
