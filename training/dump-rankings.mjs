/**
 * Writes what measure.py fuses: for each collection the passages of its notes as the product cuts them, and for each
 * judged query the words' score of every note (the first 1,000). The sources are bundled into the folder first.
 *
 *   node training/dump-rankings.mjs <folder> [collection …]
 */

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '..');
const collections = join(root, '../shared/eval');
const DEPTH = 1000;
const [folder, ...named] = process.argv.slice(2);
if (folder === undefined) throw new Error('node training/dump-rankings.mjs <folder> [collection …]');
mkdirSync(folder, { recursive: true });

const ENTRY = `
export { readCollection } from './src/adapters/collection-fs/read-collection.js';
export { openSqliteIndex } from './src/adapters/index-sqlite/sqlite-index.js';
export { systemClock } from './src/app/system-clock.js';
export { isInHalf } from './src/core/evaluation/evaluate-collection.js';
export { indexCollection, judgedQueries } from './src/core/evaluation/index-collection.js';
export { scan } from './src/core/markdown/scan.js';
export { cutPassages } from './src/core/note/passages.js';
export { planQuery } from './src/core/retrieval/plan.js';
export { rankByWords } from './src/core/retrieval/rank.js';
`;

const bundle = join(root, 'node_modules', '.cache', 'dump-rankings.mjs');
await build({
  stdin: { contents: ENTRY, resolveDir: root, loader: 'ts' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  outfile: bundle,
  external: ['better-sqlite3'],
  banner: {
    js: "import { createRequire as require1 } from 'node:module'; const require = require1(import.meta.url);",
  },
  define: { PROGRAM_VERSION: '"0"' },
  logLevel: 'warning',
});
const product = await import(pathToFileURL(bundle).href);

const names =
  named.length > 0
    ? named
    : readdirSync(collections).filter((name) => existsSync(join(collections, name, 'docs.jsonl')));
for (const name of names) {
  const collection = product.readCollection(join(collections, name));
  const index = await product.openSqliteIndex({ folder: undefined, clock: product.systemClock });
  await product.indexCollection(collection, { index });
  const place = new Map(collection.documents.map(({ id }, at) => [id, at]));
  const notes = collection.documents.map(({ id, title, text, conversation }) => ({
    id,
    title,
    conversation,
    passages: product
      .cutPassages(product.scan(text))
      .map(({ headings, start, end }) => [headings.join(' '), text.slice(start, end)]),
  }));
  const queries = [];
  const asked = await product.judgedQueries(collection, index);
  for (const [at, query] of asked.entries()) {
    const scope = query.scope ? { scope: query.scope } : {};
    const plan = product.planQuery(query.text);
    const { hits, words } = await product.rankByWords(plan, index, { limit: DEPTH, ...scope });
    const gains = new Map(words.map(({ word, gain }) => [word.term, gain]));
    queries.push({
      id: query.id,
      text: query.text,
      half: product.isInHalf(query, 'report') ? 'report' : 'tune',
      conversation: collection.queries[at].conversation,
      judgements: Object.fromEntries(query.judgements),
      isForeign: plan.isForeign,
      // What the words' ranking asked for: text, kind, and gain where a note holds it and it was not too common.
      words: plan.words.map(({ text, term, kind }) => [text, kind, gains.get(term) ?? 0]),
      hits: hits.map(({ path, score }) => [place.get(path), score]),
    });
  }
  await index.close();
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ name, notes, queries }));
  process.stdout.write(`${name}: ${notes.length} notes, ${queries.length} queries\n`);
}
