/** The compiled loops of the static embedder (kernel/embedding.ts): their exports with types. Used by static-table.ts. */

import { kernelCode } from './kernel-code.js';

type Address = number;
type Global = { readonly value: number };

export type EmbeddingKernel = {
  readonly memory: { readonly buffer: ArrayBuffer };
  openModel(words: number, dimensions: number, vocabularyBytes: number): number;
  checkWords(letterBytes: number): number;
  indexWords(): void;
  makeRoom(bytes: number): number;
  startCounting(textBytes: number): number;
  readWords(textBytes: number, isCounting: number): void;
  addUp(): void;
  writeBytes(): void;
  writeDirection(): void;
  /** Addresses. */
  readonly vocabulary: Global;
  readonly vectors: Global;
  readonly found: Global;
  readonly direction: Global;
  readonly bytes: Global;
  readonly text: Global;
  readonly foundCount: Global;
  readonly seenCount: Global;
  readonly knownCount: Global;
};

export type { Address };

let compiled: object | undefined;

/** A kernel with a memory of its own. */
export function startEmbeddingKernel(): EmbeddingKernel {
  compiled ??= new WebAssembly.Module(kernelCode());
  const instance = new WebAssembly.Instance(compiled, {});
  return instance.exports as EmbeddingKernel;
}
