/**
 * What the gate skips and loses, beside other rules, on the public collections: the figures of docs/gate.md.
 *
 *   node bench/gate.mjs [--note "what changed"]
 *
 * Needs ../shared/eval. The built-in table stands in for a further model: `always` is words and table, and what a skipped
 * query loses is the nDCG@10 that the table would have brought it. Results go to bench/runs/<date>-gate.json.
 */

import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSources } from './load-sources.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const shared = resolve(root, '../shared/eval');
const ENGLISH = [
  'adi',
  'cacm',
  'cisi',
  'cranfield',
  'time',
  'friendsqa',
  'chroma-chunking',
  'locomo-sessions',
];
ENGLISH.push('xquad-en');
const OTHERS = ['xquad-de', 'xquad-tr', 'xquad-ar', 'xquad-zh', 'xquad-th', 'jaquad'];
const ALL = [...ENGLISH, ...OTHERS];
const LEADS = [0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1, 0.12];
const DEPTH = 100;
const MOST_LOSS = 0.005;
/** A usual rule: words are trusted where the best note covers this much of the query. */
const REFERENCE_COVERAGE = 0.25;

if (!existsSync(shared)) {
  console.error(`skipped: the collections are not there (${shared})`);
  process.exit(0);
}

const core = await loadCore();
const variants = gateVariants();
const collections = {};
for (const name of ALL) {
  process.stderr.write(`${name}\n`);
  collections[name] = await measureCollection(name);
}
const rules = ruleTable();
const gates = Object.fromEntries(
  Object.keys(variants).map((name) => [name, outcome(({ opens }) => !opens[name])]),
);
gates['coverage .25 alone'] = outcome(
  ({ figures }) => figures['coverage of the best note'] >= REFERENCE_COVERAGE,
);
const afterTable = outcome(({ opensAfterTable }) => !opensAfterTable);
const all = ALL.flatMap((name) => collections[name]);
const noteAt = process.argv.indexOf('--note');
const results = {
  date: new Date().toISOString(),
  note: noteAt < 0 ? '' : process.argv[noteAt + 1],
  node: process.version,
  microseconds: round(mean(all.map(({ gateMs }) => 1000 * gateMs)), 2),
  rules: withoutCollections(rules),
  gates: { ...withoutCollections(gates), gate: gates.gate },
  afterTable,
  reasons: reasonTable(),
};
const path = join(root, 'bench/runs', `${results.date.slice(0, 16).replace(':', '')}-gate.json`);
writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`);
print();
console.log(`\n${path}`);

function loadCore() {
  return loadSources(
    'gate',
    `
        export { readCollection } from './src/adapters/collection-fs/read-collection.js';
        export { openSqliteIndex } from './src/adapters/index-sqlite/sqlite-index.js';
        export { modelsOf } from './src/app/built-in-model.js';
        export { systemClock } from './src/app/system-clock.js';
        export { isInHalf } from './src/core/evaluation/evaluate-collection.js';
        export { indexCollection, judgedQueries } from './src/core/evaluation/index-collection.js';
        export { meaningOf } from './src/core/memory/meaning-of.js';
        export { decideGate } from './src/core/retrieval/gate.js';
        export { ndcgAt } from './src/core/retrieval/metrics.js';
        export { planQuery } from './src/core/retrieval/plan.js';
        export { DEFAULT_PROFILE, profileWith } from './src/core/retrieval/profile.js';
        export { rankByWords } from './src/core/retrieval/rank.js';
        export { highestScore } from './src/core/retrieval/score.js';
      `,
  );
}

/** The gate as it is, with other thresholds, and with single parts left out. */
function gateVariants() {
  const { profileWith } = core;
  return {
    gate: profileWith({}),
    ...Object.fromEntries(LEADS.map((gateLead) => [`lead ${gateLead}`, profileWith({ gateLead })])),
    'unknown words trusted': profileWith({ gateUnknown: Number.POSITIVE_INFINITY }),
    'low coverage trusted': profileWith({ gateCoverage: 0 }),
    'identifiers not trusted': profileWith({ gateIdentifier: 2 }),
    'identifiers from half the query': profileWith({ gateIdentifier: 0.5 }),
  };
}

async function measureCollection(name) {
  const { readCollection, openSqliteIndex, modelsOf, systemClock: clock, isInHalf } = core;
  const { meaningOf, decideGate, planQuery, rankByWords, ndcgAt, DEFAULT_PROFILE } = core;
  const collection = readCollection(join(shared, name));
  const index = await openSqliteIndex({ folder: undefined, clock });
  const places = { index, clock, ...(await modelsOf({ AGENT_MEMORY_MODEL: 'static' })) };
  await core.indexCollection(collection, places);
  const queries = await core.judgedQueries(collection, index);
  const rows = [];
  for (const query of queries) {
    const options = { limit: DEPTH, ...(query.scope ? { scope: query.scope } : {}) };
    const plan = planQuery(query.text);
    const meaning = await meaningOf(places, plan);
    const byWords = await rankByWords(plan, index, options);
    const byBoth = meaning ? await rankByWords(plan, index, { ...options, meaning }) : byWords;
    const quality = ({ hits }) =>
      ndcgAt(
        10,
        hits.map((hit) => hit.path),
        query.judgements,
      );
    const startMs = performance.now();
    const decision = decideGate(plan, byWords, DEFAULT_PROFILE);
    rows.push({
      isTuning: isInHalf(query, 'tune'),
      words: quality(byWords),
      both: quality(byBoth),
      gateMs: performance.now() - startMs,
      reason: decision.reason,
      opens: Object.fromEntries(
        Object.entries(variants).map(([one, profile]) => [one, decideGate(plan, byWords, profile).opens]),
      ),
      opensAfterTable: decideGate(plan, byBoth, DEFAULT_PROFILE).opens,
      figures: figuresOf(byWords, decision),
    });
  }
  await index.close();
  return rows;
}

/** What a rule may look at: the gate's figures, and others that were tried. Higher is more certain. */
function figuresOf({ hits, words, missing }, { coverage, passageCoverage, unknown, lead }) {
  const { highestScore, DEFAULT_PROFILE } = core;
  const scores = hits.slice(0, 10).map(({ score }) => score);
  const [best = 0] = scores;
  const asked = missing.filter(({ word }) => word.kind !== 'compound');
  const highest =
    highestScore(words, DEFAULT_PROFILE) +
    asked.reduce((sum, { gain }) => sum + gain, 0) * (DEFAULT_PROFILE.k1 + 1);
  const ahead = (rank) => (highest === 0 ? 0 : (best - (scores[rank - 1] ?? 0)) / highest);
  const shareAhead = (rank) => (best === 0 ? 0 : 1 - (scores[rank - 1] ?? 0) / best);
  return {
    'coverage of the best note': coverage,
    'coverage of its best passage': passageCoverage,
    'score / highest possible': highest === 0 ? 0 : best / highest,
    'rarest word': Math.max(0, ...words.map(({ rarity }) => rarity)),
    'few words': -words.length,
    'no unknown words': -unknown,
    'lead over the second / score': shareAhead(2),
    'lead over the third / score': shareAhead(3),
    'lead over the fifth / score': shareAhead(5),
    'lead over the second / highest possible': ahead(2),
    'lead over the third / highest possible': lead,
    'lead over the fifth / highest possible': ahead(5),
    'lead over the tenth / highest possible': ahead(10),
    'lead over the third / score, times coverage of the best passage': shareAhead(3) * passageCoverage,
  };
}

function ruleTable() {
  const names = Object.keys(collections[ENGLISH[0]][0].figures);
  const table = Object.fromEntries(
    names.map((name) => [name, atMostLoss(name, ({ figures }) => figures[name])]),
  );
  return { ...table, 'all of them, logistic': atMostLoss('logistic', logistic(names)) };
}

/** The threshold that skips most at the loss allowed on the English tuning halves, and what it does on the others. */
function atMostLoss(name, figureOf) {
  const rows = ENGLISH.flatMap((one) => {
    const tuning = collections[one].filter(({ isTuning }) => isTuning);
    return tuning.map((row) => ({
      value: figureOf(row),
      loss: row.both - row.words,
      weight: 1 / tuning.length / ENGLISH.length,
    }));
  }).sort((a, b) => b.value - a.value);
  let threshold = Number.POSITIVE_INFINITY;
  let loss = 0;
  for (let at = 0; at < rows.length; at += 1) {
    loss += rows[at].loss * rows[at].weight;
    if (rows[at + 1]?.value === rows[at].value) continue;
    // Beyond the first crossing a lower loss is chance.
    if (loss > MOST_LOSS) break;
    threshold = rows[at].value;
  }
  if (!Number.isFinite(threshold)) return { name, threshold: null };
  return { name, threshold: round(threshold), ...outcome((row) => figureOf(row) >= threshold) };
}

/** Fitted to the queries that the table changes, by how much it does. */
function logistic(names) {
  const rows = ENGLISH.flatMap((one) => {
    const tuning = collections[one].filter(({ isTuning }) => isTuning);
    return tuning.map((row) => ({ row, share: 1 / tuning.length }));
  });
  const scale = names.map((name) => {
    const values = rows.map(({ row }) => row.figures[name]);
    const middle = mean(values);
    return { middle, spread: Math.sqrt(mean(values.map((value) => (value - middle) ** 2))) || 1 };
  });
  const inputs = (row) => [
    1,
    ...names.map((name, at) => (row.figures[name] - scale[at].middle) / scale[at].spread),
  ];
  const samples = rows
    .map(({ row, share }) => ({
      x: inputs(row),
      gains: row.both > row.words ? 1 : 0,
      weight: Math.abs(row.both - row.words) * share,
    }))
    .filter(({ weight }) => weight > 0);
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  const weights = inputs(rows[0].row).map(() => 0);
  const chance = (x) => 1 / (1 + Math.exp(-x.reduce((sum, value, at) => sum + value * weights[at], 0)));
  for (let step = 0; step < 600; step += 1) {
    const slope = weights.map((weight) => 0.01 * weight);
    for (const { x, gains, weight } of samples) {
      const off = ((chance(x) - gains) * weight) / total;
      x.forEach((value, at) => {
        slope[at] += off * value;
      });
    }
    slope.forEach((value, at) => {
      weights[at] -= 0.5 * value;
    });
  }
  return (row) => -chance(inputs(row));
}

/** Share skipped and nDCG@10 lost, by half and collection; means of collections. */
function outcome(isSkipped) {
  const halves = {};
  for (const half of ['tune', 'report']) {
    const by = {};
    let skipped = 0;
    let asked = 0;
    for (const name of ALL) {
      const rows = collections[name].filter(({ isTuning }) => isTuning === (half === 'tune'));
      const skips = rows.map(isSkipped);
      by[name] = {
        queries: rows.length,
        words: round(mean(rows.map(({ words }) => words))),
        always: round(mean(rows.map(({ both }) => both))),
        skip: round(mean(skips.map(Number)), 3),
        loss: round(mean(rows.map(({ both, words }, at) => (skips[at] ? both - words : 0)))),
      };
      skipped += skips.filter(Boolean).length;
      asked += rows.length;
    }
    const means = (names) => ({
      skip: round(mean(names.map((name) => by[name].skip)), 3),
      loss: round(mean(names.map((name) => by[name].loss))),
    });
    halves[half] = { english: means(ENGLISH), all: means(ALL), ofQueries: round(skipped / asked, 3), by };
  }
  return halves;
}

/** How often each reason decides, and what skipping there loses or would have lost. */
function reasonTable() {
  const reasons = {};
  for (const { reason, words, both } of ENGLISH.flatMap((name) => collections[name])) {
    const one = (reasons[reason] ??= { queries: 0, words: 0, loss: 0 });
    one.queries += 1;
    one.words += words;
    one.loss += both - words;
  }
  for (const one of Object.values(reasons)) {
    one.words = round(one.words / one.queries);
    one.loss = round(one.loss / one.queries);
  }
  return reasons;
}

function print() {
  const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);
  const halves = ({ tune, report }) => [
    short(tune.english.skip),
    signed(tune.english.loss),
    short(report.english.skip),
    signed(report.english.loss),
  ];
  row('rule', 'from', 'tuning: skipped', 'loss', 'reporting: skipped', 'loss', 'of all queries');
  for (const [name, found] of Object.entries(rules).sort(bySkip)) {
    if (found.threshold === null) row(name, '–', '0', '', '0', '', '0');
    else row(name, found.threshold, ...halves(found), short(found.report.ofQueries));
  }
  console.log('');
  for (const [name, found] of Object.entries({ ...gates, 'after the table': afterTable }))
    row(name, ...halves(found), signed(found.report.all.loss), short(found.report.ofQueries));
  console.log('');
  for (const name of ALL) {
    const { report, tune } = gates.gate;
    const { queries, words, always, skip, loss } = report.by[name];
    const after = afterTable.report.by[name].skip;
    const figures = [words, always, always - loss].map(short);
    row(name, queries, ...figures, short(skip), signed(loss), signed(tune.by[name].loss), short(after));
  }
  console.log('');
  for (const [name, { queries, words, loss }] of Object.entries(results.reasons))
    row(name, queries, short(words), signed(loss));
  console.log(`\nA decision takes ${results.microseconds} µs.`);
}

/** The means alone; of the gate itself the collections are kept. */
function withoutCollections(outcomes) {
  const leave = ({ tune, report, ...rest }) =>
    tune ? { ...rest, tune: { ...tune, by: undefined }, report: { ...report, by: undefined } } : rest;
  return Object.fromEntries(Object.entries(outcomes).map(([name, one]) => [name, leave(one)]));
}

function bySkip([, a], [, b]) {
  return (b.tune?.english.skip ?? 0) - (a.tune?.english.skip ?? 0);
}

function mean(values) {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function round(value, digits = 4) {
  return Number(value.toFixed(digits));
}

function short(value) {
  return value.toFixed(3).replace(/^0/, '');
}

function signed(value) {
  return value
    .toFixed(4)
    .replace(/^(-?)0/, '$1')
    .replace('-', '−');
}
