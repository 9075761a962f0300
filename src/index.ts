/** The library's public face. */

export { type OpenOptions, openMemory } from './app/open-memory.js';
export { ERROR_CODES, type ErrorCode, MemoryError } from './core/errors.js';
export type {
  CallOptions,
  Memory,
  Progress,
  ReindexInput,
  ReindexOutput,
  SearchHit,
  SearchInput,
  SearchOutput,
  ShowInput,
  ShowOutput,
  StatusOutput,
} from './core/memory/memory.js';
