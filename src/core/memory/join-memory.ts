/** Joins the ports to a Memory: each method is a use case in a file of its own. */

import { MemoryError } from '../errors.js';
import { type Places, rebuildFromNothing } from './bring-up-to-date.js';
import { doctor } from './doctor.js';
import { links } from './links.js';
import type { CallOptions, Memory } from './memory.js';
import { recent } from './recent.js';
import { reindex } from './reindex.js';
import { search } from './search.js';
import { show } from './show.js';
import { status } from './status.js';
import { tags } from './tags.js';

export function joinMemory(places: Places): Memory {
  return {
    search: (input, options) => healing(places, options, () => search(places, input, options)),
    reindex: (input, options) => healing(places, options, () => reindex(places, input, options)),
    show: (input, options) => healing(places, options, () => show(places, input, options)),
    status: (options) => healing(places, options, () => status(places, options)),
    links: (input, options) => healing(places, options, () => links(places, input, options)),
    tags: (input, options) => healing(places, options, () => tags(places, input, options)),
    recent: (input, options) => healing(places, options, () => recent(places, input, options)),
    doctor: (input, options) => healing(places, options, () => doctor(places, input, options)),
    close: () => places.index.close(),
  };
}

/** A damaged index is built anew once, and the call made again. */
async function healing<T>(
  places: Places,
  options: CallOptions | undefined,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'corrupt') throw error;
    options?.notice?.('the index was damaged and has been built anew');
    await rebuildFromNothing(places, options ?? {});
    return await call();
  }
}
