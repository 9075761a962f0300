/** `memory connect` on files as they are on people's machines: shown, written, used by a client, taken back. */

import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'jsonc-parser';
import { describe, expect, onTestFinished, test } from 'vitest';
import { driverCommand, putAttribute, putDriver } from '../../src/adapters/client-config/git-config.js';
import { INITIALIZE } from '../mcp/server.js';
import {
  bin,
  copyExampleVault,
  quietEnvironment,
  runCommand,
  runMemory,
  temporaryFolder,
} from '../surfaces/run-memory.js';

type Place = {
  readonly home: string;
  readonly vault: string;
  readonly run: (args: readonly string[]) => Promise<{ code: number | null; stdout: string; stderr: string }>;
  readonly path: (relative: string) => string;
};

/** A home and a vault with the signs in their names that configurations and shells stumble over. */
function makePlace(files: Readonly<Record<string, string>> = {}): Place {
  const home = join(temporaryFolder(), `it's "home" 100%`);
  mkdirSync(home);
  const vault = copyExampleVault(home, 'my "notes"');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return {
    home,
    vault,
    path: (relative) => join(home, relative),
    run: (args) =>
      runMemory(['connect', ...args], {
        cwd: vault,
        environment: { HOME: home, XDG_CACHE_HOME: join(home, '.cache') },
      }),
  };
}

/** Everything below a folder: files with their bytes and modes, links, folders. */
function picture(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('.cache') && !path.includes('.vectors'))
    .sort()
    .map((path) => {
      const stats = lstatSync(join(folder, path));
      if (stats.isSymbolicLink()) return `${path} -> ${readlinkSync(join(folder, path))}`;
      return `${path} ${stats.mode} ${stats.isFile() ? readFileSync(join(folder, path), 'base64') : ''}`;
    });
}

/** For each client a configuration with something in it, and how the client would find our server in it. */
const CLIENTS: Readonly<
  Record<string, readonly [path: string, text: string, find: (config: never) => unknown]>
> = {
  'claude-code': [
    '.claude.json',
    '{\n  "numStartups": 12,\n  "mcpServers": {\n    "github": {\n      "type": "http",\n      "url": "https://example.org/mcp"\n    }\n  },\n  "projects": {}\n}',
    (config) => (config as Servers).mcpServers['agent-memory'],
  ],
  'claude-desktop': [
    '.config/Claude/claude_desktop_config.json',
    '{"globalShortcut":"","mcpServers":{"files":{"command":"/bin/files","args":[]}}}',
    (config) => (config as Servers).mcpServers['agent-memory'],
  ],
  codex: [
    '.codex/config.toml',
    'model = "m"\n\n# tools\n[mcp_servers.docs]\ncommand = "/bin/docs"\nargs = [\n  "serve", # always\n]\n\n[projects."/home/me/it\'s"]\ntrust_level = "trusted"\n',
    (config) => config,
  ],
  cursor: [
    '.cursor/mcp.json',
    '{\r\n\t"mcpServers": {\r\n\t\t"files": { "command": "/bin/files" },\r\n\t},\r\n}\r\n',
    (config) => (config as Servers).mcpServers['agent-memory'],
  ],
  vscode: [
    '.config/Code/User/mcp.json',
    '{\n\t"servers": {\n\t\t// for reviews\n\t\t"files": { "type": "stdio", "command": "/bin/files" }\n\t},\n\t"inputs": [],\n}\n',
    (config) => (config as { servers: Record<string, unknown> }).servers['agent-memory'],
  ],
  zed: [
    '.config/zed/settings.json',
    '// Zed settings\n//\n// For information on how to configure Zed, see the documentation.\n{\n  "theme": "One Dark", // for now\n  "vim_mode": true,\n}\n',
    (config) => (config as { context_servers: Record<string, unknown> }).context_servers['agent-memory'],
  ],
  opencode: [
    '.config/opencode/opencode.jsonc',
    '{\n  "$schema": "https://example.org/config.json",\n  "mcp": {\n    // one\n    "docs": { "type": "local", "command": ["/bin/docs"], "enabled": true },\n  },\n}\n',
    (config) => (config as { mcp: Record<string, unknown> }).mcp['agent-memory'],
  ],
  'gemini-cli': [
    '.gemini/settings.json',
    '{\n    "ui": { "theme": "Default" }\n}',
    (config) => (config as Servers).mcpServers['agent-memory'],
  ],
  windsurf: [
    '.codeium/windsurf/mcp_config.json',
    '',
    (config) => (config as Servers).mcpServers['agent-memory'],
  ],
};

type Servers = { readonly mcpServers: Readonly<Record<string, unknown>> };

/** The table of our server, whose values are JSON. */
function readTable(text: string): unknown {
  const [, table = ''] = text.split('[mcp_servers.agent-memory]\n');
  const lines = table.split('\n').filter((line) => line.includes(' = '));
  return Object.fromEntries(
    lines.slice(0, 2).map((line) => [line.split(' = ')[0], JSON.parse(line.split(' = ')[1]!)]),
  );
}

/** Starts the server as the client would, in a folder of its own, and shows a note with it. */
async function showWith(entry: unknown, home: string): Promise<unknown> {
  const { command, args = [] } = entry as { command: string | string[]; args?: string[] };
  const [program, ...words] = [command, args].flat();
  const child = spawn(program!, words, {
    cwd: temporaryFolder(),
    env: { ...quietEnvironment(), HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
    return JSON.parse((await answers.next()).value);
  };
  await ask('initialize', INITIALIZE);
  const { result } = await ask('tools/call', { name: 'show', arguments: { note: 'profile' } });
  child.stdin.end();
  return result.structuredContent.path;
}

describe.each(Object.entries(CLIENTS))('connect %s', (client, [path, text, find]) => {
  test('shows, writes what the client can use, and takes it back to the byte', {
    timeout: 60_000,
  }, async () => {
    const place = makePlace({ [path]: text });
    const before = picture(place.home);

    const shown = await place.run([client]);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain(`+++ ${place.path(path)}\n`);
    expect(shown.stdout).toContain('nothing was written');
    expect(picture(place.home)).toEqual(before);

    expect(await place.run([client, '--write'])).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(`${place.path(path)}.agent-memory-backup`, 'utf8')).toBe(text);
    const written = readFileSync(place.path(path), 'utf8');
    const config = path.endsWith('.toml')
      ? readTable(written)
      : parse(written, [], { allowTrailingComma: true });
    const entry = find(config as never);
    expect(JSON.stringify(entry)).toContain(
      JSON.stringify([bin, 'mcp', '--vault', place.vault]).slice(1, -1),
    );
    expect(await showWith(entry, place.home)).toBe('profile.md');
    const after = picture(place.home);
    expect((await place.run([client, '--write'])).stdout).toBe('set up already, nothing to change\n');
    expect(picture(place.home)).toEqual(after);

    expect(await place.run([client, '--remove'])).toMatchObject({ code: 0, stderr: '' });
    expect(picture(place.home)).toEqual(before);
    expect((await place.run([client, '--remove'])).stdout).toBe('nothing is set up here\n');
  });

  test('makes files and folders that are missing, and takes them away', async () => {
    const place = makePlace();
    const files = () => picture(place.home).filter((one) => / 33\d{3} /.test(one));
    const before = files();
    expect(await place.run([client, '--write'])).toMatchObject({ code: 0, stderr: '' });
    expect(files().length).toBeGreaterThan(before.length);
    expect(await place.run([client, '--remove'])).toMatchObject({ code: 0, stderr: '' });
    expect(files()).toEqual(before);
  });
});

describe('connect', () => {
  const [path, text] = CLIENTS['cursor']!;

  test('takes out its entry alone where the file was changed since', async () => {
    const place = makePlace({ [path]: text });
    await place.run(['cursor', '--write']);
    const since = readFileSync(place.path(path), 'utf8').replace('"/bin/files"', '"/bin/other"');
    writeFileSync(place.path(path), since);
    expect((await place.run(['cursor', '--remove'])).code).toBe(0);
    expect(readFileSync(place.path(path), 'utf8')).toBe(text.replace('"/bin/files"', '"/bin/other"'));
    expect(existsSync(`${place.path(path)}.agent-memory-backup`)).toBe(false);
  });

  test('follows the vault when it is called again for another, and keeps the first backup', async () => {
    const place = makePlace({ [path]: text });
    await place.run(['cursor', '--write']);
    const other = copyExampleVault(place.home, 'other');
    const again = await place.run(['cursor', '--write', '--vault', other, '--no-instructions']);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(place.path(path), 'utf8')).toContain(JSON.stringify(other));
    expect(readFileSync(`${place.path(path)}.agent-memory-backup`, 'utf8')).toBe(text);
    await place.run(['cursor', '--remove']);
    expect(readFileSync(place.path(path), 'utf8')).toBe(text);
  });

  test('keeps several vaults under names of their own', async () => {
    const place = makePlace({ [path]: text });
    await place.run(['cursor', '--write', '--name', 'one']);
    await place.run(['cursor', '--write', '--name', 'two']);
    const { mcpServers } = parse(readFileSync(place.path(path), 'utf8')) as Servers;
    expect(Object.keys(mcpServers)).toEqual(['files', 'one', 'two']);
    await place.run(['cursor', '--remove', '--name', 'one']);
    await place.run(['cursor', '--remove', '--name', 'two']);
    expect(readFileSync(place.path(path), 'utf8')).toBe(text);
  });

  test('refuses a file that is broken, with the line, and changes nothing', async () => {
    const place = makePlace({ [path]: '{\n  "mcpServers": {\n    "a": {}\n    "b": {}\n  }\n}\n' });
    const before = picture(place.home);
    const { code, stderr } = await place.run(['cursor', '--write']);
    expect(code).toBe(4);
    expect(stderr).toContain(`"${place.path(path)}" cannot be changed: line 4: comma expected`);
    expect(picture(place.home)).toEqual(before);
  });

  test('refuses a file that is read-only, and changes nothing', async () => {
    const place = makePlace({ [path]: text });
    chmodSync(place.path(path), 0o444);
    const before = picture(place.home);
    const { code, stderr } = await place.run(['cursor', '--write']);
    expect(code).toBe(5);
    expect(stderr).toContain(`Cannot write "${place.path(path)}": it is read-only`);
    expect(picture(place.home)).toEqual(before);
  });

  test('keeps modes and links, and leaves bytes that are no text alone', async () => {
    const place = makePlace({ 'dotfiles/mcp.json': text });
    chmodSync(place.path('dotfiles/mcp.json'), 0o600);
    mkdirSync(place.path('.cursor'));
    symlinkSync('../dotfiles/mcp.json', place.path(path));
    const before = picture(place.home);
    expect((await place.run(['cursor', '--write'])).code).toBe(0);
    expect(readlinkSync(place.path(path))).toBe('../dotfiles/mcp.json');
    expect(lstatSync(place.path('dotfiles/mcp.json')).mode & 0o777).toBe(0o600);
    expect(lstatSync(place.path('dotfiles/mcp.json.agent-memory-backup')).mode & 0o777).toBe(0o600);
    await place.run(['cursor', '--remove']);
    expect(picture(place.home)).toEqual(before);
    writeFileSync(place.path('dotfiles/mcp.json'), Buffer.from([0x7b, 0xff, 0x7d]));
    expect(await place.run(['cursor', '--write'])).toMatchObject({ code: 4 });
  });

  test('with a folder writes for that project alone', async () => {
    const place = makePlace({ 'code/shop/AGENTS.md': '# Shop\n' });
    const before = picture(place.home);
    expect((await place.run(['cursor', '--write', '--folder', place.path('code/shop')])).code).toBe(0);
    expect(existsSync(place.path('code/shop/.cursor/mcp.json'))).toBe(true);
    expect(existsSync(place.path(path))).toBe(false);
    expect(existsSync(join(place.vault, 'AGENTS.md'))).toBe(false);
    const agents = readFileSync(place.path('code/shop/AGENTS.md'), 'utf8');
    expect(agents).toMatch(
      /^# Shop\n\n<!-- agent-memory:begin .*-->\n## Memory\n(?:.*\n)*<!-- agent-memory:end -->\n$/,
    );
    await place.run(['cursor', '--remove', '--folder', place.path('code/shop')]);
    expect(picture(place.home).filter((one) => !one.startsWith('code/shop/.cursor '))).toEqual(before);
    expect(await place.run(['windsurf', '--folder', place.path('code/shop')])).toMatchObject({ code: 2 });
  });

  test('shares one block of instructions among clients, and leaves a skill of others alone', async () => {
    const place = makePlace({ '.claude/skills/agent-memory/SKILL.md': 'mine\n' });
    await place.run(['codex', '--write']);
    await place.run(['cursor', '--write']);
    const agents = readFileSync(join(place.vault, 'AGENTS.md'), 'utf8');
    expect(agents.match(/agent-memory:begin/g)).toHaveLength(1);
    const refused = await place.run(['claude-code', '--write']);
    expect(refused).toMatchObject({ code: 4 });
    expect(refused.stderr).toContain('is a skill of somebody else');
    expect(existsSync(place.path('.claude.json'))).toBe(false);
    expect(await place.run(['claude-code', '--write', '--no-instructions'])).toMatchObject({ code: 0 });
    expect(readFileSync(place.path('.claude/skills/agent-memory/SKILL.md'), 'utf8')).toBe('mine\n');
  });

  test('puts servers of opencode where its second version looks for them, unless the file is of the first', async () => {
    const place = makePlace();
    await place.run(['opencode', '--write']);
    const file = place.path('.config/opencode/opencode.json');
    expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
      mcp: { servers: { 'agent-memory': { type: 'local' } } },
    });
    expect(await place.run(['opencode', '--remove'])).toMatchObject({ code: 0 });
    expect(existsSync(file)).toBe(false);
  });

  test('lists where clients are set up', async () => {
    const place = makePlace({ [path]: text, '.gemini/settings.json': '{ "a" }' });
    await place.run(['codex', '--write']);
    const { stdout } = await place.run(['--list', '--json']);
    const { connections } = JSON.parse(stdout) as {
      connections: { client: string; state: string; vault: string; reason: string }[];
    };
    const states = Object.fromEntries(connections.map(({ client, state }) => [client, state]));
    expect(states).toEqual({
      'claude-code': 'no file',
      'claude-desktop': 'no file',
      codex: 'connected',
      cursor: 'not connected',
      vscode: 'no file',
      zed: 'no file',
      opencode: 'no file',
      'gemini-cli': 'unreadable',
      windsurf: 'no file',
    });
    expect(connections.find(({ client }) => client === 'codex')!.vault).toBe(place.vault);
    expect(connections.find(({ client }) => client === 'gemini-cli')!.reason).toContain('line 1');
  });

  test.each([[[]], [['cursor', '--write', '--remove']], [['emacs']], [['cursor', '--name', 'a.b']]])(
    'refuses %j',
    async (args) => {
      expect((await makePlace().run(args)).code).toBe(2);
    },
  );
});

const IDENTITY = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];

describe('connect git', () => {
  const git = (place: Place, ...args: string[]) => runCommand('git', ['-C', place.vault, ...args]);

  test('sets up the driver in a repository, and takes it back to the byte', async () => {
    const place = makePlace();
    await git(place, 'init', '-q');
    const before = picture(place.home);
    expect((await place.run(['git'])).stdout).toContain('+*.md merge=agent-memory\n');
    expect(await place.run(['git', '--write'])).toMatchObject({ code: 0, stderr: '' });
    const driver = (await git(place, 'config', 'merge.agent-memory.driver')).stdout.trim();
    expect(driver.endsWith(` ${bin} merge-driver %O %A %B`)).toBe(true);
    const attribute = await git(
      place,
      'check-attr',
      'merge',
      '--',
      'daily/2026-01-14.md',
      'assets/map.canvas',
    );
    expect(attribute.stdout).toBe(
      'daily/2026-01-14.md: merge: agent-memory\nassets/map.canvas: merge: unspecified\n',
    );
    expect((await place.run(['git', '--write'])).stdout).toBe('set up already, nothing to change\n');
    expect((await place.run(['--list'])).stdout).toMatch(/^git +connected +/m);
    expect(await place.run(['git', '--remove'])).toMatchObject({ code: 0, stderr: '' });
    expect(picture(place.home)).toEqual(before);
  });

  test('does not write while git writes the configuration of the repository', async () => {
    const place = makePlace();
    await git(place, 'init', '-q');
    writeFileSync(join(place.vault, '.git/config.lock'), '');
    const before = readFileSync(join(place.vault, '.git/config'), 'utf8');
    const { code, stderr } = await place.run(['git', '--write']);
    expect([code, readFileSync(join(place.vault, '.git/config'), 'utf8')]).toEqual([5, before]);
    expect(stderr).toContain('config.lock');
  });

  test('names a driver that git can start, whatever signs its path holds', async () => {
    const place = makePlace();
    const script = place.path(`it's "driver" 50%.cjs`);
    const note = join(place.vault, 'profile.md');
    writeFileSync(
      script,
      `require('node:fs').writeFileSync(process.argv[4], process.argv.slice(2, 3) + '\\n');`,
    );
    await git(place, 'init', '-q', '-b', 'main');
    const settings = join(place.vault, '.git/config');
    const driver = driverCommand({ command: process.execPath, args: [script] });
    writeFileSync(settings, putDriver(readFileSync(settings, 'utf8'), driver));
    writeFileSync(join(place.vault, '.gitattributes'), putAttribute(undefined));
    const commit = async (text: string) => {
      writeFileSync(note, text);
      await git(place, 'add', '-A');
      await git(place, ...IDENTITY, 'commit', '-q', '-m', 'x');
    };
    await commit('one\n');
    await git(place, 'checkout', '-q', '-b', 'other');
    await commit('two\n');
    await git(place, 'checkout', '-q', 'main');
    await commit('three\n');
    const merged = await git(place, ...IDENTITY, 'merge', '-q', 'other');
    expect([merged.code, readFileSync(note, 'utf8')]).toEqual([0, 'merge-driver\n']);
  });

  test('knows work trees, and says where there is no repository', async () => {
    const place = makePlace();
    const { code, stderr } = await place.run(['git']);
    expect(code).toBe(3);
    expect(stderr).toContain('does not lie in a git repository');
    await git(place, 'init', '-q');
    await git(place, ...IDENTITY, 'commit', '-q', '--allow-empty', '-m', 'x');
    await git(place, 'worktree', 'add', '-q', place.path('tree'));
    expect((await place.run(['git', '--write', '--folder', place.path('tree')])).code).toBe(0);
    expect(existsSync(place.path('tree/.gitattributes'))).toBe(true);
    expect((await git(place, 'config', 'merge.agent-memory.driver')).code).toBe(0);
  });
});
