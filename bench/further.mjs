/**
 * What a further model brings on public collections, by weight and way of fusion: the figures of docs/gate.md.
 *
 *   AGENT_MEMORY_MODEL=<model> node bench/further.mjs --in <folder> [--note "which model"] [collection …]
 *
 * Needs ../shared/eval. Each collection becomes a vault below <folder>, where its vectors stay for the next run. Results
 * go to bench/runs/<date>-further.json.
 */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadSources } from './load-sources.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const shared = resolve(root, '../shared/eval');
const USUAL = ['adi', 'cacm', 'cisi', 'cranfield', 'xquad-en'];
const WEIGHTS = [0.08, 0.12, 0.16, 0.2, 0.25, 0.32, 0.45];
const RANK_CONSTANTS = [10, 60];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { in: { type: 'string' }, note: { type: 'string', default: '' } },
});
if (values.in === undefined || !process.env.AGENT_MEMORY_MODEL) {
  console.error('usage: AGENT_MEMORY_MODEL=<model> node bench/further.mjs --in <folder> [collection …]');
  process.exit(2);
}
if (!existsSync(shared)) {
  console.error(`skipped: the collections are not there (${shared})`);
  process.exit(0);
}

const core = await loadCore();
const usual = core.profileNamed('default');
const collections = {};
for (const name of positionals.length > 0 ? positionals : USUAL) {
  collections[name] = await measureCollection(name);
  console.log(name, JSON.stringify(collections[name]));
}
const results = { date: new Date().toISOString(), note: values.note, node: process.version, collections };
const path = join(root, 'bench/runs', `${results.date.slice(0, 16).replace(':', '')}-further.json`);
writeFileSync(path, `${JSON.stringify({ ...results, mean: meanOf(Object.values(collections)) }, null, 2)}\n`);
console.log(path);

async function measureCollection(name) {
  const collection = core.readCollection(join(shared, name));
  const folder = makeVault(collection);
  const index = await core.openSqliteIndex({
    folder: join(folder, '.vectors'),
    clock: core.systemClock,
  });
  const models = await core.modelsOf(process.env, { notice: (text) => console.error(text) });
  const vault = core.openVault(folder);
  const places = { vault, index, clock: core.systemClock, texts: new core.NoteTexts(vault), ...models };
  await core.reindex(places, {}, { notice: (text) => console.error(text) });
  const queries = collection.queries.map(({ id, text }) => {
    const judged = [...(collection.judgements.get(id) ?? [])];
    return { id, text, judgements: new Map(judged.map(([document, value]) => [noteOf(document), value])) };
  });
  const run = (changes, constants = {}) =>
    core.runQueries(
      places,
      queries,
      { ...usual, ...changes, constants: { ...usual.constants, ...constants } },
      {},
    );
  const gated = await run({ further: 'gate' });
  const measured = {
    queries: queries.length,
    words: quality(await run({ table: 'never', further: 'never' })),
    table: quality(await run({ further: 'never' })),
    gate: quality(gated),
    opened: round(gated.filter(({ opened }) => opened).length / gated.length),
  };
  for (const furtherWeight of WEIGHTS) {
    measured[`score ${furtherWeight}`] = quality(await run({ further: 'always' }, { furtherWeight }));
  }
  for (const rankConstant of RANK_CONSTANTS) {
    const constants = { furtherByRank: 1, rankConstant };
    measured[`rank ${rankConstant}`] = quality(await run({ further: 'always' }, constants));
  }
  await (await models.further?.())?.release();
  await index.close();
  return measured;
}

function makeVault({ name, documents }) {
  const folder = join(values.in, name);
  if (existsSync(folder)) return folder;
  mkdirSync(folder, { recursive: true });
  for (const { id, title, text } of documents) {
    const block = `---\ntitle: ${JSON.stringify(title || id)}\n---\n`;
    writeFileSync(join(folder, noteOf(id)), `${block}${text}\n`);
  }
  return folder;
}

function noteOf(id) {
  return `${id.replace(/[^A-Za-z0-9_-]/g, '_')}.md`;
}

function quality(results) {
  return round(results.reduce((sum, { ndcg10 }) => sum + ndcg10, 0) / results.length);
}

function meanOf(all) {
  const keys = Object.keys(all[0] ?? {}).filter((key) => key !== 'queries');
  return Object.fromEntries(
    keys.map((key) => [key, round(all.reduce((sum, one) => sum + one[key], 0) / all.length)]),
  );
}

function round(value) {
  return Math.round(value * 10_000) / 10_000;
}

function loadCore() {
  return loadSources(
    'further',
    `
        export { readCollection } from './src/adapters/collection-fs/read-collection.js';
        export { openSqliteIndex } from './src/adapters/index-sqlite/sqlite-index.js';
        export { openVault } from './src/adapters/vault-fs/open-vault.js';
        export { modelsOf } from './src/app/built-in-model.js';
        export { systemClock } from './src/app/system-clock.js';
        export { runQueries } from './src/core/evaluation/evaluate.js';
        export { NoteTexts } from './src/core/memory/note-texts.js';
        export { reindex } from './src/core/memory/reindex.js';
        export { profileNamed } from './src/core/retrieval/profiles.js';
      `,
  );
}
