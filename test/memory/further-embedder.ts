/** A further model for tests, without a model: counts what it embeds, and refuses, fails or waits where it is told to. */

import { MemoryError } from '../../src/core/errors.js';
import type { Embedder } from '../../src/core/ports.js';
import { deterministicEmbedder } from '../embedders/deterministic-embedder.js';

export type FurtherSettings = {
  readonly id?: string;
  readonly fingerprint?: string;
  readonly windowChars?: number;
  /** Texts with this in them are refused. */
  readonly poison?: string;
  /** After so many calls it cannot be reached. */
  readonly lostAfter?: number;
  readonly beforeBatch?: (texts: readonly string[]) => Promise<void>;
};

export type FurtherModel = {
  readonly embedder: Embedder;
  /** All texts that were embedded, refused ones left aside. */
  readonly seen: string[];
  /** How many texts each call had, refused ones too. */
  readonly calls: number[];
  readonly queries: string[];
};

export function furtherModel(settings: FurtherSettings = {}): FurtherModel {
  const seen: string[] = [];
  const calls: number[] = [];
  const queries: string[] = [];
  const embedder: Embedder = {
    model: {
      ...deterministicEmbedder.model,
      id: settings.id ?? 'further',
      fingerprint: settings.fingerprint ?? 'further-1',
      rowFormat: 'bytes',
      ...(settings.windowChars === undefined ? {} : { windowChars: settings.windowChars }),
    },
    embedPassages: async (texts) => {
      calls.push(texts.length);
      await settings.beforeBatch?.(texts);
      if (settings.lostAfter !== undefined && calls.length > settings.lostAfter) {
        throw new MemoryError('unavailable', 'The model "further" cannot be reached', { hint: 'Start it.' });
      }
      const { poison } = settings;
      const place = poison === undefined ? -1 : texts.findIndex((text) => text.includes(poison));
      if (place >= 0) {
        throw new MemoryError('invalid_input', `no vector for "${texts[place]!.slice(0, 20)}"`, {
          hint: 'Change it.',
        });
      }
      seen.push(...texts);
      return deterministicEmbedder.embedPassages(texts);
    },
    embedQuery: (text) => {
      queries.push(text);
      return deterministicEmbedder.embedQuery(text);
    },
    release: async () => {},
  };
  return { embedder, seen, calls, queries };
}
