/** A memory that follows a vault inside the test's process, and what it tells. */

import { onTestFinished } from 'vitest';
import { openMemory } from '../../src/app/open-memory.js';
import type { FollowEvent } from '../../src/core/memory/follow-options.js';
import type { Memory } from '../../src/core/memory/memory.js';
import type { SearchOutput } from '../../src/core/memory/search-types.js';

export type Followed = {
  readonly memory: Memory;
  /** All that was told so far. */
  readonly events: readonly FollowEvent[];
  /** The first event of the kind that fits, of those that came already too. */
  readonly until: <K extends FollowEvent['kind']>(
    kind: K,
    fits?: (event: Extract<FollowEvent, { kind: K }>) => boolean,
  ) => Promise<Extract<FollowEvent, { kind: K }>>;
  /** Ends when a search that looks at no file finds what it should. */
  readonly untilFound: (query: string, fits: (output: SearchOutput) => boolean) => Promise<void>;
  /** Stops following; the memory stays open until the test ends. */
  readonly stop: () => Promise<void>;
};

/** Where the index lies outside the vault, the vault can go without it. */
export type FollowSettings = { readonly poll?: boolean; readonly indexFolder?: string };

const PATIENCE_MS = 15_000;

/** Follows from now on; the first look is over. */
export async function follow(root: string, settings: FollowSettings = {}): Promise<Followed> {
  const environment = {
    AGENT_MEMORY_MODEL: 'none',
    ...(settings.indexFolder === undefined ? {} : { AGENT_MEMORY_INDEX_DIR: settings.indexFolder }),
  };
  const memory = await openMemory(root, { environment });
  const events: FollowEvent[] = [];
  const waiting = new Set<() => void>();
  const stopping = new AbortController();
  const followed = memory.follow({
    signal: stopping.signal,
    poll: settings.poll,
    tell: (event) => {
      events.push(event);
      for (const look of waiting) look();
    },
  });
  const stop = async () => {
    stopping.abort();
    await followed;
  };
  onTestFinished(async () => {
    await stop();
    await memory.close();
  });
  const until: Followed['until'] = (kind, fits = () => true) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = events.find((event) => event.kind === kind && fits(event as never));
        if (found === undefined) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(found as never);
      };
      const timer = setTimeout(
        () => reject(new Error(`Nothing of the kind "${kind}" was told: ${JSON.stringify(events)}`)),
        PATIENCE_MS,
      );
      waiting.add(look);
      look();
    });
  const untilFound: Followed['untilFound'] = async (query, fits) => {
    const startMs = performance.now();
    for (;;) {
      const output = await memory.search({ query, freshness: 'never' });
      if (fits(output)) return;
      if (performance.now() - startMs > PATIENCE_MS) {
        throw new Error(`"${query}" found ${JSON.stringify(output.hits.map(({ path }) => path))}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await until('looked');
  return { memory, events, until, untilFound, stop };
}

export const isFound = ({ hits }: SearchOutput): boolean => hits.length > 0;
export const isGone = ({ hits }: SearchOutput): boolean => hits.length === 0;
