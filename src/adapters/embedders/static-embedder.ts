/**
 * The embedder for static models of our own format (static-files.ts): a table of word vectors. The vector of a text is
 * the sum over its different words of (1 + ln count) times the word's row. Nothing is loaded before the first text.
 */

import type { Embedder, EmbeddingModel, QueryVector } from '../../core/ports.js';
import { readStaticModel, type StaticModel } from './static-files.js';
import { StaticTable } from './static-table.js';

/** Reading single rows costs as much as reading all of them after about so many characters. */
const WHOLE_FROM_CHARACTERS = 60_000;

/** Throws `unavailable` or `corrupt` where there is no model in the folder, or no sound one. */
export async function openStaticEmbedder(folder: string): Promise<Embedder> {
  return new StaticEmbedder(folder, readStaticModel(folder));
}

class StaticEmbedder implements Embedder {
  readonly model: EmbeddingModel;
  readonly #folder: string;
  readonly #files: StaticModel;
  #table: StaticTable | undefined;

  constructor(folder: string, files: StaticModel) {
    this.#folder = folder;
    this.#files = files;
    const { words: _, ...model } = files;
    this.model = model;
  }

  async embedPassages(texts: readonly string[]): Promise<Int8Array> {
    const isMuch = texts.reduce((sum, text) => sum + text.length, 0) >= WHOLE_FROM_CHARACTERS;
    const crypto = isMuch ? await import('node:crypto') : undefined;
    return this.#use((table) => {
      if (crypto !== undefined && !table.isWhole) table.complete(crypto.createHash('sha256'));
      return table.embedPassages(texts);
    });
  }

  async embedQuery(text: string): Promise<QueryVector> {
    return this.#use((table) => table.embedQuery(text));
  }

  async release(): Promise<void> {
    this.#table?.close();
    this.#table = undefined;
  }

  /** After a failure the table is in no known state; the next call begins anew. */
  #use<T>(work: (table: StaticTable) => T): T {
    try {
      this.#table ??= StaticTable.open(this.#folder, this.#files);
      return work(this.#table);
    } catch (error) {
      this.#table?.close();
      this.#table = undefined;
      throw error;
    }
  }
}
