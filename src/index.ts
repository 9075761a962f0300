/** The library's public face. */

export { type OpenOptions, openMemory } from './app/open-memory.js';
export { ERROR_CODES, type ErrorCode, MemoryError } from './core/errors.js';
export type { FollowEvent, FollowOptions } from './core/memory/follow-options.js';
export type {
  DoctorInput,
  DoctorOutput,
  ReindexInput,
  ReindexOutput,
  StatusOutput,
} from './core/memory/index-types.js';
export type { CallOptions, Memory, Progress } from './core/memory/memory.js';
export type {
  LinksInput,
  LinksOutput,
  RecentInput,
  RecentOutput,
  ShowInput,
  ShowOutput,
  TagsInput,
  TagsOutput,
} from './core/memory/reading-types.js';
export type { SearchHit, SearchInput, SearchOutput } from './core/memory/search-types.js';
