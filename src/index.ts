/** The library's public face. */

export { type OpenOptions, openMemory } from './app/open-memory.js';
export { ERROR_CODES, type ErrorCode, MemoryError } from './core/errors.js';
export type { FollowEvent, FollowOptions } from './core/memory/follow-options.js';
export type {
  CallOptions,
  DoctorInput,
  DoctorOutput,
  LinksInput,
  LinksOutput,
  Memory,
  Progress,
  RecentInput,
  RecentOutput,
  ReindexInput,
  ReindexOutput,
  SearchHit,
  SearchInput,
  SearchOutput,
  ShowInput,
  ShowOutput,
  StatusOutput,
  TagsInput,
  TagsOutput,
} from './core/memory/memory.js';
