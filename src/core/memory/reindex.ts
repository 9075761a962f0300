/** Brings the index up to date with the vault, completely. */

import { MemoryError } from '../errors.js';
import { bringUpToDate, type Places } from './bring-up-to-date.js';
import { calibrateWhenGrown } from './calibrate.js';
import { embedFurther } from './embed-further.js';
import type { CallOptions, ReindexInput, ReindexOutput } from './memory.js';

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
  const { model, ...embedding } = await embedFurther(places, { ...options, retryFailed: true });
  await calibrateWhenGrown(places, options);
  return {
    ...counts,
    ignored: record.ignored,
    skipped: record.skipped,
    ...(model === '' ? {} : embedding),
    ms: Math.round(places.clock.nowMs() - startMs),
  };
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
