/** Entries in JSON configurations as people have them: what is put in, what stays, and that taking out restores the bytes. */

import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import {
  putJsonEntry,
  readJsonEntry,
  removeJsonEntry,
} from '../../src/adapters/client-config/json-config.js';
import { type Random, seededRandom } from '../random.js';

const KEYS = ['mcpServers', 'agent-memory'];
const ENTRY = { command: '/usr/bin/node', args: ['/opt/a b/"memory".js', 'mcp'] };

const put = (text: string | undefined, entry: Readonly<Record<string, unknown>> = ENTRY) =>
  putJsonEntry('config.json', text, KEYS, entry);
const remove = (text: string) => removeJsonEntry('config.json', text, KEYS);

/** Configurations with something in them, which come back to the byte. */
const FILES: readonly (readonly [what: string, text: string, after: string])[] = [
  [
    'another server, two spaces',
    '{\n  "mcpServers": {\n    "a": { "command": "x" }\n  },\n  "theme": "dark"\n}\n',
    '{\n  "mcpServers": {\n    "a": { "command": "x" },\n    "agent-memory": {\n      "command": "C",\n      "args": []\n    }\n  },\n  "theme": "dark"\n}\n',
  ],
  [
    'tabs',
    '{\n\t"mcpServers": {\n\t\t"a": {}\n\t}\n}',
    '{\n\t"mcpServers": {\n\t\t"a": {},\n\t\t"agent-memory": {\n\t\t\t"command": "C",\n\t\t\t"args": []\n\t\t}\n\t}\n}',
  ],
  [
    'CRLF',
    '{\r\n    "mcpServers": {\r\n        "a": {}\r\n    }\r\n}\r\n',
    '{\r\n    "mcpServers": {\r\n        "a": {},\r\n        "agent-memory": {\r\n            "command": "C",\r\n            "args": []\r\n        }\r\n    }\r\n}\r\n',
  ],
  [
    'comments',
    '// mine\n{\n  // servers\n  "mcpServers": {\n    "a": {} // the first\n    /* and no more */\n  } // end\n}\n',
    '// mine\n{\n  // servers\n  "mcpServers": {\n    "a": {}, // the first\n    /* and no more */\n    "agent-memory": {\n      "command": "C",\n      "args": []\n    }\n  } // end\n}\n',
  ],
  [
    'trailing commas',
    '{\n  "mcpServers": {\n    "a": {}, // one\n  },\n}\n',
    '{\n  "mcpServers": {\n    "a": {}, // one\n    "agent-memory": {\n      "command": "C",\n      "args": []\n    },\n  },\n}\n',
  ],
  [
    'no object of servers',
    '{\n  "theme": "dark"\n}\n',
    '{\n  "theme": "dark",\n  "mcpServers": {\n    "agent-memory": {\n      "command": "C",\n      "args": []\n    }\n  }\n}\n',
  ],
  [
    'one line',
    '{"mcpServers":{"a":{"command":"x"}}}',
    '{"mcpServers":{"a":{"command":"x"}, "agent-memory": {"command":"C","args":[]}}}',
  ],
  [
    'one line with a trailing comma',
    '{ "mcpServers": { "a": 1, } }',
    '{ "mcpServers": { "a": 1, "agent-memory": {"command":"C","args":[]}, } }',
  ],
  [
    'a brace at the end of a line',
    '{ "mcpServers": {\n  "a": 1,\n  "b": 2 }\n}',
    '{ "mcpServers": {\n  "a": 1,\n  "b": 2,\n  "agent-memory": {\n    "command": "C",\n    "args": []\n  }\n }\n}',
  ],
  [
    'a BOM',
    '\ufeff{\n  "mcpServers": {\n    "a": 1\n  }\n}',
    '\ufeff{\n  "mcpServers": {\n    "a": 1,\n    "agent-memory": {\n      "command": "C",\n      "args": []\n    }\n  }\n}',
  ],
];

describe('putJsonEntry()', () => {
  test.each(FILES)('adds to a file with %s', (_, text, after) => {
    expect(put(text, { command: 'C', args: [] })).toBe(after);
  });

  test.each([
    ['no file', undefined],
    ['an empty file', ''],
    ['an empty object', '{}\n'],
    ['a comment alone', '// nothing yet\n'],
    ['a comment without newline', '// nothing yet'],
    ['an empty object of servers', '{\n  "mcpServers": {}\n}\n'],
    ['an object of servers that holds a comment', '{\n  "mcpServers": {\n    // none yet\n  }\n}\n'],
  ])('begins with %s', (_, text) => {
    const after = put(text);
    expect(parse(after)).toEqual({ mcpServers: { 'agent-memory': ENTRY } });
    for (const line of (text ?? '').split('\n').filter((one) => one.includes('//')))
      expect(after).toContain(line);
  });

  test.each(FILES)('changes nothing the second time: %s', (_, text) => {
    expect(put(put(text))).toBe(put(text));
  });

  test('replaces what is ours and keeps what a person added to it', () => {
    const text =
      '{\n  "mcpServers": {\n    "agent-memory": {"command": "old", "args": [], "env": {"A": "1"}}, // ours\n    "b": 1\n  }\n}\n';
    expect(put(text, { command: 'C', args: ['x'] })).toBe(
      '{\n  "mcpServers": {\n    "agent-memory": {\n      "command": "C",\n      "args": [\n        "x"\n      ],\n      "env": {\n        "A": "1"\n      }\n    }, // ours\n    "b": 1\n  }\n}\n',
    );
  });

  test.each([
    ['{\n  "a": 1\n  "b": 2\n}\n', 'line 3: comma expected'],
    ['{\n  "mcpServers": {\n', 'line 3: close brace expected'],
    ['{\n\n  "a": tru\n}', 'line 3: invalid symbol'],
    ['[1]', 'line 1: the file is no object'],
    ['{\n  "mcpServers": []\n}', 'line 2: "mcpServers" is no object'],
    ['{\n "mcpServers": {},\n "mcpServers": {}\n}', 'line 3: "mcpServers" stands there twice'],
  ])('refuses %j', (text, message) => {
    expect(() => put(text)).toThrow(
      expect.objectContaining({ code: 'conflict', message: `"config.json" cannot be changed: ${message}` }),
    );
  });
});

describe('removeJsonEntry()', () => {
  test.each(
    FILES.filter(([what]) => what !== 'no object of servers' && what !== 'a brace at the end of a line'),
  )('restores the bytes of a file with %s', (_, text) => {
    expect(remove(put(text))).toBe(text);
  });

  test('leaves an empty object of servers', () => {
    expect(remove(put('{\n  "theme": "dark"\n}\n'))).toBe('{\n  "theme": "dark",\n  "mcpServers": {}\n}\n');
  });

  test.each([
    ['{"mcpServers":{"agent-memory":{},"b":1}}', '{"mcpServers":{"b":1}}'],
    ['{"mcpServers": {"a": 1, "agent-memory": {}, "b": 1}}', '{"mcpServers": {"a": 1, "b": 1}}'],
    ['{ "mcpServers": { "a": 1 /* , */, "agent-memory": {} } }', '{ "mcpServers": { "a": 1 /* , */ } }'],
    [
      '{"mcpServers": {\n  "a": 1, // here\n  "agent-memory": {}, "b": 2\n}}',
      '{"mcpServers": {\n  "a": 1, // here\n  "b": 2\n}}',
    ],
    ['{"mcpServers": {\n  // ours\n  "agent-memory": {}\n}}', '{"mcpServers": {\n  // ours\n}}'],
    ['{"mcpServers": {}}', '{"mcpServers": {}}'],
    ['{"other": 1}', '{"other": 1}'],
    ['', ''],
  ])('from %j', (text, left) => {
    expect(remove(text)).toBe(left);
  });
});

/** A configuration as no two people lay it out. */
function randomConfig(random: Random): string {
  const eol = random.pick(['\n', '\r\n']);
  const step = random.pick(['  ', '    ', '\t']);
  const note = () => random.pick(['', '', ' // "x": {', ' /* , } */']);
  const print = (depth: number, most: number): string => {
    const count = random.below(most + 1);
    const isOneLine = random.chance(0.3);
    const pad = isOneLine ? ' ' : eol + step.repeat(depth + 1);
    const parts = Array.from({ length: count }, (_, i) => {
      const value =
        depth < 3 && random.chance(0.5) && !isOneLine
          ? print(depth + 1, 3)
          : random.pick(['1', 'true', 'null', '"a, }"', '[1, {"b": 2}]', '{}', '"// no"']);
      const comma = i < count - 1 || random.chance(0.3) ? ',' : '';
      return `${pad}"k${i}": ${value}${comma}${isOneLine ? '' : note()}`;
    });
    return count === 0 ? '{}' : `{${parts.join('')}${isOneLine ? ' ' : eol + step.repeat(depth)}}`;
  };
  const servers = `"mcpServers": {${eol}${step}${step}"a": ${print(2, 2)}${random.pick(['', ','])}${note()}${eol}${step}}`;
  const rest = random.chance(0.5) ? `,${note()}${eol}${step}"z": ${print(1, 4)}` : '';
  return `${random.pick(['', `// top${eol}`])}{${eol}${step}${servers}${rest}${random.pick(['', ','])}${eol}}${random.pick(['', eol])}`;
}

test('what is put into any configuration is there, and comes out without a trace', () => {
  const random = seededRandom(17);
  for (let i = 0; i < 500; i += 1) {
    const text = randomConfig(random);
    const after = put(text);
    const wanted = parse(text, [], { allowTrailingComma: true });
    wanted.mcpServers['agent-memory'] = ENTRY;
    expect(parse(after, [], { allowTrailingComma: true }), text).toEqual(wanted);
    expect(remove(after), text).toBe(text);
  }
});

test('readJsonEntry() tells what stands there', () => {
  expect(readJsonEntry('c', put(undefined), KEYS)).toEqual(ENTRY);
  expect(readJsonEntry('c', '{"mcpServers": 1}', KEYS)).toBeUndefined();
  expect(readJsonEntry('c', '', KEYS)).toBeUndefined();
});
