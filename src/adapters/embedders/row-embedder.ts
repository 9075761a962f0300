/**
 * An embedder over whatever makes a row of numbers of a text: the encoder of transformers-embedder.ts, the endpoint of
 * http-embedder.ts. Instructions are put before texts here, and rows made into vectors by vector-rows.ts.
 */

import { MemoryError } from '../../core/errors.js';
import type { Embedder, EmbeddingModel, QueryVector } from '../../core/ports.js';
import { refusedText, rowToBytes, rowToDirection } from './vector-rows.js';

/** Less than English needs, since notes hold code, names and other languages. */
const CHARACTERS_A_TOKEN = 3.2;
/** Fences are not cut, and may be as long. */
const LONGEST_PASSAGE = 8000;

export interface RowSource {
  /** Components of a row; the model may keep fewer. */
  readonly width: number;
  /** Throws where it cannot be used now. */
  open(): Promise<void>;
  /** One row a text. Throws `invalid_input`, with the text's place in `details.text` if it knows it. */
  encode(texts: readonly string[], kind: 'query' | 'passages'): Promise<Float32Array>;
  close(): Promise<void>;
}

export type Instructions = { readonly query: string; readonly passage: string };

export class RowEmbedder implements Embedder {
  constructor(
    readonly model: EmbeddingModel,
    private readonly source: RowSource,
    private readonly instructions: Instructions,
  ) {}

  async embedPassages(texts: readonly string[]): Promise<Int8Array> {
    const { dimensions } = this.model;
    if (texts.length === 0) await this.source.open();
    const bytes = new Int8Array(texts.length * dimensions);
    const places = texts.flatMap((text, at) => (hasWords(text) ? [at] : []));
    if (places.length === 0) return bytes;
    const rows = await this.#encode(
      places.map((at) => texts[at]!),
      'passages',
      (place) => places[place]!,
    );
    const { width } = this.source;
    places.forEach((at, place) => {
      const row = rows.subarray(place * width, (place + 1) * width);
      rowToBytes(row, bytes.subarray(at * dimensions, (at + 1) * dimensions), texts[at]!, at);
    });
    return bytes;
  }

  async embedQuery(text: string): Promise<QueryVector> {
    const { dimensions } = this.model;
    if (!hasWords(text)) {
      await this.source.open();
      return { vector: new Float32Array(dimensions), knownShare: 0 };
    }
    const row = await this.#encode([text], 'query', () => 0);
    return { vector: rowToDirection(row, dimensions, text), knownShare: 1 };
  }

  async release(): Promise<void> {
    await this.source.close();
  }

  /** A refusal shows the text as its author wrote it. */
  async #encode(
    texts: readonly string[],
    kind: 'query' | 'passages',
    placeOf: (at: number) => number,
  ): Promise<Float32Array> {
    const instruction = kind === 'query' ? this.instructions.query : this.instructions.passage;
    try {
      return await this.source.encode(
        texts.map((text) => instruction + text),
        kind,
      );
    } catch (error) {
      const details = error instanceof MemoryError ? error.details : undefined;
      const at = texts.length === 1 ? 0 : details?.['text'];
      if (!(error instanceof MemoryError) || error.code !== 'invalid_input' || typeof at !== 'number')
        throw error;
      const why = String(details?.['why'] ?? error.message);
      throw refusedText(texts[at]!, { why, at: placeOf(at), cause: error });
    }
  }
}

function hasWords(text: string): boolean {
  return text.trim() !== '';
}

/** Characters of plain text that fill so many tokens; undefined where no passage is as long. */
export function windowCharsOf(maxTokens: number): number | undefined {
  const chars = Math.floor(maxTokens * CHARACTERS_A_TOKEN);
  return chars >= LONGEST_PASSAGE ? undefined : chars;
}
