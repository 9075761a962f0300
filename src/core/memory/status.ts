/** What is indexed, what is not and why, and how old the answer is. */

import type { NoteIndex } from '../ports.js';
import type { Places } from './bring-up-to-date.js';
import { refreshBefore } from './freshness.js';
import type { CallOptions, StatusOutput } from './memory.js';
import { tried, withModel } from './with-model.js';

export async function status(places: Places, options: CallOptions = {}): Promise<StatusOutput> {
  const { vault, index } = places;
  await refreshBefore(places, 'auto', options);
  const [counts, last] = [await index.counts(), await index.lastCheck()];
  return {
    notes: counts.notes,
    ignored: last?.ignored ?? 0,
    skipped: last?.skipped ?? [],
    passages: counts.passages,
    links: counts.links,
    indexBytes: counts.bytes,
    schema: index.schema,
    lastCheck: last ? new Date(last.checkedAtMs).toISOString() : '',
    vault: vault.root,
    ...(await vectorsOf(places, options)),
    ...(await besideIndex(index)),
  };
}

const NO_VECTORS = { model: '', embedded: 0, pending: 0, stale: 0, vectorBytes: 0 };

async function vectorsOf(
  { index, embedder }: Places,
  options: CallOptions,
): Promise<Pick<StatusOutput, keyof typeof NO_VECTORS>> {
  const model = (await withModel(embedder, options, 'searches are by words alone', tried))?.model;
  if (!model) return NO_VECTORS;
  const { bytes, ...counts } = await index.vectorCounts(model);
  return { model: model.id, ...counts, vectorBytes: bytes };
}

/** Who writes to the index now, and what lies beside it that no run needs. */
export async function besideIndex(
  index: NoteIndex,
): Promise<{ readonly lockedBy: string; readonly orphans: readonly string[] }> {
  const holder = await index.lockHolder();
  return {
    lockedBy: holder ? `process ${holder.pid} on ${holder.host}` : '',
    orphans: await index.orphans(),
  };
}
