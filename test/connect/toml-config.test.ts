/** Tables in TOML configurations: what is put in, what stays, and that taking out restores the bytes. */

import { describe, expect, test } from 'vitest';
import {
  putTomlEntry,
  readTomlEntry,
  removeTomlEntry,
} from '../../src/adapters/client-config/toml-config.js';
import { tomlStatements } from '../../src/adapters/client-config/toml-statements.js';

const KEYS = ['mcp_servers', 'agent-memory'];
const ENTRY = { command: '/usr/bin/node', args: ['/opt/a b/"memory".js', 'mcp', '--vault', 'C:\\notes'] };
const TABLE = `[mcp_servers.agent-memory]
command = "/usr/bin/node"
args = ["/opt/a b/\\"memory\\".js", "mcp", "--vault", "C:\\\\notes"]`;

const put = (text: string | undefined) => putTomlEntry('config.toml', text, KEYS, ENTRY);
const remove = (text: string) => removeTomlEntry('config.toml', text, KEYS);

const FILES: readonly (readonly [what: string, text: string])[] = [
  ['settings', 'model = "x"\n\n[mcp_servers.other]\ncommand = "y"\n'],
  ['no newline at its end', 'model = "x"'],
  ['blank lines at its end', 'model = "x"\n\n\n'],
  ['a comment at its end', '[a]\nb = 1 # c\n# the end\n'],
  ['CRLF', 'model = "x"\r\n[a]\r\nb = 1\r\n'],
  ['texts of several lines', 'a = """\n[mcp_servers.agent-memory]\n"""\nb = \'\'\'\nx = \'\'\'\n'],
  ['lists of several lines', 'a = [\n  "x", # [one]\n  [1, 2],\n]\nb = { c = "}" }\n'],
  ['quoted keys', '"a b".\'c\' = 1\n[ "d.e" . f ]\n'],
  ['an array of tables', '[[hooks]]\na = 1\n[[hooks]]\na = 2\n'],
  ['a BOM', '\ufeffa = 1\n'],
];

describe('putTomlEntry()', () => {
  test.each(FILES)('adds a table at the end of a file with %s', (_, text) => {
    const after = put(text);
    expect(after.startsWith(text)).toBe(true);
    expect(after.replaceAll('\r\n', '\n').trimEnd().endsWith(`\n\n${TABLE}`)).toBe(true);
    expect(readTomlEntry('config.toml', after, KEYS)).toEqual(ENTRY);
    expect(put(after)).toBe(after);
  });

  test('begins a file', () => {
    expect(put(undefined)).toBe(`${TABLE}\n`);
  });

  test('replaces what is ours and keeps what a person added to it', () => {
    const text =
      '[mcp_servers."agent-memory"] # mine\nargs = [\n  "old",\n] # two\nenabled = true\ncommand = \'x\'\n[mcp_servers.agent-memory.env]\nA = "1"\n\n[z]\n';
    expect(put(text)).toBe(
      `[mcp_servers."agent-memory"] # mine\n${TABLE.split('\n')[2]} # two\nenabled = true\ncommand = "/usr/bin/node"\n[mcp_servers.agent-memory.env]\nA = "1"\n\n[z]\n`,
    );
  });

  test('adds what the table lacks', () => {
    expect(put('[mcp_servers.agent-memory]\nenabled = true\n')).toBe(`${TABLE}\nenabled = true\n`);
    expect(put('[mcp_servers.agent-memory]')).toBe(`${TABLE}\n`);
  });

  test.each([
    ['a = 1\nb\n', 'line 2: a key has no value'],
    ['a =\n', 'line 1: a key has no value'],
    ['[a\n', 'line 1: the header of the table is not closed'],
    ['[a] b\n', 'line 1: text stands behind the header of the table'],
    ['x = 1\n\na = "b\n', 'line 3: a text in quotes is not closed'],
    ['a = [1,\n2\n', 'line 1: a bracket is not closed'],
    ['a = 1]\n', 'line 1: a bracket is closed that was not opened'],
    ['{"json": 1}\n', 'line 1: this is no key'],
    [`${TABLE}\n${TABLE}\n`, 'line 4: the table stands there twice'],
    ['[mcp_servers]\nagent-memory = { command = "x" }\n', 'line 2: write it as a table of its own'],
    ['mcp_servers.agent-memory.command = "x"\n', 'line 1: write it as a table of its own'],
    ['mcp_servers = { }\n', 'line 1: write it as a table of its own'],
    ['[[mcp_servers.agent-memory]]\n', 'line 1: this is a list of tables'],
  ])('refuses %j', (text, message) => {
    expect(() => put(text)).toThrow(
      expect.objectContaining({ code: 'conflict', message: expect.stringContaining(message) }),
    );
  });
});

describe('removeTomlEntry()', () => {
  test.each(FILES)('restores the bytes of a file with %s', (_, text) => {
    expect(remove(put(text))).toBe(text);
  });

  test('takes the tables below it too, and leaves what stands between others', () => {
    const text = `a = 1\n\n${TABLE}\n\n[mcp_servers.agent-memory.env]\nA = "1"\n\n# of z\n[z]\nb = 2\n`;
    expect(remove(text)).toBe('a = 1\n\n# of z\n[z]\nb = 2\n');
  });

  test('of a file without it changes nothing', () => {
    expect(remove('a = 1\n')).toBe('a = 1\n');
  });
});

test.each(FILES)('tomlStatements() covers all of a file with %s', (_, text) => {
  const statements = tomlStatements('c', text);
  expect(statements.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
});
