/** Which headings, blocks and anchors of a note a link names. */

import { describe, expect, test } from 'vitest';
import { LinkPlaces } from '../../src/core/note/link-places.js';

const NOTE = `# Lazy model

## Why it is *lazy*: start-up

Text ^one

### Costs

- item ^two-b

## Costs

## [[Other|The other]] way

## 🎉

Setext
------

## C++ & C# (both)

## Same

## Same

## Größe 大小

> ## Quoted

<a name="Old-Name"></a> <span class="x" id='spot'>

%% ## Hidden %%

\`\`\`
## Code
\`\`\`
`;

const places = new LinkPlaces(NOTE);
const wiki = (heading: string) => places.hold({ form: 'wiki', heading, block: '' });
const web = (heading: string) => places.hold({ form: 'markdown', heading, block: '' });
const block = (id: string) => places.hold({ form: 'wiki', heading: '', block: id });

describe('LinkPlaces.hold()', () => {
  test.each([
    'Lazy model',
    'lazy   MODEL',
    'Why it is lazy start-up',
    'Why it is *lazy*: start-up',
    'Lazy model#Costs',
    'Lazy model#Why it is lazy start-up#Costs',
    'Why it is lazy start-up#Costs',
    'The other way',
    'Other The other way',
    '🎉',
    'Setext',
    'C++ & C# (both)',
    'C   C both',
    'Größe 大小',
    'Quoted',
    '',
  ])('a wikilink to "%s"', (heading) => expect(wiki(heading)).toBe(true));

  test.each([
    'Lazy',
    'Costs#Lazy model',
    'Why it is lazy start-up#Other The other way',
    'Code',
    'Old-Name',
    'lazy-model-2',
    '🎈',
  ])('no wikilink to "%s"', (heading) => expect(wiki(heading)).toBe(false));

  test.each([
    'lazy-model',
    'why-it-is-lazy-start-up',
    'why-it-is-lazy--start-up',
    'Costs',
    'costs-1',
    'c--c-both',
    'same-1',
    'größe-大小',
    'old-name',
    'Old-Name',
    'spot',
    'top',
    'tab/visual-studio',
    'Lazy model',
  ])('a Markdown link to #%s', (heading) => expect(web(heading)).toBe(true));

  test.each(['lazy', 'same-2', 'costs-2', 'x', 'code', 'class'])('no Markdown link to #%s', (heading) =>
    expect(web(heading)).toBe(false),
  );

  test('blocks, in any case', () => {
    expect(['one', 'ONE', 'two-b'].every(block)).toBe(true);
    expect(['two', 'on', 'one-'].some(block)).toBe(false);
  });

  test('headings that follow each other from level to level count as a path', () => {
    const skipping = new LinkPlaces('# A\n\n### B\n\n## B\n\n### C\n');
    const holds = (heading: string) => skipping.hold({ form: 'wiki', heading, block: '' });
    expect(['A#B#C', 'A#C', 'B#C', 'A#B'].every(holds)).toBe(true);
    expect(['C#A', 'B#A', 'B#B'].some(holds)).toBe(false);
  });
});

describe('what is proposed instead', () => {
  test('a heading that is called almost so, or stands under another', () => {
    expect(places.headingLike('Lazy modle')).toMatchObject({ text: 'Lazy model', line: 1 });
    expect(places.headingLike('Setext#Costs')).toMatchObject({ text: 'Costs', line: 7 });
    expect(places.headingLike('Nothing like it')).toBeUndefined();
    expect(places.headingLike('🎈')).toBeUndefined();
    expect(places.blockLike('ome')).toBe('one');
  });

  test('a line where only a space is missing', () => {
    const unspaced = new LinkPlaces('# A\n\n##**Core** three\n\nText。^x1 \n');
    const almost = (heading: string, id: string) => unspaced.almost({ form: 'wiki', heading, block: id });
    expect(almost('A#Core three', '')).toEqual({ line: 3, space: 'behind', sign: '##' });
    expect(almost('', 'x1')).toEqual({ line: 5, space: 'before', sign: '^x1' });
    expect(almost('A', '')).toBeUndefined();
    expect(almost('', 'x2')).toBeUndefined();
  });
});
