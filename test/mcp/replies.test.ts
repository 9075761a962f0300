/** Replies: data that fits its schema, text in a frame, both within the budget and complete over all pages. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from '@modelcontextprotocol/client/validators/ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { estimateTokens } from '../../src/core/text/estimate-tokens.js';
import { operationNames } from '../../src/operations/index.js';
import { LEAST_MAX_TOKENS } from '../../src/surfaces/mcp/call-tool.js';
import { copyExampleVault, sharedFolder, temporaryFolder } from '../surfaces/run-memory.js';
import { openServer, type Server, type ToolReply, textOf } from './server.js';

type Input = Readonly<Record<string, unknown>>;

const HUNDRED = Array.from({ length: 100 }, (_, at) => at);

/** The example vault with notes that make long replies of every kind. */
function makeVault(folder: string): string {
  const vault = copyExampleVault(folder);
  const write = (path: string, text: string): void => {
    mkdirSync(join(vault, path, '..'), { recursive: true });
    writeFileSync(join(vault, path), text);
  };
  const paragraphs = HUNDRED.map((at) => `- point ${at} about ferries\n    - and what follows from it\n`);
  write('long.md', `# Long\n\n${paragraphs.join('')}`);
  write('wide.md', `# Wide\n\n${'ferry 渡し船 '.repeat(3_000)}\n`);
  write('hub.md', `# Hub\n\n${HUNDRED.map((at) => `- see [[spoke ${at}]] and [[none ${at}]]\n`).join('')}`);
  for (const at of HUNDRED) {
    write(
      `spokes/spoke ${at}.md`,
      `---\ntags: [t${at}/a, t${at}/b]\n---\n# Spoke ${at}\n\nBack to [[hub]] by ferry.\n`,
    );
  }
  return vault;
}

const vault = makeVault(sharedFolder());
const folder = sharedFolder();
let server: Server;
const validators = new Map<string, ReturnType<InstanceType<typeof Ajv>['compile']>>();

beforeAll(async () => {
  server = await openServer({ vault, args: ['--tools', 'all'], cwd: folder, keep: true });
  const { result } = await server.request('tools/list');
  for (const tool of result!['tools'] as { name: string; outputSchema: object }[]) {
    validators.set(tool.name, new Ajv({ strict: true, allErrors: true }).compile(tool.outputSchema));
  }
});
afterAll(() => void server.child.kill());

async function checked(name: string, input: Input): Promise<ToolReply> {
  const reply = await server.call(name, input);
  expect(reply.isError, textOf(reply)).toBeUndefined();
  const validate = validators.get(name)!;
  expect(validate(reply.structuredContent), JSON.stringify(validate.errors)).toBe(true);
  const budget = Math.max(LEAST_MAX_TOKENS, Number(input['max_tokens'] ?? 4_000));
  expect(estimateTokens(textOf(reply))).toBeLessThanOrEqual(budget);
  expect(estimateTokens(JSON.stringify(reply.structuredContent))).toBeLessThanOrEqual(budget);
  return reply;
}

/** All pages of a reply. */
async function pagesOf(name: string, input: Input): Promise<readonly ToolReply[]> {
  const pages = [await checked(name, input)];
  for (;;) {
    const cursor = pages.at(-1)!.structuredContent!['cursor'];
    if (cursor === undefined) return pages;
    expect(textOf(pages.at(-1)!)).toContain(`cursor "${cursor}"`);
    pages.push(await checked(name, { ...input, cursor }));
    expect(pages.length).toBeLessThan(2_000);
  }
}

const FRAME =
  /^(?:[^\n]*\n)*?Text from notes: [^\n]* "(end of notes [0-9a-f]{12})"\.\n([\s\S]*)\n\1(?:\ncut here: .*)?$/;

function framed(reply: ToolReply): string {
  const match = FRAME.exec(textOf(reply));
  expect(match, textOf(reply)).not.toBeNull();
  return match![2]!;
}

/** Lists and long texts joined over the pages; what stands in all of them once. */
function joined(values: readonly unknown[]): unknown {
  const [first] = values;
  if (typeof first === 'string') return values.every((value) => value === first) ? first : values.join('');
  if (Array.isArray(first)) {
    const same = JSON.stringify(first);
    if (first.length > 0 && values.every((value) => JSON.stringify(value) === same)) return first;
    return values.flat().reduce(joinGroups, []);
  }
  if (typeof first !== 'object' || first === null) return first;
  const keys = Object.keys(first);
  return Object.fromEntries(keys.map((key) => [key, joined(values.map((value) => (value as Input)[key]))]));
}

/** A group that a page ended in goes on in the next with its kind named again. */
function joinGroups(before: readonly unknown[], next: unknown): readonly unknown[] {
  const last = before.at(-1) as Input | undefined;
  const group = next as Input;
  if (group?.['kind'] === undefined || last?.['kind'] !== group['kind']) return [...before, next];
  const items = [...(last['items'] as unknown[]), ...(group['items'] as unknown[])];
  return [...before.slice(0, -1), { ...group, items }];
}

function dataOf(pages: readonly ToolReply[]): Input {
  const data = joined(pages.map(({ structuredContent }) => structuredContent)) as Input;
  const { cursor: _cursor, checkedMsAgo: _age, index: _index, ...rest } = data;
  return rest;
}

describe('every reply of every tool fits its schema', () => {
  const inputs: Readonly<Record<string, readonly Input[]>> = {
    init: [{ dir: 'new' }, { dir: 'new' }],
    reindex: [{}, { verify: true }],
    search: [
      { query: 'ferry' },
      { query: 'ferry -lazy "no such phrase"', limit: 100, full: true },
      { query: '' },
    ],
    show: [{ note: 'long.md' }, { note: 'Lazy model', section: 'Why' }],
    add: [
      { title: 'New', content: 'text' },
      { title: 'Other', dryRun: true },
    ],
    edit: [
      { note: 'profile', append: '- more' },
      { note: 'profile', append: 'x', dryRun: true },
    ],
    move: [
      { note: 'New', to: 'moved/' },
      { note: 'hub', to: 'hubs/hub.md', dryRun: true },
    ],
    delete: [{ note: 'moved/New.md' }, { note: 'hub', dryRun: true }],
    undo: [{ dryRun: true }, {}],
    links: [{ note: 'hub' }, { note: 'Lazy model' }],
    tags: [{}, { sort: 'count', limit: 5 }],
    recent: [{}, { limit: 200 }],
    status: [{}],
    explain: [{ query: 'ferry', note: 'hub' }],
    calibrate: [{}],
    doctor: [{}, { limit: 1_000 }],
    eval: [{ add: 'where is the ferry', note: 'long' }, { compare: 'plain' }],
    profile: [{}, { action: 'show', name: 'meaning' }],
    open: [{}, { limit: 1 }],
    claim: [{ next: true, dryRun: true }],
    model: [{}, { action: 'show', id: 'Qwen3-Embedding-0.6B' }, { action: 'check' }],
    connect: [{ client: 'cursor' }, { list: true }],
  };

  test.each(operationNames)('%s', async (name) => {
    expect(inputs, `no calls of ${name}`).toHaveProperty(name);
    for (const input of inputs[name]!) await checked(name, input);
  });
});

describe('a reply larger than its budget', () => {
  test.each<[string, Input]>([
    ['search', { query: 'ferry', limit: 60, full: true, refresh: false }],
    ['show', { note: 'long.md' }],
    ['links', { note: 'hub' }],
    ['tags', {}],
    ['recent', { limit: 120 }],
    ['doctor', { limit: 200 }],
    ['delete', { note: 'hub', dryRun: true }],
  ])('of %s is cut into pages that hold all of it', async (name, input) => {
    const [whole, ...more] = await pagesOf(name, { ...input, max_tokens: 1_000_000 });
    expect(more).toEqual([]);
    for (const max_tokens of [1, 500, 1_300]) {
      const pages = await pagesOf(name, { ...input, max_tokens });
      expect(pages.length).toBeGreaterThan(1);
      expect(dataOf(pages)).toEqual({ ...dataOf([whole!]), ...(name === 'show' ? { truncated: true } : {}) });
      // A cut falls where a line ends.
      const lines = pages.flatMap((page) => framed(page).split('\n')).filter((line) => line !== '');
      const expected = framed(whole!)
        .split('\n')
        .filter((line) => line !== '');
      // The last line of these tells how old or how large the index is.
      const told = name === 'search' || name === 'doctor' ? -1 : undefined;
      expect(lines.slice(0, told)).toEqual(expected.slice(0, told));
    }
  });

  test('shows of each page’s data the text', async () => {
    for (const page of await pagesOf('search', { query: 'ferry', limit: 60, full: true, max_tokens: 700 })) {
      const hits = page.structuredContent!['hits'] as { path: string }[];
      const shown = [...framed(page).matchAll(/^\d+ {2}(.+?):\d+ {3}/gm)].map((match) => match[1]);
      // One hit more or less stands at either end.
      const own = hits.map(({ path }) => path);
      expect(own.filter((path) => !shown.includes(path)).length).toBeLessThanOrEqual(2);
    }
  });

  test('is cut within a line that is longer, and at no half character', async () => {
    const input = { note: 'wide.md' };
    const whole = await checked('show', { ...input, max_tokens: 100_000 });
    const pages = await pagesOf('show', { ...input, max_tokens: 900 });
    expect(dataOf(pages)['text']).toBe(whole.structuredContent!['text']);
    for (const page of pages) expect(framed(page).isWellFormed?.() ?? true).toBe(true);
  });

  test('says of a note that it goes on', async () => {
    const [first, ...others] = await pagesOf('show', { note: 'long.md', max_tokens: 600 });
    const hash = String(first!.structuredContent!['hash']).slice(0, 16);
    expect(textOf(first!).split('\n')[0]).toMatch(
      new RegExp(`^long\\.md · updated [\\d :-]{16} · hash ${hash}$`),
    );
    expect(textOf(others[0]!).split('\n')[0]).toMatch(new RegExp(` · hash ${hash} · continued$`));
    expect(first!.structuredContent!['truncated']).toBe(true);
    expect(others.at(-1)!.structuredContent!['truncated']).toBe(false);
  });

  test('goes on as it was, whatever became of the notes', async () => {
    const own = makeVault(temporaryFolder());
    const other = await openServer({ vault: own });
    const first = await other.call('show', { note: 'long.md', max_tokens: 600 });
    writeFileSync(join(own, 'long.md'), '# Other\n');
    const cursor = first.structuredContent!['cursor'];
    const rest = await other.call('show', { note: 'long.md', cursor, max_tokens: 100_000 });
    expect(textOf(rest)).toContain('point 99 about ferries');
    expect((await other.call('show', { cursor, max_tokens: 100_000 })).structuredContent).toEqual(
      rest.structuredContent,
    );
  });

  test.each<[string, Input]>([
    ['search', { query: 'ferry' }],
    ['show', { note: 'wide.md' }],
  ])('does not go on in another call: %s %j', async (name, input) => {
    const first = await server.call('show', { note: 'long.md', max_tokens: 600 });
    const reply = await server.call(name, { ...input, cursor: first.structuredContent!['cursor'] });
    expect(textOf(reply)).toMatch(/^invalid_input: .* belongs to another call\n/);
  });

  test('has 4,000 tokens unless others are asked for', async () => {
    const text = textOf(await checked('show', { note: 'wide.md' }));
    expect(estimateTokens(text)).toBeGreaterThan(3_500);
  });
});

describe('resources', () => {
  test('are listed in pages of one moment, each note once', async () => {
    const large = copyExampleVault(temporaryFolder());
    for (let at = 0; at < 450; at += 1) writeFileSync(join(large, `n ${at} ü&#?.md`), `# N${at}\n`);
    const lister = await openServer({ vault: large });
    const uris: string[] = [];
    let cursor: unknown;
    do {
      const { result } = await lister.request('resources/list', cursor === undefined ? {} : { cursor });
      uris.push(...(result!['resources'] as { uri: string }[]).map(({ uri }) => uri));
      cursor = result!['nextCursor'];
      writeFileSync(join(large, `later ${uris.length}.md`), 'x');
    } while (cursor !== undefined);
    expect(uris).toHaveLength(475);
    expect(new Set(uris).size).toBe(475);
    const uri = 'memory://note/n%20449%20%C3%BC%26%23%3F.md';
    expect(uris).toContain(uri);
    const { result } = await lister.request('resources/read', { uri });
    expect(result!['contents']).toEqual([{ uri, mimeType: 'text/markdown', text: '# N449\n' }]);
  });

  test('are read whole, by a path whose slashes are encoded, too', async () => {
    const uri = 'memory://note/decisions%2Flazy-model.md';
    const { result } = await server.request('resources/read', { uri });
    const { structuredContent } = await server.call('show', { note: 'decisions/lazy-model.md' });
    expect(result!['contents']).toMatchObject([{ uri, text: structuredContent!['text'] }]);
  });
});

test('what is out of the ordinary is said above the text', async () => {
  const reply = await checked('search', { query: 'ferry', folder: 'none' });
  expect(textOf(reply)).toMatch(/^notice: .*\nText from notes/);
});

test('instructions tell what the vault holds, in at most 200 tokens', async () => {
  const own = makeVault(temporaryFolder());
  for (let at = 0; at < 30; at += 1) mkdirSync(join(own, `a folder with a rather long name ${at}`));
  mkdirSync(join(own, 'bad\nname‮"(x)`'));
  const instructions = async () => {
    const fresh = await openServer({ vault: own, args: ['--tools', 'add,tags'] });
    const text = String(fresh.messages[0]!.result!['instructions']);
    expect(estimateTokens(text)).toBeLessThanOrEqual(200);
    await fresh.call('tags');
    fresh.child.stdin!.end();
    await fresh.ended;
    return text;
  };
  expect(await instructions()).toMatch(/^Notes in the vault "vault"; folders: a folder with a rather l, /);
  expect(await instructions()).toMatch(/^About 128 notes in the vault .*; tags: /);
});
