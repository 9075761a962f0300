/** Lines of ours in files of others: instructions for agents, attributes and drivers of git. */

import { describe, expect, test } from 'vitest';
import {
  driverCommand,
  putAttribute,
  putDriver,
  readDriver,
  removeAttribute,
  removeDriver,
} from '../../src/adapters/client-config/git-config.js';
import { putMarkedBlock, removeMarkedBlock } from '../../src/adapters/client-config/marked-block.js';

const MARKS = { begin: '<!-- begin -->', end: '<!-- end -->' };
const put = (text: string | undefined, lines = 'one\ntwo') => putMarkedBlock('AGENTS.md', text, MARKS, lines);
const remove = (text: string) => removeMarkedBlock('AGENTS.md', text, MARKS);

const TEXTS = ['# A\n', '# A', '# A\n\n\n', '# A\r\n\r\ntext\r\n', 'a\r\nb', '\ufeff# A\n', '\n', ''];

describe('putMarkedBlock()', () => {
  test.each([
    [undefined, '<!-- begin -->\none\ntwo\n<!-- end -->\n'],
    ['', '<!-- begin -->\none\ntwo\n<!-- end -->'],
    ['# A\n', '# A\n\n<!-- begin -->\none\ntwo\n<!-- end -->\n'],
    ['# A', '# A\n\n<!-- begin -->\none\ntwo\n<!-- end -->'],
    ['a\r\n', 'a\r\n\r\n<!-- begin -->\r\none\r\ntwo\r\n<!-- end -->\r\n'],
  ])('into %j', (text, after) => {
    expect(put(text)).toBe(after);
  });

  test('replaces the block where it stands', () => {
    const text = `# A\n\n${MARKS.begin}\nold\n${MARKS.end}\nmore\n`;
    expect(put(text, 'new')).toBe(`# A\n\n${MARKS.begin}\nnew\n${MARKS.end}\nmore\n`);
    expect(put(put(text, 'new'), 'new')).toBe(put(text, 'new'));
  });

  test.each([
    [`${MARKS.begin}\nx\n`, 1],
    [`a\n${MARKS.end}\n${MARKS.begin}\n`, 3],
    [`${MARKS.begin}\n${MARKS.begin}\n${MARKS.end}\n`, 2],
  ])('refuses %j', (text, line) => {
    expect(() => put(text)).toThrow(
      expect.objectContaining({ code: 'conflict', details: { path: 'AGENTS.md', line } }),
    );
    expect(() => remove(text)).toThrow(expect.objectContaining({ code: 'conflict' }));
  });
});

describe('removeMarkedBlock()', () => {
  test.each(TEXTS)('restores %j', (text) => {
    expect(remove(put(text))).toBe(text);
  });

  test('leaves no file that held nothing else', () => {
    expect(remove(put(undefined))).toBeUndefined();
  });

  test('keeps what was written around it since', () => {
    expect(remove(`${put('# A\n')}\nmore\n`)).toBe('# A\n\nmore\n');
    expect(remove(`above\n${put(undefined)}below\n`)).toBe('above\nbelow\n');
  });

  test('of a text without it changes nothing', () => {
    expect(remove('# A <!-- begin -->\n')).toBe('# A <!-- begin -->\n');
  });
});

describe('removeAttribute()', () => {
  test.each(TEXTS.filter((text) => !text.startsWith('\ufeff')))(
    'is the inverse of putAttribute() for %j',
    (text) => {
      const after = putAttribute(text);
      expect(after.split(/\r?\n/)).toContain('*.md merge=agent-memory');
      expect(putAttribute(after)).toBe(after);
      expect(removeAttribute(after)).toBe(text);
    },
  );

  test('leaves no file that held nothing else', () => {
    expect(removeAttribute(putAttribute(undefined))).toBeUndefined();
  });
});

describe('removeDriver()', () => {
  test.each([
    '[core]\n\tbare = false\n',
    '[core]\n\tbare = false',
    '[merge "other"]\n\tdriver = x\n[merge]\n\ttool = y\n',
  ])('is the inverse of putDriver() for %j', (text) => {
    const after = putDriver(text, 'x %O');
    expect(readDriver(after)).toBe('"x %O"');
    expect(putDriver(after, 'x %O')).toBe(after);
    expect(removeDriver(after)).toBe(text);
    expect(removeDriver(text)).toBe(text);
  });

  test('keeps what stands behind the section', () => {
    const text = putDriver('[a]\n\tb = 1\n', 'old');
    expect(removeDriver(`${text}[c]\n\td = 1\n`)).toBe('[a]\n\tb = 1\n[c]\n\td = 1\n');
    expect(putDriver(`${text}[c]\n`, 'new')).toBe(`${putDriver('[a]\n\tb = 1\n', 'new')}[c]\n`);
  });
});

test.each([
  ['/usr/bin/node', '/opt/memory.js', '/usr/bin/node /opt/memory.js merge-driver %O %A %B'],
  ['/a b/node', "/it's/100%/m.js", `'/a b/node' '/it'\\''s/100%%/m.js' merge-driver %O %A %B`],
  ['C:\\Program Files\\node.exe', 'C:\\m.js', "'C:/Program Files/node.exe' C:/m.js merge-driver %O %A %B"],
])('driverCommand() of %s %s', (command, script, line) => {
  expect(driverCommand({ command, args: [script] })).toBe(line);
});
