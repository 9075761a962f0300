/**
 * SHA-256 (FIPS 180-4) for the few bytes of a note that was written or changed, by kernel/sha-256.ts: node:crypto hashes
 * them several times as fast, but takes 6 ms to load, which is more than all else that an edit needs of Node. Much is
 * hashed by that (read-files.ts).
 */

import { kernelCode } from './sha-256-code.js';

type Kernel = {
  readonly memory: { readonly buffer: ArrayBuffer };
  begin(): void;
  take(size: number): void;
  /** Addresses. */
  readonly state: { readonly value: number };
  readonly blocks: { readonly value: number };
};

const BLOCK_BYTES = 64;
const LENGTH_BYTES = 8;
const STATE_BYTES = 32;
/** The kernel has room for so many. */
const BYTES_AT_ONCE = 32_768;

let started: Kernel | undefined;

/** 64 lower-case hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  const kernel = (started ??= start());
  const { buffer } = kernel.memory;
  const blocks = new Uint8Array(buffer, kernel.blocks.value, BYTES_AT_ONCE);
  const take = (some: Uint8Array) => {
    blocks.set(some);
    kernel.take(some.length);
  };
  kernel.begin();
  const whole = bytes.length - (bytes.length % BLOCK_BYTES);
  for (let at = 0; at < whole; at += BYTES_AT_ONCE) {
    take(bytes.subarray(at, Math.min(whole, at + BYTES_AT_ONCE)));
  }
  take(lastBlocks(bytes, whole));
  const state = new DataView(buffer, kernel.state.value, STATE_BYTES);
  let digits = '';
  for (let at = 0; at < STATE_BYTES; at += 4) {
    digits += state.getUint32(at, true).toString(16).padStart(8, '0');
  }
  return digits;
}

function start(): Kernel {
  return new WebAssembly.Instance(new WebAssembly.Module(kernelCode()), {}).exports as Kernel;
}

/** What is left behind the whole blocks, a set bit, zeros, and the length in bits. */
function lastBlocks(bytes: Uint8Array, from: number): Uint8Array {
  const left = bytes.length - from;
  const blocks = left + 1 + LENGTH_BYTES > BLOCK_BYTES ? 2 : 1;
  const padded = new Uint8Array(blocks * BLOCK_BYTES);
  padded.set(bytes.subarray(from));
  padded[left] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - LENGTH_BYTES, 8n * BigInt(bytes.length));
  return padded;
}
