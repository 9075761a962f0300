/** Measures abstention on a public collection: which of its own questions and of strange ones get which band. */

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readCollection } from '../../src/adapters/collection-fs/read-collection.js';
import { openEmbedder } from '../../src/adapters/embedders/open-embedder.js';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { systemClock } from '../../src/app/system-clock.js';
import { indexCollection, judgedQueries } from '../../src/core/evaluation/index-collection.js';
import { meaningOf } from '../../src/core/memory/meaning-of.js';
import type { Embedder } from '../../src/core/ports.js';
import { BANDS, type Band, type BandThresholds } from '../../src/core/retrieval/bands.js';
import { judge } from '../../src/core/retrieval/judge.js';
import { planQuery } from '../../src/core/retrieval/plan.js';
import { rankByWords } from '../../src/core/retrieval/rank.js';
import { type Questions, type StrangeKind, strangeQueries } from './strange-queries.js';

const ROOT = process.cwd();
const COLLECTIONS = resolve(ROOT, '../shared/eval');
const LIMIT = 10;

export const NO_COLLECTIONS = 'skipped: no collections in ../shared/eval';
export const hasCollections = existsSync(COLLECTIONS);

/** Subjects: what is asked of the one may be answered by the other. Languages as ISO 639-1 has them. */
const KNOWN: Readonly<Record<string, readonly [subject: string, language: string]>> = {
  adi: ['documentation', 'en'],
  cacm: ['documentation', 'en'],
  cisi: ['documentation', 'en'],
  cranfield: ['aircraft', 'en'],
  time: ['news', 'en'],
  friendsqa: ['sitcom', 'en'],
  'chroma-chunking': ['five texts', 'en'],
  'locomo-sessions': ['conversations', 'en'],
  'xquad-en': ['encyclopedia', 'en'],
  'xquad-de': ['encyclopedia', 'de'],
  'xquad-tr': ['encyclopedia', 'tr'],
  'xquad-ar': ['encyclopedia', 'ar'],
  'xquad-zh': ['encyclopedia', 'zh'],
  'xquad-th': ['encyclopedia', 'th'],
  jaquad: ['Japanese encyclopedia', 'ja'],
};

export const collectionNames: readonly string[] = Object.keys(KNOWN);

/** Of one query: how sure the ranking is, and whether one of its first ten hits was judged relevant. */
export type JudgedCase = {
  readonly kind: 'judged' | StrangeKind;
  readonly confidence: number;
  readonly band: Band;
  readonly isAnswered: boolean;
};

/** `most`: of the judged queries, evenly spread. Without `thresholds` those of a vault that was never calibrated. */
export async function measureAbstention(
  name: string,
  {
    most = Number.POSITIVE_INFINITY,
    thresholds,
    words = false,
  }: {
    readonly most?: number;
    readonly thresholds?: BandThresholds;
    readonly words?: boolean;
  } = {},
): Promise<readonly JudgedCase[]> {
  const collection = readCollection(join(COLLECTIONS, name));
  const index = await openSqliteIndex({ folder: undefined, clock: systemClock });
  let opened: Embedder | undefined;
  const embedder = async () => {
    opened ??= await openEmbedder(undefined, { modelsFolder: resolve(ROOT, 'models') });
    return opened;
  };
  const places = words ? { index } : { index, embedder };
  await indexCollection(collection, places);
  const judged = await judgedQueries(collection, index);
  const step = Math.max(1, Math.ceil(judged.length / most));
  const cases: JudgedCase[] = [];
  const ask = async (kind: JudgedCase['kind'], text: string, scope?: Uint32Array) => {
    const plan = planQuery(text);
    const meaning = words ? undefined : await meaningOf(places, plan);
    const ranking = await rankByWords(plan, index, { limit: LIMIT, meaning, ...(scope ? { scope } : {}) });
    const { band, confidence } = judge(plan, ranking, thresholds);
    cases.push({ kind, band, confidence: confidence?.value ?? 0, isAnswered: false });
    return ranking.hits;
  };
  for (const { text, scope, judgements } of judged.filter((_, at) => at % step === 0)) {
    const hits = await ask('judged', text, scope);
    const isAnswered = hits.some(({ path }) => (judgements.get(path) ?? 0) > 0);
    cases.push({ ...cases.pop()!, isAnswered });
  }
  const all = collectionNames.map(questionsOf);
  const own = all[collectionNames.indexOf(name)]!;
  for (const { kind, text } of strangeQueries(own, all)) await ask(kind, text);
  await index.close();
  await opened?.release();
  return cases;
}

function questionsOf(name: string): Questions {
  const [subject, language] = KNOWN[name]!;
  const lines = readFileSync(join(COLLECTIONS, name, 'queries.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  return { subject, language, texts: lines.map((line) => (JSON.parse(line) as { text: string }).text) };
}

/** Share of a kind's queries in each band, 0-1. */
export function sharesOf(
  cases: readonly JudgedCase[],
  ...kinds: readonly JudgedCase['kind'][]
): Readonly<Record<Band, number>> {
  const chosen = cases.filter(({ kind }) => kinds.includes(kind));
  const share = (band: Band) => chosen.filter((one) => one.band === band).length / chosen.length;
  return Object.fromEntries(BANDS.map((band) => [band, share(band)])) as Record<Band, number>;
}

export const STRANGE = ['letters', 'invented', 'shuffled', 'foreign'] as const;
