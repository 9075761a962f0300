/** Brings the index up to date with the vault, completely. */

import { MemoryError } from '../errors.js';
import { bringUpToDate, type UpdateCounts } from './bring-up-to-date.js';
import { calibrateWhenGrown } from './calibrate-when-grown.js';
import type { ReindexInput, ReindexOutput } from './index-types.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
import { sweepUnused } from './sweep-unused.js';

export async function reindex(
  places: Places,
  input: ReindexInput,
  options: CallOptions = {},
): Promise<ReindexOutput> {
  const startMs = places.clock.nowMs();
  const outcome = await bringUpToDate(places, {
    ...options,
    wait: input.wait ?? true,
    verify: input.verify ?? false,
    countIgnored: true,
  });
  if (outcome.kind !== 'done') throw await busyError(places);
  const { counts, record } = outcome;
  const embedding = await bringModelsUpToDate(places, counts, options);
  return {
    ...counts,
    ignored: record.ignored,
    skipped: record.skipped,
    ...embedding,
    ms: Math.round(places.clock.nowMs() - startMs),
  };
}

/** What has nothing to do is not even loaded: most runs find a vault that has not changed. */
async function bringModelsUpToDate(
  places: Places,
  counts: UpdateCounts,
  options: CallOptions,
): Promise<Partial<Pick<ReindexOutput, 'embedded' | 'pending' | 'failed'>>> {
  if (!places.further) await sweepUnused(places, undefined);
  if (counts.indexed > 0) await calibrateWhenGrown(places, counts, options);
  if (!places.further) return {};
  const { embedFurther } = await import('./embed-further.js');
  const { model, ...embedding } = await embedFurther(places, { ...options, retryFailed: true });
  if (model === '') return {};
  const { calibrateFurtherWhenGrown } = await import('./calibrate-further.js');
  await calibrateFurtherWhenGrown(places, options);
  return embedding;
}

async function busyError({ index, clock }: Places): Promise<MemoryError> {
  const holder = await index.lockHolder();
  const who = holder
    ? `process ${holder.pid} on ${holder.host}, for ${Math.round((clock.nowMs() - holder.sinceMs) / 1000)} s`
    : 'another process';
  return new MemoryError('conflict', `The index is being written by ${who}`, {
    hint: 'Leave out --no-wait to wait for it.',
  });
}
