/** Fits hits into a budget of tokens. */

import { estimateTokens } from '../text/estimate-tokens.js';

/** Hits in order while they fit, always at least one. */
export function packHits<T extends { readonly path: string; readonly title: string; readonly snippet: string }>(hits: readonly T[], maxTokens: number): T[] {
  const packed: T[] = [];
  let used = 0;
  for (const hit of hits) {
    used += estimateTokens(`${hit.path} ${hit.title} ${hit.snippet}`) + 8;
    if (packed.length > 0 && used > maxTokens) break;
    packed.push(hit);
  }
  return packed;
}
