/**
 * Joins the ports to a Memory. Each method is a use case in a file of its own, loaded when it is first called: a search
 * must not pay for what doctor needs.
 */

import { MemoryError } from '../errors.js';
import type { Embedder, Reranker } from '../ports.js';
import type { VaultFollower } from './follow-vault.js';
import type { CallOptions, Memory } from './memory.js';
import type { Places } from './places.js';

export function joinMemory(given: Places): Memory {
  let follower: VaultFollower | undefined;
  let model: Embedder | undefined;
  let further: Embedder | undefined;
  let reranker: Reranker | undefined;
  const places: Places = {
    ...given,
    embedder: async () => {
      model = await given.embedder?.();
      return model;
    },
    ...(given.further
      ? {
          further: async () => {
            further = await given.further?.();
            return further;
          },
        }
      : {}),
    ...(given.reranker
      ? {
          reranker: async () => {
            reranker = await given.reranker?.();
            return reranker;
          },
        }
      : {}),
    catchUp: async () => follower?.catchUp(),
  };
  return {
    search: (input, options) =>
      healing(places, options, async () => (await import('./search.js')).search(places, input, options)),
    reindex: (input, options) =>
      healing(places, options, async () => (await import('./reindex.js')).reindex(places, input, options)),
    show: (input, options) =>
      healing(places, options, async () => (await import('./show.js')).show(places, input, options)),
    status: (options) =>
      healing(places, options, async () => (await import('./status.js')).status(places, options)),
    explain: (input, options) =>
      healing(places, options, async () => (await import('./explain.js')).explain(places, input, options)),
    calibrate: (options) =>
      healing(places, options, async () => (await import('./calibrate.js')).calibrate(places, options)),
    links: (input, options) =>
      healing(places, options, async () => (await import('./links.js')).links(places, input, options)),
    tags: (input, options) =>
      healing(places, options, async () => (await import('./tags.js')).tags(places, input, options)),
    recent: (input, options) =>
      healing(places, options, async () => (await import('./recent.js')).recent(places, input, options)),
    doctor: (input, options) =>
      healing(places, options, async () => (await import('./doctor.js')).doctor(places, input, options)),
    eval: (input, options) =>
      healing(places, options, async () =>
        (await import('./evaluate-vault.js')).evaluateVault(places, input, options),
      ),
    add: (input, options) =>
      healing(places, options, async () => (await import('./add.js')).add(places, input, options)),
    edit: (input, options) =>
      healing(places, options, async () => (await import('./edit.js')).edit(places, input, options)),
    move: (input, options) =>
      healing(places, options, async () => (await import('./move.js')).move(places, input, options)),
    delete: (input, options) =>
      healing(places, options, async () => (await import('./delete.js')).deleteNote(places, input, options)),
    undo: (input, options) =>
      healing(places, options, async () => (await import('./undo.js')).undo(places, input, options)),
    open: (input, options) =>
      healing(places, options, async () => (await import('./open.js')).open(places, input, options)),
    claim: (input, options) =>
      healing(places, options, async () => (await import('./claim.js')).claim(places, input, options)),
    follow: async (options) => {
      const { VaultFollower } = await import('./follow-vault.js');
      const { bringUpToDate } = await import('./bring-up-to-date.js');
      if (follower !== undefined) {
        throw new MemoryError('conflict', `The vault "${places.vault.root}" is followed already`, {
          hint: 'End that first, by its signal.',
        });
      }
      const { FurtherFollower } = await import('./follow-further.js');
      const calls = { notice: (text: string) => options.tell({ kind: 'notice', text }) };
      const beside = new FurtherFollower(places, { ...calls, signal: options.signal });
      follower = new VaultFollower(places, options, async () => {
        const outcome = await healing(places, calls, () =>
          bringUpToDate(places, { ...calls, wait: 'briefly', countIgnored: false }),
        );
        beside.tookIn(outcome);
        if (outcome.kind === 'done' && outcome.counts.indexed > 0) {
          const { calibrateWhenGrown } = await import('./calibrate-when-grown.js');
          await calibrateWhenGrown(places, outcome.counts, { ...calls, signal: options.signal });
        }
        return outcome;
      });
      await follower.run().finally(() => {
        follower = undefined;
      });
      await beside.end();
    },
    release: async () => {
      await model?.release();
      await reranker?.release();
      if (!further) return;
      await further.release();
      const { releaseFurtherKernel } = await import('../retrieval/kernel.js');
      releaseFurtherKernel();
    },
    close: () => places.index.close(),
  };
}

/** What a move that was killed had begun is finished by whoever comes next. */
async function finishFirst(places: Places, options: CallOptions | undefined): Promise<void> {
  const names = await places.vault.names('.memory/journal');
  if (!names.some((name) => name.endsWith('.intent.json'))) return;
  const { finishInterrupted } = await import('./write-note.js');
  await finishInterrupted(places, options ?? {});
}

/** A damaged index is built anew once, and the call made again. */
async function healing<T>(
  places: Places,
  options: CallOptions | undefined,
  call: () => Promise<T>,
): Promise<T> {
  try {
    await finishFirst(places, options);
    return await call();
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'corrupt') throw error;
    options?.notice?.('the index was damaged and has been built anew');
    const { rebuildFromNothing } = await import('./bring-up-to-date.js');
    await rebuildFromNothing(places, options ?? {});
    return await call();
  }
}
