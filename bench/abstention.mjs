/**
 * Makes the figures of docs/confidence.md again: which bands the judged queries of the public collections get, and queries
 * about nothing in them. Writes bench/runs/<date>-abstention.json.
 *
 *   node bench/abstention.mjs [collection …]
 */

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
process.chdir(ROOT);
/** Ends of the confidences that answered and strange queries are counted between. */
const STEPS = [0, 0.13, 0.17, 0.19, 0.25, 0.35, 0.5, 0.7, 1, Number.POSITIVE_INFINITY];

const { collectionNames, measureAbstention, sharesOf, STRANGE } = await loadSource();
const chosen = process.argv.length > 2 ? process.argv.slice(2) : collectionNames;

const collections = {};
const all = [];
for (const name of chosen) {
  const cases = await measureAbstention(name);
  const ofWords = await measureAbstention(name, { words: true });
  all.push(...cases);
  collections[name] = { ...figuresOf(cases), wordsAlone: figuresOf(ofWords) };
  const { judged, strange, other } = collections[name];
  process.stdout.write(
    `${name.padEnd(16)} ${line('judged', judged)}  ${line('strange', strange)}  ${line('other', other)}\n`,
  );
}
const means = {
  strange: mean(chosen.map((name) => collections[name].strange.none)),
  other: mean(chosen.map((name) => collections[name].other.none)),
  wordsAlone: {
    strange: mean(chosen.map((name) => collections[name].wordsAlone.strange.none)),
    other: mean(chosen.map((name) => collections[name].wordsAlone.other.none)),
  },
};
const steps = STEPS.slice(1).map((to, at) => stepOf(STEPS[at], to));
const thresholds = [0.13, 0.15, 0.16, 0.17, 0.18, 0.19, 0.2, 0.21, 0.23, 0.25].map((bar) => ({
  bar,
  judged: share(
    all.filter(({ kind }) => kind === 'judged'),
    bar,
  ),
  strange: share(
    all.filter(({ kind }) => STRANGE.includes(kind)),
    bar,
  ),
  other: share(
    all.filter(({ kind }) => kind === 'other'),
    bar,
  ),
}));
const run = {
  date: new Date().toISOString(),
  judgedQueries: all.filter(({ kind }) => kind === 'judged').length,
  judgedNone: round(sharesOf(all, 'judged').none),
  means,
  thresholds,
  steps,
  collections,
};
const target = join(ROOT, 'bench/runs', `${run.date.slice(0, 16).replace(':', '')}-abstention.json`);
writeFileSync(target, `${JSON.stringify(run, null, 2)}\n`);
process.stdout.write(
  `judged none ${run.judgedNone}, mean strange ${means.strange}, other ${means.other} → ${target}\n`,
);

function figuresOf(cases) {
  const bands = (...kinds) => mapped(sharesOf(cases, ...kinds), round);
  return {
    judged: bands('judged'),
    strange: bands(...STRANGE),
    ...Object.fromEntries([...STRANGE, 'other'].map((kind) => [kind, bands(kind)])),
  };
}

function stepOf(from, to) {
  const inStep = (kinds) =>
    all.filter((one) => kinds.includes(one.kind) && one.confidence >= from && one.confidence < to);
  const shareOf = (kinds) =>
    round(inStep(kinds).length / all.filter(({ kind }) => kinds.includes(kind)).length);
  const judged = inStep(['judged']);
  return {
    from,
    to: Number.isFinite(to) ? to : 'more',
    judged: shareOf(['judged']),
    answered: round(judged.filter(({ isAnswered }) => isAnswered).length / Math.max(1, judged.length)),
    strange: shareOf(STRANGE),
    other: shareOf(['other']),
  };
}

function share(cases, bar) {
  return round(cases.filter(({ confidence }) => confidence < bar).length / cases.length);
}

function line(name, { none, low, medium, high }) {
  return `${name} none ${none} low ${low} medium ${medium} high ${high}`;
}

function mapped(record, change) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

function mean(values) {
  return round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function round(value) {
  return Number(value.toFixed(4));
}

/** The sources as they are, without building the program. Beside node_modules, where the native binding is found. */
async function loadSource() {
  const outfile = join(ROOT, 'node_modules', `.abstention-${process.pid}.mjs`);
  try {
    await build({
      absWorkingDir: ROOT,
      entryPoints: ['test/retrieval/abstention.ts'],
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      outfile,
      external: ['better-sqlite3', '@huggingface/transformers'],
      banner: {
        js: "import { createRequire as benchRequire } from 'node:module'; const require = benchRequire(import.meta.url);",
      },
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}
