/** Text into terms: the tables that notes and queries meet by. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimateTokens } from '../../src/core/text/estimate-tokens.js';
import { stemEnglish } from '../../src/core/text/stem-english.js';
import { placedTermsOf, termsOf } from '../../src/core/text/terms.js';

const IDENTIFIERS: readonly (readonly [text: string, terms: string])[] = [
  ['getUserById', 'getuserbyid get user by id'],
  ['HTMLParser', 'htmlparser html parser'],
  ['APIs and RNAi', 'api and rnai'],
  ['snake_case', 'snakecas snake case'],
  ['snake\\_case', 'snakecas snake case'],
  ['__init__', 'init'],
  ['SCREAMING_SNAKE', 'screamingsnak scream snake'],
  ['kebab-case-name', 'kebabcasenam kebab case name'],
  ['src/foo/bar.ts', 'src/foo/bar.ts src foo bar.ts bar ts'],
  ['C:\\foo\\bar.txt', 'c:/foo/bar.txt c foo bar.txt bar txt'],
  ['net/http', 'net/http net http'],
  ['v1.0.21', '1.0.21 1 0 21'],
  ['1.0.21', '1.0.21 1 0 21'],
  ['DEC-0054', 'dec0054 dec 0054'],
  ['C++', 'c++'],
  ['C++11', 'c++11 c++ 11'],
  ['notepad++', 'notepad++ notepad'],
  ['c#', 'c#'],
  ['F#.', 'f#'],
  ['.NET', '.net net'],
  ['ASP.NET', 'asp.net asp net'],
  ['user@example.com', 'user@example.com user example.com exampl com'],
  ['https://example.com/a/b?x=1.', 'example.com/a/b?x=1 example.com exampl com a b x 1'],
  ['[t](https://example.com/a) next', 't example.com/a example.com exampl com a next'],
  ['--flag', '--flag flag'],
  ['--dry-run=all', '--dry-run dryrun dri run all'],
  ['a -- b', 'a b'],
  ['useCallback()', 'usecallback use callback'],
  ['std::vector<int>', 'std::vector std vector int'],
  ['utf8 x86 mp3', 'utf8 utf 8 x86 86 mp3 mp 3'],
  ['U.S. and U.S.A.', 'us and usa'],
  ['10:30', '10-30 10 30'],
  ['key:value', 'key valu'],
  ['1,000,000', '1000000'],
  ['a,b', 'a b'],
  ['5th', '5th 5'],
];

test.each(IDENTIFIERS)('termsOf() of the identifier %s', (text, terms) => {
  expect(termsOf(text).join(' ')).toBe(terms);
});

const WORDS: readonly (readonly [what: string, text: string, terms: string])[] = [
  ['case and stems', 'Running RUNNERS ran', 'run runner ran'],
  ['possessives and contractions', "Caroline's don’t they'll O'Brien", 'carolin dont they obrien brien'],
  ['Turkish suffixes after an apostrophe', "Allen'ın", 'allen in'],
  ['diacritics', 'Café naïve São Đà Łódź', 'cafe naiv sao da lodz'],
  ['ß', 'Straße STRASSE ẞ', 'strass strass ss'],
  ['Turkish i', 'İstanbul ISPARTA ısparta', 'istanbul isparta isparta'],
  ['composed and decomposed', 'é e\u0301', 'e e'],
  ['full width', 'ＡＢＣ １２', 'abc 12'],
  ['soft hyphen', 'co\u00adoperate', 'cooper'],
  ['Greek final sigma', 'λόγος ΛΟΓΟΣ', 'λογοσ λογοσ'],
  ['Cyrillic', 'Ёлка елка', 'елка елка'],
  ['Arabic', 'والكتاب الكتاب كِتَاب', 'كتاب كتاب كتاب'],
  ['Arabic digits', '٢٠٢٤', '2024'],
  ['Devanagari keeps its vowels', 'हिन्दी', 'हिन्दी'],
  ['emoji', 'done 🎉 ✅', 'done 🎉 ✅'],
  ['nothing', '??? -> + …', ''],
];

test.each(WORDS)('termsOf() folds and stems: %s', (_what, text, terms) => {
  expect(termsOf(text).join(' ')).toBe(terms);
});

const DENSE: readonly (readonly [what: string, text: string, terms: string])[] = [
  ['Han letters and their pairs', '小猫吃', '小 小猫 猫 猫吃 吃'],
  ['kana pairs and the last letter', 'サッカー', 'サッ ッカ カー ー'],
  ['half width kana', 'ﾃｽﾄ', 'テス スト ト'],
  ['kana taken apart', 'か\u3099く', 'がく く'],
  ['Hangul', '한국어', '한국 국어 어'],
  ['Hangul taken apart', '한국'.normalize('NFD'), '한국 국'],
  ['Thai consonants with their vowels', 'ทีมรับ', 'ทีม มรั รับ บ'],
  ['Thai vowels written first', 'แพน', 'แพน น'],
  ['digits between', '丢了308分', '丢 丢了 了 308 分'],
  ['letters outside the basic plane', '𠮷野家', '𠮷 𠮷野 野 野家 家'],
];

test.each(DENSE)('termsOf() in scripts without spaces: %s', (_what, text, terms) => {
  expect(termsOf(text).join(' ')).toBe(terms);
});

test.each([
  '2024-01-05',
  '2024/01/05',
  '2024.1.5',
  '20240105',
  '2024-01-05T10:30:00Z',
  '5.1.2024',
  '05.01.2024',
  '05/01/2024',
  '01/05/2024',
  'January 5th 2024',
  'January 5, 2024',
  'Jan 5 2024',
  '5 January 2024',
  '5th of January 2024',
  '5. Januar 2024',
  '5 Ocak 2024',
  '5 janvier 2024',
  '2024年1月5日',
  '2024년 1월 5일',
])('termsOf() lets dates meet: %s', (text) => {
  expect(termsOf(text)).toContain('2024-01-05');
});

test.each([
  ['May 2023', '2023-05'],
  ['2023-05', '2023-05'],
  ['2023年5月', '2023-05'],
])('termsOf() knows months: %s', (text, term) => {
  expect(termsOf(text)).toContain(term);
});

test.each(['may', 'march on', 'version 3.14.2024', '99/99/2024', 'in 2024 May left'])(
  'termsOf() sees no day in %s',
  (text) => {
    expect(termsOf(text).filter((term) => /^\d{4}-\d\d-\d\d$/.test(term))).toEqual([]);
  },
);

const LETTERS = [..."aZéÜñộçşİёйЇάώがパヴ한국각ทีมแำกأؤيשּकिख़1٣ -_./'"];

test('termsOf() is the same for a text composed and taken apart', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...LETTERS), { maxLength: 20 }), (letters) => {
      const text = letters.join('');
      expect(termsOf(text.normalize('NFD'))).toEqual(termsOf(text.normalize('NFC')));
    }),
    { numRuns: 2_000 },
  );
});

test('termsOf() gives short terms without white space for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      for (const term of termsOf(text)) {
        expect(term).not.toBe('');
        expect(term.length).toBeLessThanOrEqual(64);
        expect(term).not.toMatch(/\s/u);
      }
    }),
  );
});

test('termsOf() gives the same terms however full its memory of words is', () => {
  const text = 'getUserById walking 小猫 v1.0.21 Häuser';
  const before = termsOf(text);
  for (let i = 0; i < 250_000; i++) termsOf(`word${i}x`);
  expect(termsOf(text)).toEqual(before);
});

test('termsOf() keeps long runs short', () => {
  expect(termsOf('x'.repeat(10_000))).toEqual(['x'.repeat(64)]);
  expect(termsOf('aB3'.repeat(1_000)).length).toBe(1);
});

test('placedTermsOf() places every term in the text', () => {
  const text = 'See getUserById in src/foo.ts, on 5 January 2024.';
  const placed = placedTermsOf(text).map(({ start, end }) => text.slice(start, end));
  expect(placed).toEqual(['See', 'getUserById', 'in', 'src/foo.ts', 'on', '5', 'January', '2024']);
  expect(placedTermsOf(text).flatMap(({ terms }) => terms)).toEqual(termsOf(text));
});

/** From the published vocabulary of the Snowball English stemmer. */
test.each([
  ['consign', 'consign'],
  ['consigned', 'consign'],
  ['consistency', 'consist'],
  ['consolation', 'consol'],
  ['knightly', 'knight'],
  ['knots', 'knot'],
  ['generically', 'generic'],
  ['generate', 'generat'],
  ['communism', 'communism'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['happy', 'happi'],
  ['say', 'say'],
  ['hopping', 'hop'],
  ['hoping', 'hope'],
  ['fizzed', 'fizz'],
  ['relational', 'relat'],
  ['luxuriated', 'luxuri'],
  ['controlling', 'control'],
  ['proceed', 'proceed'],
  ['gas', 'gas'],
  ['gaps', 'gap'],
  ['kiwis', 'kiwi'],
  ['ties', 'tie'],
  ['cries', 'cri'],
  ['adjustment', 'adjust'],
  ['sensational', 'sensat'],
  ['youth', 'youth'],
])('stemEnglish(%s) is %s', (word, stem) => {
  expect(stemEnglish(word)).toBe(stem);
});

test('estimateTokens() counts a quarter of Latin letters and each letter of dense scripts', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens('four')).toBe(1);
  expect(estimateTokens('five5')).toBe(2);
  expect(estimateTokens('小猫吃鱼')).toBe(4);
  expect(estimateTokens('小猫 cats')).toBe(4);
});
