/**
 * Finds what confidence means in this vault, with its model: queries of known worth (probes.ts) are ranked, and thresholds
 * set where their confidences part. Bounds keep them near those that a dozen public collections agree on
 * (judging-constants.ts): what people ask is not what probes are made of.
 */

import { MemoryError } from '../errors.js';
import type { EmbeddingModel, NoteIndex, Vault } from '../ports.js';
import { type BandThresholds, type Calibration, DEFAULT_THRESHOLDS } from '../retrieval/bands.js';
import type { CollectionShape } from '../retrieval/evidence.js';
import { judge } from '../retrieval/judge.js';
import { percentile } from '../retrieval/metrics.js';
import { planQuery } from '../retrieval/plan.js';
import { DEFAULT_PROFILE } from '../retrieval/profile.js';
import { rankByWords } from '../retrieval/rank.js';
import { seededChoice } from '../text/seeded-choice.js';
import { judgingOf, keepCalibrations, modelOf } from './calibration.js';
import { refreshBefore } from './freshness.js';
import { furtherMeaningOf, meaningOf, NO_VECTORS } from './meaning-of.js';
import type { CallOptions } from './memory.js';
import { NoteTexts } from './note-texts.js';
import type { Places } from './places.js';
import { makeProbes, type Probe } from './probes.js';
import type { CalibrateOutput } from './search-types.js';
import { withModel } from './with-model.js';

/** Two queries are made of each, and some eighty beside them, however large the vault. */
const SAMPLE = 60;
/** Terms of text that a passage needs to be asked about. */
const LEAST_TERMS = 12;
/** The same vault is sampled in the same way. */
const SEED = 20_260_101;
const KINDS = ['own', 'mixed', 'letters', 'foreign'] as const;
/** How far thresholds may be from the usual ones, as shares of them. */
const BOUNDS = { low: [0.75, 1.12], medium: [0.8, 1.4], high: [0.85, 1.4] } as const;

export async function calibrate(places: Places, options: CallOptions = {}): Promise<CalibrateOutput> {
  await refreshBefore(places, 'auto', options);
  const startMs = places.clock.elapsedMs();
  const { calibration, figures } = await probe(places, options);
  const further = await withModel(places.further, options, 'it is not calibrated', async () =>
    probe(places, options, 'further'),
  );
  await keepCalibrations(places, [calibration, further?.calibration], options);
  return {
    notes: (await places.index.shape()).noteCount,
    passages: calibration?.passages ?? 0,
    queries: figures.length,
    ...(calibration?.thresholds ?? DEFAULT_THRESHOLDS),
    probes: calibration ? KINDS.map((kind) => summaryOf(kind, figures)) : [],
    ms: Math.round(places.clock.elapsedMs() - startMs),
  };
}

/** Makes the calibration anew and keeps it. Trouble is told, with `whose` bands stay as they are, and harms nothing. */
export async function renewCalibration(
  places: Places,
  probed: Probed,
  whose: string,
  options: CallOptions,
): Promise<boolean> {
  try {
    const { calibration } = await probe(places, options, probed);
    await keepCalibrations(places, [calibration], options);
    return calibration !== undefined;
  } catch (error) {
    if (options.signal?.aborted || !(error instanceof MemoryError)) throw error;
    options.notice?.(`${whose} were not renewed: ${error.message}`);
    return false;
  }
}

type ProbeFigure = { readonly probe: Probe; readonly confidence: number; readonly cosine: number };

type Probing = { readonly calibration: Calibration | undefined; readonly figures: readonly ProbeFigure[] };

/** Which model's calibration is made. With the further one the table takes part as well. */
type Probed = 'table' | 'further';

async function probe(places: Places, options: CallOptions, probed: Probed = 'table'): Promise<Probing> {
  const { index, vault, clock } = places;
  const shape = await index.shape();
  const texts = await sampleTexts(index, vault, shape);
  const probes = makeProbes(texts, SEED);
  if (probes.length === 0) return { calibration: undefined, figures: [] };
  const model = await modelOf(probed === 'further' ? places.further : places.embedder, options);
  const measured = await measureProbes(places, probes, model, options, probed);
  const made = calibrationFrom(measured, probed);
  if (!made) return { calibration: undefined, figures: measured };
  const fingerprint = model?.fingerprint ?? '';
  const size = { notes: shape.noteCount, passages: texts.length };
  return { calibration: { model: fingerprint, atMs: clock.nowMs(), ...size, ...made }, figures: measured };
}

/** From confidences to thresholds; for a further model its own unrelated cosine first. Undefined where it did not run. */
function calibrationFrom(
  figures: readonly ProbeFigure[],
  probed: Probed,
): Pick<Calibration, 'thresholds' | 'unrelatedCosine'> | undefined {
  if (probed === 'table') {
    return { thresholds: thresholdsFrom(figures), unrelatedCosine: DEFAULT_PROFILE.unrelatedCosine };
  }
  const unrelated = withoutOwnLanguages(figures).filter(
    ({ probe: { kind }, cosine }) => kind !== 'own' && cosine > 0,
  );
  if (unrelated.length === 0) return undefined;
  // An encoder tells one passage from another by little; most of what it finds for such queries must lie below.
  const unrelatedCosine = percentile(
    0.9,
    unrelated.map(({ cosine }) => cosine),
  );
  return { thresholds: DEFAULT_THRESHOLDS, unrelatedCosine: Math.min(0.95, unrelatedCosine) };
}

export function thresholdsFrom(figures: readonly ProbeFigure[]): BandThresholds {
  const counted = withoutOwnLanguages(figures);
  const at = (share: number, ...kinds: readonly Probe['kind'][]) => {
    const values = counted
      .filter(({ probe: { kind } }) => kinds.includes(kind))
      .map(({ confidence }) => confidence);
    return values.length === 0 ? undefined : percentile(share, values);
  };
  return rounded({
    low: bounded('low', at(0.95, 'letters', 'foreign')),
    medium: bounded('medium', at(0.5, 'mixed')),
    high: bounded('high', Math.min(at(0.95, 'mixed') ?? 1, at(0.25, 'own') ?? 1)),
  });
}

/** A language is the vault's own where its sentences hang together with notes as words of a passage do. */
function withoutOwnLanguages(figures: readonly ProbeFigure[]): readonly ProbeFigure[] {
  const best = new Map<string, number>();
  for (const { probe: one, confidence } of figures) {
    if (one.kind !== 'foreign') continue;
    best.set(one.language, Math.max(confidence, best.get(one.language) ?? 0));
  }
  return figures.filter(
    ({ probe: one }) => one.kind !== 'foreign' || best.get(one.language)! < DEFAULT_THRESHOLDS.medium,
  );
}

function bounded(band: keyof BandThresholds, value: number | undefined): number {
  const usual = DEFAULT_THRESHOLDS[band];
  const [least, most] = BOUNDS[band];
  return value === undefined ? usual : Math.min(most * usual, Math.max(least * usual, value));
}

function rounded({ low, medium, high }: BandThresholds): BandThresholds {
  const round = (value: number) => Number(value.toFixed(3));
  return { low: round(low), medium: round(medium), high: round(high) };
}

async function measureProbes(
  places: Pick<Places, 'index' | 'embedder' | 'further' | 'clock'>,
  probes: readonly Probe[],
  model: EmbeddingModel | undefined,
  options: CallOptions,
  probed: Probed,
): Promise<readonly ProbeFigure[]> {
  const { thresholds, profile } = judgingOf(undefined, model);
  const figures: ProbeFigure[] = [];
  for (const one of probes) {
    await places.clock.giveTurn();
    options.signal?.throwIfAborted();
    const plan = planQuery(one.text);
    const meaning = await meaningOf(places, plan, options);
    const read = probed === 'further' ? await furtherMeaningOf(places, plan, options) : undefined;
    // What cannot be asked now, or has nothing to compare with, need not be asked two hundred times.
    if (read && !read.meaning && (read.model === '' || read.lack === NO_VECTORS)) return [];
    const further = read?.meaning;
    const ranking = await rankByWords(plan, places.index, { limit: 1, meaning, further });
    const { confidence } = judge(plan, ranking, thresholds, profile);
    const nearest = ranking.leaders.map(({ note }) => ranking.nearness?.byNote.get(note) ?? 0);
    const cosine = read && !further ? 0 : Math.max(0, ...nearest);
    figures.push({ probe: one, confidence: confidence?.value ?? 0, cosine });
  }
  return figures;
}

/** Texts of passages, each as likely as any other. */
async function sampleTexts(
  index: NoteIndex,
  vault: Vault,
  shape: CollectionShape,
): Promise<readonly string[]> {
  const { noteOf, bodyLength } = shape;
  const withText: number[] = [];
  for (let passage = 0; passage < noteOf.length; passage += 1) {
    if (noteOf[passage] !== 0 && bodyLength[passage]! >= LEAST_TERMS) withText.push(passage);
  }
  const chosen = seededChoice(SEED).mix(withText).slice(0, SAMPLE);
  const passages = await index.passages(chosen, []);
  const paths = new Map(
    (await index.notes(passages.map(({ note }) => note))).map((note) => [note.number, note.path]),
  );
  const texts = new NoteTexts(vault);
  await texts.load([...paths.values()]);
  return passages.flatMap(({ note, start, end }) => {
    const text = texts.get(paths.get(note) ?? '')?.slice(start, end);
    return text ? [text] : [];
  });
}

function summaryOf(kind: Probe['kind'], figures: readonly ProbeFigure[]): CalibrateOutput['probes'][number] {
  const values = figures.filter(({ probe: one }) => one.kind === kind).map(({ confidence }) => confidence);
  const at = (share: number) => Number(percentile(share, values).toFixed(3));
  return { kind, queries: values.length, p5: at(0.05), p50: at(0.5), p95: at(0.95) };
}
