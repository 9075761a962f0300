/** Each operation answers the same whichever way it is called: one walk over the registry. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadOperations } from '../../src/operations/index.js';
import { readFields } from '../../src/operations/input-field.js';
import type { Operation } from '../../src/operations/operation.js';
import { optionName } from '../../src/surfaces/cli/arguments.js';
import { hiddenInputs } from '../../src/surfaces/mcp/quirks.js';
import { errorOf, openServer, type Server } from '../mcp/server.js';
import { copyExampleVault, runMemory, sharedFolder, temporaryFolder } from '../surfaces/run-memory.js';

type Input = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** What a surface says to a call: a result, or an error with code, message, hint and details. */
type Answer = { readonly result: unknown } | { readonly error: unknown };

type Surface = {
  readonly name: string;
  readonly call: (operation: Operation, input: Input, cwd: string) => Promise<Answer>;
};

/** Inputs for each operation, good ones and bad ones. An operation without an entry fails the walk. */
const cases: Readonly<Record<string, readonly Input[]>> = {
  init: [{ dir: 'new' }, { dir: 'vault' }, { dir: 'file.txt/new' }],
  reindex: [{}, { verify: true, wait: false }],
  search: [
    { query: 'why is the model lazy loaded' },
    { query: 'model', limit: 2, folder: 'decisions' },
    { query: 'model', type: 'decision', where: ['created>2026-01-10', 'updated'], full: true },
    { query: 'model', exclude: ['decisions/lazy-model.md', 'index.md'], maxTokens: 60 },
    { query: 'model', folder: 'decisions/', where: ['=x'] },
    { query: 'index', tag: 'speed', after: '2026-01-01', before: '2027-01-01', refresh: true },
    { query: 'model', profile: 'recent' },
    { query: 'memory.db', profile: 'code' },
    { query: 'model', profile: 'words', semantic: true },
    { query: 'model', profile: 'gated' },
    { query: '' },
    { query: 'xyzzyplugh' },
    { query: '--json "unclosed -' },
    { query: 'a', limit: 0 },
    { query: 'a', limit: 1.5 },
    { query: 'a', after: 'yesterday' },
  ],
  show: [
    { note: 'decisions/lazy-model.md' },
    { note: 'Lazy model', section: 'Why' },
    { note: 'decisions/lazy-model.md', lines: '1-3' },
    { note: 'decisions/lazy-model.md', maxTokens: 20 },
    { note: 'decisions/lazy-model.md', section: 'None' },
    { note: 'decisions/lazy-model.md', maxTokens: 0 },
    { note: 'none.md' },
    { note: '../outside.md' },
    { note: 'lazy-model#^why' },
    { note: 'drafts/unfinished.md' },
  ],
  add: [
    { title: 'Cold start', content: '- first\n\n--second' },
    { title: 'Cold start', folder: 'decisions', type: 'decision', tag: ['speed', '#a/b'], set: ['up=[[x]]'] },
    { title: 'Finish the importer', handoff: true, template: 'profile' },
    { title: 'new/place.md', content: 'a', dryRun: true },
    { title: 'drafts/more.md', content: 'left out of search' },
    { title: 'decisions/lazy-model.md' },
    { title: 'Lazy-Model', folder: 'decisions' },
    { title: '../x.md' },
    { title: '/etc/x.md' },
    { title: 'x', folder: '../elsewhere' },
    { title: 'x', template: '../file.txt' },
    { title: 'x', template: 'none.md' },
    { title: 'CON.md' },
    { title: 'x', set: ['no value'] },
    { title: 'x', tag: ['two words'] },
    { title: '' },
  ],
  edit: [
    { note: 'profile', append: '- Prefers short mails' },
    { note: 'Lazy model', section: 'Why', append: 'One more reason.', dryRun: true },
    { note: 'lazy-model#Why', prepend: '--first' },
    { note: 'decisions/lazy-model.md', block: 'why', content: 'Because.' },
    { note: 'decisions/lazy-model.md', lines: '9-10', before: 'a', set: ['status=done'] },
    { note: 'profile', replace: 'Answers first', with: 'Reasons first', count: 1 },
    {
      note: 'profile',
      set: ['n=[1, 2]', 'type=x'],
      unset: ['created'],
      addTag: ['a'],
      removeTag: ['people'],
    },
    { note: 'profile', set: ['type=profile'] },
    { note: 'profile', append: 'a', ifHash: '000000000000' },
    { note: 'profile', append: 'a', ifHash: 'short' },
    { note: 'profile', replace: 'Answers' },
    { note: 'profile', with: 'Answers' },
    { note: 'profile', replace: 'Answer first', with: 'x' },
    { note: 'profile', replace: 'a', with: 'b', count: 0 },
    { note: 'profile', section: 'None', append: 'a' },
    { note: 'profile', block: 'none', content: 'a' },
    { note: 'profile', lines: '900-', content: 'a' },
    { note: 'profile', content: 'a' },
    { note: 'profile', append: 'a', prepend: 'b' },
    { note: 'profile', set: ['=x'] },
    { note: 'profile' },
    { note: 'none.md', append: 'a' },
    { note: '../x.md', append: 'a' },
    { note: '/etc/x.md', append: 'a' },
    { note: 'drafts/unfinished.md', append: 'a' },
  ],
  move: [
    { note: 'Lazy model', to: 'archive/' },
    { note: 'decisions/locks.md', to: 'setups/locking.md', dryRun: true },
    { note: 'profile', to: 'profile.md' },
    { note: 'profile', to: 'decisions/locks.md' },
    { note: 'profile', to: '../x.md' },
    { note: 'profile', to: '/etc/x.md' },
    { note: 'profile', to: 'x.txt' },
    { note: 'profile', to: 'nul.md' },
    { note: 'profile', to: '' },
    { note: 'profile', to: 'x.md', ifHash: '000000000000' },
    { note: 'none.md', to: 'x.md' },
    { note: '../x.md', to: 'x.md' },
    { note: '/etc/x.md', to: 'x.md' },
  ],
  delete: [
    { note: 'Lazy model' },
    { note: 'profile', dryRun: true },
    { note: 'profile', ifHash: '000000000000' },
    { note: 'none.md' },
    { note: '../x.md' },
    { note: '/etc/x.md' },
    { note: 'drafts/unfinished.md' },
  ],
  undo: [
    {},
    { dryRun: true },
    { id: 'moved', dryRun: true },
    { id: 'moved' },
    { id: 'gone' },
    { id: 'taken-back' },
    { id: 'none' },
    { id: '' },
  ],
  explain: [
    { query: 'why is the model lazy loaded', note: 'Lazy model' },
    { query: 'lazy model', note: 'projects/agent-memory.md', folder: 'decisions' },
    { query: 'blorptik vandrushel', note: 'Lazy model' },
    { query: 'lazy model', note: 'Lazy model', profile: 'recent' },
    { query: 'lazy model', note: 'Lazy model', profile: 'best' },
    { query: 'lazy model', note: 'none.md' },
    { query: 'lazy model' },
  ],
  links: [
    { note: 'projects/agent-memory.md' },
    { note: 'Lazy model', limit: 1 },
    { note: 'none.md' },
    { note: 'index-note', limit: 0 },
  ],
  tags: [{}, { below: 'search', sort: 'count' }, { below: 'none' }, { limit: 3 }, { sort: 'size' }],
  recent: [
    {},
    { limit: 3, by: 'created' },
    { folder: 'decisions/', tag: 'search', type: 'decision', where: ['status=accepted'], before: '2026-02' },
    { by: 'changed' },
    { after: '2026-13' },
  ],
  open: [{}, { limit: 1 }, { tag: 'handoff' }, { folder: 'none' }, { folder: 'sessions/' }, { limit: 0 }],
  claim: [
    { note: 'Phrases over passage borders' },
    { next: true, by: 'Mira' },
    { next: true, tag: 'handoff', dryRun: true },
    { next: true, folder: 'none' },
    { note: 'Snippets from the notes' },
    { note: 'profile' },
    { note: 'none.md' },
    { note: '../x.md' },
    { note: 'profile', next: true },
    {},
  ],
  status: [{}],
  calibrate: [{}],
  doctor: [
    {},
    { limit: 1 },
    { note: 'agent-memory' },
    { note: 'drafts/unfinished.md' },
    { note: 'none.md' },
    { limit: 0 },
  ],
  eval: [
    {},
    { add: 'why is the model lazy loaded' },
    { add: 'why is the model lazy loaded', note: 'none.md' },
    { add: 'why is the model lazy loaded', note: 'Lazy model', compare: 'plain' },
    { collection: 'collection', compare: 'plain', half: 'all' },
    { collection: 'none' },
    { collection: 'vault' },
    { profile: 'none' },
    { compare: 'best' },
  ],
  profile: [
    {},
    { action: 'show' },
    { action: 'show', name: 'code' },
    { action: 'show', name: 'gated' },
    { action: 'show', name: 'best' },
    { action: 'set' },
  ],
  model: [
    {},
    { action: 'show', id: 'embeddinggemma-300m' },
    { action: 'show', id: 'static' },
    { action: 'check', id: 'none' },
    { action: 'check' },
    { action: 'check', id: 'e5-small-v2' },
    { action: 'use', id: 'bge-small-en-v1.5' },
    { action: 'use', id: 'al-MiniLM-L6-v2', yes: true },
    { action: 'use' },
    { action: 'pull', id: 'static' },
    { action: 'pull' },
    { action: 'forget' },
  ],
  connect: [
    { client: 'cursor', file: 'client.json' },
    { client: 'codex', file: 'new/config.toml', write: true, name: 'notes' },
    { client: 'zed', file: 'file.txt', instructions: false },
    { client: 'zed', file: 'vault', write: true },
    { client: 'cursor', file: 'client.json', remove: true },
    { client: 'windsurf', folder: 'vault' },
    { client: 'git', folder: '/' },
    { client: 'emacs' },
    { client: 'cursor', write: true, remove: true },
    { client: 'cursor', name: 'a b' },
    {},
  ],
};

const commandLine: Surface = {
  name: 'command line',
  call: async (operation, input, cwd) => {
    const args = [operation.name, '--json', '--vault', 'vault', ...toWords(operation, input)];
    const { code, stdout, stderr } = await runMemory(args, { cwd });
    expect(stdout === '').toBe(code !== 0);
    return code === 0 ? { result: JSON.parse(stdout) } : { error: asFields(JSON.parse(stderr)) };
  },
};

const rpc: Surface = {
  name: 'rpc',
  call: async (operation, input, cwd) => {
    const stdin = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: operation.name, params: input })}\n`;
    const { stdout } = await runMemory(['rpc', '--vault', 'vault'], { cwd, stdin });
    const { result, error } = JSON.parse(stdout);
    return error === undefined ? { result } : { error: { message: error.message, ...error.data } };
  },
};

/** Servers that calls of reading operations share. */
const servers = new Map<string, Promise<Server>>();
afterAll(async () => {
  for (const server of servers.values()) (await server).child.kill();
});

/** Its replies have a budget; here it is large enough for all of them. */
const mcp: Surface = {
  name: 'MCP',
  call: async (operation, input, cwd) => {
    const settings = { vault: 'vault', args: ['--tools', 'all'], cwd };
    const shared = servers.get(cwd) ?? openServer({ ...settings, keep: true });
    if (cwd === sharedPlace) servers.set(cwd, shared);
    const server = await shared;
    const reply = await server.call(operation.name, { ...input, max_tokens: 10_000_000 });
    if (cwd !== sharedPlace) server.child.stdin!.end();
    if (cwd !== sharedPlace) await server.ended;
    return reply.isError ? { error: errorOf(reply) } : { result: reply.structuredContent };
  },
};

/** MCP has a budget of its own in the place of some inputs, so that calls with those are none there. */
function surfacesFor(input: Input): readonly Surface[] {
  const isOffered = Object.keys(input).every((name) => !hiddenInputs.has(name));
  return isOffered ? [commandLine, rpc, mcp] : [commandLine, rpc];
}

/** Flags and positionals for an input, as a person would type them. */
function toWords(operation: Operation, input: Input): string[] {
  const flags: string[] = [];
  for (const { name, kind } of readFields(operation.input)) {
    const value = input[name];
    if (value === undefined || operation.positional.includes(name)) continue;
    const option = optionName(name);
    if (kind === 'boolean') flags.push(value === true ? `--${option}` : `--no-${option}`);
    else for (const one of Array.isArray(value) ? value : [value]) flags.push(`--${option}=${one}`);
  }
  const named = operation.positional.flatMap((name) =>
    input[name] === undefined ? [] : [String(input[name])],
  );
  return [...flags, '--', ...named];
}

type CommandLineError = {
  readonly message: string;
  readonly hint?: string;
  readonly details?: { readonly argument?: string; readonly arguments?: readonly string[] };
};

/** The command line names inputs as they are typed, and points to its own help where an error has no hint. */
function asFields({ hint, message, ...error }: CommandLineError): unknown {
  const named = [error.details?.argument, ...(error.details?.arguments ?? [])];
  const asNamed = named.reduce(
    (text: string, name) => (name === undefined ? text : text.replace(`--${optionName(name)}`, name)),
    message,
  );
  const kept = hint === undefined || hint.startsWith('Run `memory help') ? {} : { hint };
  return { ...error, ...kept, message: asNamed };
}

const CHANCE = new Set([
  'ms',
  'ageMs',
  'p50Ms',
  'p95Ms',
  'openMs',
  'textMs',
  'checkedMsAgo',
  'lastCheck',
  'calibrated',
  'lockedBy',
  'indexBytes',
  'bytes',
  'at',
]);

/** Ids of what was written just now. */
const CHANCE_ID = /^[0-9a-z]{12,}$/;

/** What differs from run to run: durations, ages, moments, ids, and the folder of the test. */
function withoutChance(answer: Answer, folder: string): unknown {
  const json = JSON.stringify(answer, (key, value) => {
    if (CHANCE.has(key)) return typeof value;
    const isId = (key === 'id' || key === 'undone') && typeof value === 'string';
    return isId && CHANCE_ID.test(value) ? '<id>' : value;
  });
  // A note that was claimed holds the minute, and so does its hash.
  const claimed = json.includes('"status":"claimed (') ? json.replace(/"[0-9a-f]{64}"/g, '"<hash>"') : json;
  const timed = claimed.replace(/claimed \((?!2026-11-13)\d{4}-\d\d-\d\d \d\d:\d\d\)/g, 'claimed (<minute>)');
  return JSON.parse(timed.replaceAll(folder, '<folder>').replaceAll(encodeURIComponent(folder), '<folder>'));
}

/** Reading operations share a place; the others, and `reindex`, which counts what is new, get one for each call. */
const sharedPlace = fill(sharedFolder());

async function placeFor(operation: Operation): Promise<string> {
  const isReading = operation.effect === 'read' && operation.name !== 'reindex';
  if (isReading) return sharedPlace;
  const folder = fill(temporaryFolder());
  if (operation.name === 'undo') await writeBefore(folder);
  return folder;
}

/** An edit of this machine, and a journal of another. */
async function writeBefore(folder: string): Promise<void> {
  const args = ['edit', 'profile', '--append', 'a', '--vault', 'vault'];
  expect((await runMemory(args, { cwd: folder })).code).toBe(0);
  const at = '2026-01-01T00:00:00.000Z';
  const move = { kind: 'move', from: 'old/windows.md', to: 'setups/windows.md' };
  const entries = [
    { id: 'moved', at, operation: 'move', steps: [move] },
    { id: 'gone', at, operation: 'add', steps: [{ kind: 'add', path: 'none.md', after: '0'.repeat(64) }] },
    { id: 'taken-back', at, operation: 'move', steps: [move] },
    { id: 'back', at, operation: 'undo', undoes: 'taken-back', steps: [] },
  ];
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
  writeFileSync(join(folder, 'vault/.memory/journal/2026-01.other.jsonl'), lines.join(''));
}

function fill(folder: string): string {
  copyExampleVault(folder);
  mkdirSync(join(folder, 'elsewhere'));
  writeFileSync(join(folder, 'file.txt'), 'no folder');
  writeCollection(join(folder, 'collection'));
  return folder;
}

/** Two texts and a question, in the format of retrieval collections. */
function writeCollection(folder: string): void {
  mkdirSync(folder);
  const texts = [
    { id: 'd1', title: 'Wings', text: 'Lift of a wing in a slipstream.' },
    { id: 'd2', title: 'Bread', text: 'Flour, water and time.' },
  ];
  writeFileSync(join(folder, 'docs.jsonl'), texts.map((text) => JSON.stringify(text)).join('\n'));
  writeFileSync(join(folder, 'queries.jsonl'), JSON.stringify({ id: 'q1', text: 'how does a wing lift' }));
  writeFileSync(join(folder, 'qrels.tsv'), 'q1\td1\t1\n');
}

const operations = await loadOperations();

test('every operation has a case, and no case is for none', () => {
  expect(Object.keys(cases).sort()).toEqual(operations.map(({ name }) => name).sort());
});

describe.each(operations)('$name', (operation) => {
  test.each(cases[operation.name] ?? [])('answers alike to %j', async (input) => {
    const answers = await Promise.all(
      surfacesFor(input).map(async ({ call }) => {
        const folder = await placeFor(operation);
        return withoutChance(await call(operation, input, folder), folder);
      }),
    );
    expect(answers[0]).toHaveProperty(isGood(answers[0]) ? 'result' : 'error.code');
    for (const answer of answers.slice(1)) expect(answer).toEqual(answers[0]);
  });
});

function isGood(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'result' in answer;
}
