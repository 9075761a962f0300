/** Format tables of edits: a note and what is asked in, the note after it out. `→` stands for nothing but the new text. */

import { describe, expect, test } from 'vitest';
import { checkEdits, editText, type TextEdits } from '../../src/core/edit/edit-text.js';
import { MemoryError } from '../../src/core/errors.js';
import { scan } from '../../src/core/markdown/scan.js';

function edited(text: string, edits: TextEdits): string {
  checkEdits(edits);
  return editText('n.md', scan(text), edits).text;
}

function failure(text: string, edits: TextEdits): MemoryError {
  try {
    edited(text, edits);
  } catch (error) {
    if (error instanceof MemoryError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

type Row = readonly [what: string, text: string, edits: TextEdits, after: string];

describe('append and prepend', () => {
  test.each<Row>([
    ['a line', 'a\n', { append: 'b' }, 'a\nb\n'],
    ['a line that is ended itself', 'a\n', { append: 'b\n' }, 'a\nb\n'],
    ['without a final newline: one before, none after', 'a', { append: 'b' }, 'a\nb'],
    ['to an empty note', '', { append: 'b' }, 'b\n'],
    ['to a note of a BOM', '\ufeff', { append: 'b' }, '\ufeffb\n'],
    ['in the note’s line endings', 'a\r\nb\r\n', { append: 'c\nd' }, 'a\r\nb\r\nc\r\nd\r\n'],
    ['before the body', '---\nk: v\n---\n# T\n', { prepend: 'x' }, '---\nk: v\n---\nx\n# T\n'],
    ['behind properties without a newline', '---\nk: v\n---', { prepend: 'x' }, '---\nk: v\n---\nx'],
    ['behind a BOM', '\ufeffa\n', { prepend: 'x' }, '\ufeffx\na\n'],
  ])('%s', (_, text, edits, after) => {
    expect(edited(text, edits)).toBe(after);
  });
});

describe('replace', () => {
  test.each<Row>([
    ['once', 'one two three\n', { replace: 'two', with: '2' }, 'one 2 three\n'],
    ['as often as said', 'a b a\n', { replace: 'a', with: 'c', count: 2 }, 'c b c\n'],
    ['by nothing', 'a b\n', { replace: ' b', with: '' }, 'a\n'],
    ['over lines, whatever their endings', 'a\r\nb\r\n', { replace: 'a\nb', with: 'c\nd' }, 'c\r\nd\r\n'],
    ['within a section', '# A\nx\n# B\nx\n', { section: 'B', replace: 'x', with: 'y' }, '# A\nx\n# B\ny\n'],
    ['$ signs as they are', 'a\n', { replace: 'a', with: '$& $1' }, '$& $1\n'],
  ])('%s', (_, text, edits, after) => {
    expect(edited(text, edits)).toBe(after);
  });

  test('of what is not there names lines that come near', () => {
    const text = '# T\n\nThe  “quick” brown fox\nThe quack brown ox\nnothing of it\n';
    const error = failure(text, { replace: 'the "quick" brown fox', with: '' });
    expect(error.code).toBe('not_found');
    expect(error.hint).toContain(
      'line 3 (other white space, quotes, dashes or case): "The  “quick” brown fox"',
    );
    expect(error.details?.['near']).toMatchObject([{ line: 3 }, { line: 4 }]);
    expect(failure('abc\n', { replace: 'zzz yyy', with: '' }).hint).toContain('Nothing in it comes near');
  });

  test('of what is there more often tells the lines', () => {
    const error = failure('a\nb\na\n', { replace: 'a', with: '' });
    expect(error).toMatchObject({ code: 'invalid_input', details: { lines: [1, 3] } });
    expect(error.hint).toContain('lines 1, 3');
    expect(failure('b\na a\na\n', { replace: 'a', with: '' }).hint).toContain('lines 2, 3.');
    expect(failure('a a\n', { replace: 'a', with: '' }).hint).toContain('line 1. Quote more');
    expect(failure('a\n', { replace: 'a', with: '', count: 3 }).hint).toBe(
      'It is in line 1. Leave out --count.',
    );
  });
});

const NOTE = '# T\n\nintro\n\n## A\n\none\n\ntwo\n\n### Deep\n\nlow\n\n## B\n\nthree\n';

describe('a section', () => {
  test.each<Row>([
    [
      'new text, subsections and all',
      NOTE,
      { section: 'A', content: 'new' },
      NOTE.replace(/one[\s\S]*low/, 'new'),
    ],
    [
      'given back with its heading',
      NOTE,
      { section: 'B', content: '## B\n\nfour\n' },
      NOTE.replace('three', 'four'),
    ],
    ['emptied', '## A\n\none\n\n## B\n', { section: 'A', content: '' }, '## A\n\n\n## B\n'],
    ['append', NOTE, { section: 'B', append: '- x' }, `${NOTE}- x\n`],
    [
      'append before the next heading',
      NOTE,
      { section: 'A', append: 'x' },
      NOTE.replace('low\n', 'low\nx\n'),
    ],
    ['append to an empty one', '## A\n## B\n', { section: 'A', append: 'x' }, '## A\n\nx\n## B\n'],
    ['append to an empty one at the end', '## A', { section: 'A', append: 'x' }, '## A\n\nx'],
    ['prepend', NOTE, { section: 'A', prepend: 'x' }, NOTE.replace('one', 'x\none')],
    ['before', NOTE, { section: 'B', before: 'x' }, NOTE.replace('## B', 'x\n\n## B')],
    ['before, where no blank line parts', 'a\n## B\n', { section: 'B', before: 'x' }, 'a\n\nx\n\n## B\n'],
    ['after', NOTE, { section: 'A > Deep', after: 'x' }, NOTE.replace('low\n', 'low\n\nx\n')],
    [
      'above an underlined heading',
      'A\n=\n- a\n\nB\n=\n',
      { section: 'A', append: 'x' },
      'A\n=\n- a\nx\n\nB\n=\n',
    ],
    [
      'in the note’s line endings',
      '# A\r\n\r\na\r\n',
      { section: 'A', append: 'b\nc' },
      '# A\r\n\r\na\r\nb\r\nc\r\n',
    ],
    [
      'by its whole path',
      '# X\n## A\n1\n# Y\n## A\n2\n',
      { section: 'Y > A', append: '3' },
      '# X\n## A\n1\n# Y\n## A\n2\n3\n',
    ],
  ])('%s', (_, text, edits, after) => {
    expect(edited(text, edits)).toBe(after);
  });

  test('that could be several is refused with the candidates', () => {
    const error = failure('# X\n## A\n# Y\n## A\n', { section: 'A', append: 'x' });
    expect(error.code).toBe('invalid_input');
    expect(error.hint).toContain('X > A (line 2), Y > A (line 4)');
  });

  test('that is not there is not found', () => {
    expect(failure(NOTE, { section: 'C', append: 'x' }).code).toBe('not_found');
  });
});

describe('a block', () => {
  test.each<Row>([
    [
      'paragraph keeps its id',
      'a\n\nold text ^p1\n\nb\n',
      { block: 'p1', content: 'new' },
      'a\n\nnew ^p1\n\nb\n',
    ],
    ['given back with its id', 'old ^p1\n', { block: '^p1', content: 'new ^p1' }, 'new ^p1\n'],
    [
      'item keeps marker and nested items',
      '- a ^i\n  - deep\n- b\n',
      { block: 'i', content: 'c' },
      '- c ^i\n  - deep\n- b\n',
    ],
    ['item given with a marker', '* [ ] a ^i\n', { block: 'i', content: '* [x] c' }, '* [ ] c ^i\n'],
    ['nested item', '- a\n  - b ^i\n', { block: 'i', content: 'c' }, '- a\n  - c ^i\n'],
    [
      'table with the id below',
      '|a|\n|-|\n|b|\n\n^t\n',
      { block: 't', content: '|c|\n|-|\n' },
      '|c|\n|-|\n\n^t\n',
    ],
    ['lines beside an item', '- a ^i\n- b\n', { block: 'i', after: '- x' }, '- a ^i\n- x\n- b\n'],
    ['lines before an item', '- a\n  - b ^i\n', { block: 'i', before: '- x' }, '- a\n  - x\n  - b ^i\n'],
    ['a paragraph after', 'a ^p\n\nb\n', { block: 'p', after: 'x' }, 'a ^p\n\nx\n\nb\n'],
  ])('%s', (_, text, edits, after) => {
    expect(edited(text, edits)).toBe(after);
  });
});

describe('lines', () => {
  test.each<Row>([
    ['replaced', 'a\nb\nc\n', { lines: '2', content: 'x\ny' }, 'a\nx\ny\nc\n'],
    ['taken out', 'a\nb\nc\n', { lines: '1-2', content: '' }, 'c\n'],
    ['taken out at the end', 'a\nb', { lines: '2', content: '' }, 'a'],
    ['put before', 'a\nb\n', { lines: '2', before: 'x' }, 'a\nx\nb\n'],
    ['put after the last', 'a\nb', { lines: '2', after: 'x' }, 'a\nb\nx'],
    ['in CRLF', 'a\r\nb\r\n', { lines: '2', content: 'x\ny' }, 'a\r\nx\r\ny\r\n'],
  ])('%s', (_, text, edits, after) => {
    expect(edited(text, edits)).toBe(after);
  });
});

const block = (...lines: string[]) => `---\n${lines.map((line) => `${line}\n`).join('')}---\nbody\n`;

describe('properties', () => {
  test.each<Row>([
    ['a new one', block('a: 1'), { set: ['b=2'] }, block('a: 1', 'b: 2')],
    ['the first of a note', '# T\n', { set: ['b=2'] }, '---\nb: 2\n---\n# T\n'],
    ['the first of an empty note', '', { set: ['b=2'] }, '---\nb: 2\n---\n'],
    ['behind a BOM, in CRLF', '\ufeff# T\r\n', { set: ['b=2'] }, '\ufeff---\r\nb: 2\r\n---\r\n# T\r\n'],
    [
      'a changed one keeps its comment',
      block('a: 1 # why', 'b: 2'),
      { set: ['a=3'] },
      block('a: 3 # why', 'b: 2'),
    ],
    ['in its quotes', block("a: 'x'", 'b: "y"'), { set: ["a=it's", 'b=z'] }, block("a: 'it''s'", 'b: "z"')],
    ['a date as given', block('a: 2026-01-01'), { set: ['a=2026-08-21'] }, block('a: 2026-08-21')],
    [
      'numbers and booleans as given',
      block('a: x'),
      { set: ['a=007', 'b=true'] },
      block('a: 007', 'b: true'),
    ],
    ['an empty value', block('a:', 'b: 1'), { set: ['a=x'] }, block('a: x', 'b: 1')],
    ['an empty value with a comment', block('a: # c', 'b: 1'), { set: ['a=x'] }, block('a: x # c', 'b: 1')],
    ['emptied', block('a: x', 'b: 1'), { set: ['a='] }, block('a:', 'b: 1')],
    ['spaces before the colon', block('a :  x'), { set: ['a=y'] }, block('a :  y')],
    ['what is no plain text goes into quotes', block('a: x'), { set: ['a=b: c'] }, block('a: "b: c"')],
    ['a link goes into quotes', block('a: x'), { set: ['a=[[N]]'] }, block('a: "[[N]]"')],
    ['several lines', block('a: x'), { set: ['a=b\nc'] }, block('a: "b\\nc"')],
    ['no regard to case of the key', block('Status: x'), { set: ['status=y'] }, block('Status: y')],
    ['a key that needs quotes', block('a: 1'), { set: ['b: c=2'] }, block('a: 1', '"b: c": 2')],
    ['a flow list', block('a: [x, "y z"]'), { set: ['a=[x, w]'] }, block('a: [x, "w"]')],
    ['a flow list, padded', block('a: [ x,y ]'), { set: ['a=[x, y, z]'] }, block('a: [ x,y,z ]')],
    [
      'a block list keeps its lines',
      block('a:', '  - "x" # c', '  - y', 'b: 1'),
      { set: ['a=[x, z]'] },
      block('a:', '  - "x" # c', '  - z', 'b: 1'),
    ],
    [
      'a block list without indentation',
      block('a:', '- x', 'b: 1'),
      { set: ['a=[x, y]'] },
      block('a:', '- x', '- y', 'b: 1'),
    ],
    ['an emptied block list', block('a:', '  - x', 'b: 1'), { set: ['a=[]'] }, block('a: []', 'b: 1')],
    ['one text into a list', block('a: [x]'), { set: ['a=y'] }, block('a: [y]')],
    ['a list for a text', block('a: x'), { set: ['a=[x, y]'] }, block('a: [x, y]')],
    [
      'a new list like the others',
      block('a:', '  - x'),
      { set: ['b=[y, z]'] },
      block('a:', '  - x', 'b:', '  - y', '  - z'),
    ],
    ['several links', block('a: x'), { set: ['a=[[N]], [[M]]'] }, block('a: ["[[N]]", "[[M]]"]')],
    ['a text of several lines', block('a: |', '  x', '  y', 'b: 1'), { set: ['a=z'] }, block('a: z', 'b: 1')],
    ['a nested one', block('a:', '  b: x', '  c: y'), { set: ['a.b=z'] }, block('a:', '  b: z', '  c: y')],
    ['unset', block('a: 1', 'b: 2'), { unset: ['a'] }, block('b: 2')],
    [
      'unset with its list',
      block('a:', '  - x', '', '  - y', '# c', 'b: 2'),
      { unset: ['a'] },
      block('# c', 'b: 2'),
    ],
    ['unset the last', block('a: 1'), { unset: ['a'] }, block()],
    ['unset what is not there', block('a: 1'), { unset: ['b'] }, block('a: 1')],
    ['set to what it is', block("a: '1' # x"), { set: ['a=1'] }, block("a: '1' # x")],
    [
      'comments and blank lines around stay',
      block('# x', '', 'a: 1', '', '# y'),
      { set: ['a=2'] },
      block('# x', '', 'a: 2', '', '# y'),
    ],
  ])('%s', (_, text, edits, after) => {
    expect(edited(text, edits)).toBe(after);
  });

  test.each<readonly [string, string, TextEdits]>([
    ['broken YAML', block('a: [x', 'b: 1'), { set: ['b=2'] }],
    ['a key written twice', block('a: 1', 'a: 2'), { set: ['b=2'] }],
    ['template code', block('a: {{date}}'), { set: ['b=2'] }],
    ['JSON', '---\n{"a": 1}\n---\n', { set: ['b=2'] }],
    ['a value that another refers to', block('a: &x 1', 'b: *x'), { set: ['a=2'] }],
    ['a text edit of a broken block', block('a: [x', 'b: 1'), { replace: 'b: 1', with: 'b: 2' }],
  ])('%s is refused', (_, text, edits) => {
    expect(failure(text, edits).code).toBe('conflict');
  });

  test('a broken block does not keep the text from being edited', () => {
    expect(edited(block('a: [x'), { append: 'more' })).toBe(`${block('a: [x')}more\n`);
  });

  test.each<TextEdits>([
    { replace: 'a: 1', with: 'a: [1' },
    { lines: '3', content: '' },
    { lines: '1', before: 'x' },
  ])('a text edit that would break a block is refused: %j', (edits) => {
    expect(failure(block('a: 1'), edits).code).toBe('invalid_input');
  });

  test.each(['no sign', '=x', ' =x'])('%j is no setting', (given) => {
    expect(failure(block(), { set: [given] }).code).toBe('invalid_input');
  });
});

describe('tags', () => {
  test.each<Row>([
    ['the first', '# T\n', { addTag: ['#a'] }, '---\ntags: [a]\n---\n# T\n'],
    ['to a flow list', block('tags: [a, b]'), { addTag: ['c/d'] }, block('tags: [a, b, c/d]')],
    ['to a block list', block('tags:', '  - a'), { addTag: ['b'] }, block('tags:', '  - a', '  - b')],
    ['to a text, which becomes a list', block('tags: a b'), { addTag: ['c'] }, block('tags: [a, b, c]')],
    ['one that is there', block('tags: [a]'), { addTag: ['A'] }, block('tags: [a]')],
    ['one that stands in the text', 'x #a\n', { addTag: ['a'] }, 'x #a\n'],
    ['beside `tag`, which is left', block('tag: a'), { addTag: ['b'] }, block('tag: a', 'tags: [b]')],
    ['taken out', block('tags: [a, b]'), { removeTag: ['#A'] }, block('tags: [b]')],
    [
      'taken out of a block list',
      block('tags:', '  - a', '  - b'),
      { removeTag: ['a'] },
      block('tags:', '  - b'),
    ],
    ['the only one taken out', block('tags: [a]'), { removeTag: ['a'] }, block('tags: []')],
    ['one that is not there', block('tags: [a]'), { removeTag: ['b'] }, block('tags: [a]')],
  ])('%s', (_, text, edits, after) => {
    expect(edited(text, edits)).toBe(after);
  });

  test('one that stands in the text is not taken out of it', () => {
    expect(failure('x #a\n', { removeTag: ['a'] })).toMatchObject({ code: 'invalid_input' });
  });

  test.each(['', '#', '123', 'a b', 'a,b', '[a]'])('%j cannot be one', (tag) => {
    expect(failure('x\n', { addTag: [tag] }).code).toBe('invalid_input');
  });
});

describe('what is asked for', () => {
  test.each<TextEdits>([
    {},
    { append: 'a', prepend: 'b' },
    { content: 'x' },
    { before: 'x' },
    { section: 'A' },
    { replace: 'x' },
    { with: 'x' },
    { append: 'a', count: 2 },
    { append: '' },
    { replace: '', with: 'x' },
    { append: 'a\0b' },
    { append: '\ud800' },
    { set: ['a=\0'] },
    { section: 'T', block: 'x', append: 'a' },
  ])('%j is refused', (edits) => {
    expect(failure(NOTE, edits).code).toBe('invalid_input');
  });

  test('several edits of properties go with one of the text', () => {
    const edits = { append: 'end', set: ['a=1', 'b=2'], unset: ['c'], addTag: ['t'] };
    expect(edited(block('c: 3'), edits)).toBe('---\na: 1\nb: 2\ntags: [t]\n---\nbody\nend\n');
  });
});
