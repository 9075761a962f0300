/**
 * The kernel of search, in AssemblyScript: WebAssembly runs at full speed from its first iteration, where JavaScript of
 * a process that has just started is interpreted. What the numbers mean and which notes are kept is decided by
 * src/core/retrieval; `npm run kernel` compiles this into kernel-code.ts there.
 *
 *   memory · collection · ranking (postings) · vectors
 */

export * from './collection';
export { allocate, startQuery } from './memory';
export * from './ranking';
export * from './vectors';
