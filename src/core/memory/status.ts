/** What is indexed, what is not and why, and how old the answer is. */

import type { NoteIndex } from '../ports.js';
import { isMeasured, modelOf } from './calibration.js';
import { refreshBefore } from './freshness.js';
import type { StatusOutput } from './index-types.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
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
    ...(await furtherVectorsOf(places, options)),
    ...(await rerankerOf(places, options)),
    ...(await calibrationOf(places, options)),
    ...(await besideIndex(index)),
  };
}

/** Of the table, or of words where there is none: what most searches go by. */
async function calibrationOf(
  { index, embedder }: Places,
  options: CallOptions,
): Promise<Pick<StatusOutput, 'calibrated' | 'calibratedNotes'>> {
  const quiet = { ...options, notice: () => undefined };
  const model = await modelOf(embedder, quiet);
  const calibration = await index.readCalibration(model?.fingerprint ?? '');
  return {
    calibrated: isMeasured(calibration) ? new Date(calibration.atMs).toISOString() : '',
    calibratedNotes: isMeasured(calibration) ? calibration.notes : 0,
  };
}

const NO_VECTORS = { model: '', embedded: 0, pending: 0, stale: 0, vectorBytes: 0 };

async function vectorsOf(
  { index, embedder }: Places,
  options: CallOptions,
): Promise<Pick<StatusOutput, keyof typeof NO_VECTORS>> {
  const model = (await withModel(embedder, options, 'searches are by words alone', tried))?.model;
  if (!model) return NO_VECTORS;
  const { embedded, pending, stale, bytes } = await index.vectorCounts(model);
  return { model: model.id, embedded, pending, stale, vectorBytes: bytes };
}

/** Without opening it: that may take seconds. */
async function furtherVectorsOf(
  { index, further }: Places,
  options: CallOptions,
): Promise<Pick<StatusOutput, 'further'>> {
  const model = await withModel(further, options, 'searches do without it', async (opened) => opened.model);
  return model ? { further: { model: model.id, ...(await index.vectorCounts(model)) } } : {};
}

/** Without loading it. */
async function rerankerOf(
  { reranker }: Places,
  options: CallOptions,
): Promise<Pick<StatusOutput, 'reranker'>> {
  const id = await withModel(reranker, options, 'searches do without it', async ({ model }) => model.id);
  return id === undefined ? {} : { reranker: id };
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
