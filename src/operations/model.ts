/** `model`: which model of meaning is used, and what others there are. What is done: app/manage-models.ts. */

import * as z from 'zod/mini';
import {
  MODEL_ACTIONS,
  MODEL_KINDS,
  MODEL_STATES,
  type ModelCheck,
  type ModelOutput,
} from '../core/models.js';
import { described } from './described.js';
import { defineOperation, type Page } from './operation.js';
import { byteSize, count, displayWidth, grouped, oneLine } from './wording.js';

const listed = z.strictObject({
  id: described('The name by which it is chosen', z.string()),
  kind: described('What it gives: nothing, vectors of words, of sentences, or scores', z.enum(MODEL_KINDS)),
  state: described('Whether its files are on this machine', z.enum(MODEL_STATES)),
  chosen: described('Whether it is the one in use', z.boolean()),
  dimensions: described('Of its vectors; 0 where not known', z.int()),
  cutTo: described('Fewer dimensions that AGENT_MEMORY_DIM may ask for', z.array(z.int())),
  maxTokens: described('Longer texts are cut', z.int()),
  bytes: described('Size of its files', z.int()),
  licence: described('Its licence', z.string()),
  languages: described('ISO 639-1 codes; none for many languages', z.array(z.string())),
  about: described('What speaks for it, and against it', z.string()),
  hub: described('Repository of its files', z.string()),
  revision: described('Commit of the repository', z.string()),
  pooling: described('How the vectors of its tokens become one', z.string()),
  queryInstruction: described('Put before a query', z.string()),
  passageInstruction: described('Put before a passage', z.string()),
  unrelatedCosine: described(
    'Cosine of texts with nothing in common, as its makers say; 0 where not known',
    z.number(),
  ),
  folder: described('Where its files are, or will be', z.string()),
});

const check = z.strictObject({
  model: described('The model that was opened', z.string()),
  dimensions: described('Of its vectors', z.int()),
  openMs: described('Milliseconds until the first text was embedded', z.number()),
  textMs: described('Milliseconds for each of the next', z.number()),
  near: described('Cosine of a question with an answer in other words; of a reranker its score', z.number()),
  far: described('The same with a text about something else', z.number()),
});

export const model = defineOperation({
  name: 'model',
  summary: 'List, download, choose and try models of meaning',
  effect: 'idempotent-write',
  input: z.strictObject({
    action: z._default(
      described(
        'list them; show one; pull: download one; use: choose one for all vaults; check: try one',
        z.enum(MODEL_ACTIONS),
      ),
      'list',
    ),
    id: z.optional(
      described(
        'Id from the list, static, none, transformers:<repository or folder>, an endpoint with #model, or a folder; the chosen one unless given',
        z.string(),
      ),
    ),
    yes: z._default(
      described('With pull and use: download what is missing without a question', z.boolean()),
      false,
    ),
  }),
  output: () =>
    z.strictObject({
      action: described('What was done', z.enum(MODEL_ACTIONS)),
      chosen: described('The model in use, as it is named', z.string()),
      chosenBy: described('AGENT_MEMORY_MODEL, or the path of the settings; empty for nobody', z.string()),
      reranker: described('The reranker in use, as it is named, or none', z.string()),
      models: described('All of them, or the one asked for', z.array(listed)),
      check: z.optional(described('With check: how it did', check)),
      downloadedBytes: described('With pull and use: what was downloaded now', z.int()),
      embedded: described('With use: passages of this vault that got a vector now', z.int()),
      pending: described('With use: passages that have none yet', z.int()),
      next: described('What is left to do', z.string()),
    }),
  positional: ['action', 'id'],
  run: ({ manageModels, signal, report, notice, confirm }, input) =>
    manageModels(input, { signal, report, notice, confirm }),
  toText: (output, page) => {
    const { models, embedded, pending, next } = output;
    const [only] = models;
    if (output.action === 'list' || only === undefined) return modelList(output, page);
    return [
      ...mainLines(output, only, page),
      ...(embedded > 0 ? [`${count(embedded, 'passage')} embedded`] : []),
      ...(pending > 0 ? [`${count(pending, 'passage')} without a vector`] : []),
      ...(next === '' ? [] : [page.faint(next)]),
    ].join('\n');
  },
});

type Listed = ModelOutput['models'][number];

function mainLines(output: ModelOutput, one: Listed, page: Page): readonly string[] {
  const id = oneLine(one.id);
  const { downloadedBytes, check: found } = output;
  const downloaded =
    downloadedBytes > 0 ? [`downloaded ${byteSize(downloadedBytes)} into ${oneLine(one.folder)}`] : [];
  if (output.action === 'pull')
    return downloaded.length > 0 ? downloaded : [`${id} is whole, in ${oneLine(one.folder)}`];
  if (output.action === 'use') return [...downloaded, `${id} is ${one.chosen ? 'in use' : 'chosen'}`];
  return found === undefined ? modelCard(one, page) : checkLines(found, page);
}

function whatItIs({ kind, dimensions, about }: Listed): string {
  if (kind === 'reranker') return 'reranker';
  return dimensions === 0 ? oneLine(about) : `${dimensions} dimensions`;
}

function modelList({ models, chosen, chosenBy, reranker, next }: ModelOutput, page: Page): string {
  const rows = models.map((one) => [
    `${one.chosen ? '*' : ' '} ${oneLine(one.id)}`,
    one.state,
    whatItIs(one),
    one.bytes === 0 ? '' : byteSize(one.bytes),
    oneLine(one.licence),
    languagesOf(one),
  ]);
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => displayWidth(row[at] ?? '')))) ?? [];
  const pad = (cell: string, at: number) => cell + ' '.repeat((widths[at] ?? 0) - displayWidth(cell));
  return [
    ...rows.map((row) => row.map(pad).join('  ').trimEnd()),
    page.faint(
      `* ${oneLine(chosen)}, ${chosenBy === '' ? 'since no other is chosen' : `by ${oneLine(chosenBy)}`}`,
    ),
    ...(reranker === 'none' ? [] : [page.faint(`* ${oneLine(reranker)} reranks for --profile precise`)]),
    page.faint(next),
  ].join('\n');
}

function languagesOf({ languages, maxTokens, hub }: Listed): string {
  if (languages.length > 0) return languages.join(' ');
  return maxTokens > 0 && hub !== '' ? 'many languages' : '';
}

function modelCard(one: Listed, page: Page): readonly string[] {
  const rows: readonly (readonly [string, string])[] = [
    ['kind', one.kind],
    ['state', [one.state, ...(one.chosen ? ['in use'] : [])].join(', ')],
    ['about', one.about],
    ['dimensions', one.dimensions === 0 ? '' : [one.dimensions, ...one.cutTo].join(', ')],
    ['tokens', one.maxTokens === 0 ? '' : grouped(one.maxTokens)],
    ['size', one.bytes === 0 ? '' : byteSize(one.bytes)],
    ['licence', one.licence],
    ['languages', languagesOf(one)],
    ['pooling', one.pooling],
    ['query', quoted(one.queryInstruction)],
    ['passage', quoted(one.passageInstruction)],
    ['bands', bandsOf(one)],
    [
      'files',
      one.hub === '' ? '' : `${one.hub} at ${one.revision === '' ? 'its newest commit' : one.revision}`,
    ],
    ['folder', one.folder],
  ];
  const shown = rows.filter(([, value]) => value !== '');
  return [
    oneLine(one.id),
    ...shown.map(([key, value]) => `  ${page.faint(key.padEnd(10))}  ${oneLine(value)}`),
  ];
}

function bandsOf({ unrelatedCosine: unrelated }: Listed): string {
  return unrelated === 0
    ? ''
    : `cosines from ${unrelated} on, unrelated texts too; a calibrated vault has its own figure`;
}

function quoted(text: string): string {
  return text === '' ? '' : JSON.stringify(text);
}

function checkLines(found: ModelCheck, page: Page): readonly string[] {
  const tells = found.near > found.far;
  return [
    found.dimensions === 0
      ? `${oneLine(found.model)}   reranker`
      : `${oneLine(found.model)}   ${found.dimensions} dimensions`,
    `opened and first text in ${found.openMs} ms, then ${found.textMs} ms a text`,
    `answer in other words ${found.near.toFixed(3)}, another subject ${found.far.toFixed(3)}: ${
      tells ? 'it tells them apart' : 'it does not tell them apart'
    }`,
    ...(tells ? [] : [page.faint('it would not help search; choose another model')]),
  ];
}
