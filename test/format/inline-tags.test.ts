/** NOTE-FORMAT section 2, row "inline tags". */

import { expect, test } from 'vitest';
import { lines, tagsOf } from './views.js';

const CASES: readonly (readonly [what: string, markdown: string, tags: readonly string[]])[] = [
  ['at the start of a line', '#tag and more', ['tag']],
  ['behind white space', 'a #b\tc\t#d\u3000#e\u00a0#f', ['b', 'd', 'e', 'f']],
  ['behind a soft break', 'text\n#tag', ['tag']],
  ['with slashes, dashes and underscores', '#a/b-c_d', ['a/b-c_d']],
  ['of other scripts', '#日本語 #été #теги #हिन्दी #ไทย', ['日本語', 'été', 'теги', 'हिन्दी', 'ไทย']],
  ['of emoji', '#👍🏽 #👨‍👩‍👧 #✅done #🇹🇷', ['👍🏽', '👨‍👩‍👧', '✅done', '🇹🇷']],
  ['with digits and a letter', '#2024a #1st #v1', ['2024a', '1st', 'v1']],
  ['no digits alone', '#2024 #1 #٣', []],
  ['up to punctuation', '#a, #b. (#c) #d! #e:f #g。', ['a', 'b', 'd', 'e', 'g']],
  ['not inside words and URLs', 'a#b http://x.org/#c foo/#d', []],
  ['not behind a backslash', '\\#a \\\\#b', []],
  ['not in inline code', '`#a` ``#b ` #c`` #d', ['d']],
  ['not in fences', lines('```', '#a', '```', '#b'), ['b']],
  ['not in indented code', lines('    #a', '', '#b'), ['b']],
  ['not in math', '$x #a$ $$ #b $$ #c', ['c']],
  ['not in comments', lines('%% #a %% #b', '', '%%', '#c', '%%', '', '<!-- #d --> #e'), ['b']],
  ['not in HTML', lines('<div>', '#a', '</div>', '', 'x <b title=" #c "> #d'), ['d']],
  ['not in link destinations', '[t](<a #b>) [t](x " #c")', []],
  ['not in wikilinks', '[[a #b]] [[a|b #c]]', []],
  ['no heading signs', lines('# Heading', '## Two', '#Heading'), ['Heading']],
  ['in headings', '# Title #tag', ['tag']],
  ['in list items and quotes', lines('- #a', '  - x #b', '> #c', '>#d'), ['a', 'b', 'c', 'd']],
  ['in table cells', lines('| #a | b |', '| --- | --- |', '| x #b | #c |'), ['a', 'b', 'c']],
  ['in a line of tags near the top', 'tags: #a #b', ['a', 'b']],
  ['in a line of tags with commas', 'Tags: #a,#b, #c', ['a', 'b', 'c']],
  ['in a line of tags without a space', '**tags**:#a;#b', ['a', 'b']],
  ['not behind a comma elsewhere', 'x,#a', []],
  ['not behind emphasis', '**#a** *#b*', []],
  ['one sign alone', '# a ## b #', []],
  ['two signs', '##a', []],
  ['the keycap of the sign', '#\ufe0f\u20e3 x', []],
];

test.each(CASES)('scan() finds tags %s', (_, markdown, tags) => {
  expect(tagsOf(markdown)).toEqual(tags);
});
