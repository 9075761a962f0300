/** Tokenizers of tokenizer.json files: texts and the tokens that they give, unknown words left out. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeTokenizer } from '../../src/adapters/embedders/word-pieces.js';
import { PIECES, tokenizerOf } from './model2vec-folder.js';

/** The same texts on every run; others with FUZZ_SEED=<number>. */
const seed = Number(process.env['FUZZ_SEED'] ?? 9);

function tokensOf(text: string, changes?: Record<string, unknown>): string[] {
  const { numbers } = makeTokenizer('tokenizer.json', tokenizerOf(changes)).tokenise(text);
  return numbers.map((number) => PIECES[number]!);
}

describe('WordPiece of BERT', () => {
  test.each<[string, string, readonly string[]]>([
    ['pieces, the longest first', 'tokenizers', ['token', '##ize', '##r', '##s']],
    ['upper case and marks', 'The CAFÉ, Naïve', ['the', 'cafe', ',', 'naive']],
    ['a word with an unknown rest as unknown', 'tokenq the', ['the']],
    ['punctuation by itself', 'the-token!$', ['the', '-', 'token', '!', '$']],
    ['ideographs by themselves', 'the中国token', ['the', '中', '国', 'token']],
    ['white space of any kind', 'the\u2003token\r\n\tun', ['the', 'token', 'un']],
    ['without control characters', 't\0h\u200be\ufeff \ufffdtoken', ['the', 'token']],
    [
      'words of at most twenty characters',
      `${'x'.repeat(20)} ${'x'.repeat(21)}`,
      ['x', ...Array(19).fill('##x')],
    ],
    ['sigma as one letter wherever it stands', 'ΣΣ', ['σ', '##σ']],
    ['letters without marks of their own', 'Straße', ['straße']],
    ['names of what objects inherit as unknown', 'constructor __proto__ toString', []],
    ['added tokens as they stand', 'the[CLS]token[PAD]', ['the', '[CLS]', 'token', '[PAD]']],
    ['never the token for what is unknown', 'the [UNK] [unk]', ['the']],
    ['nothing', '', []],
  ])('takes %s', (_, text, tokens) => {
    expect(tokensOf(text)).toEqual(tokens);
  });

  test('looks for added tokens in the normalised text where they say so, and for whole words only', () => {
    const token = { id: PIECES.indexOf('un'), special: false };
    const added = (content: string, more: object) => ({ added_tokens: [{ ...token, content, ...more }] });
    expect(tokensOf('x CAFÉ The x', added('cafe the', { normalized: true }))).toEqual(['x', 'un', 'x']);
    expect(tokensOf('x CAFÉ The x', added('Café the', { normalized: true }))).toEqual(['x', 'un', 'x']);
    expect(tokensOf('x CAFÉ The x', added('cafe the', { normalized: false }))).toEqual([
      'x',
      'cafe',
      'the',
      'x',
    ]);
    expect(tokensOf('xcafe, cafe', added('cafe', { normalized: true, single_word: true }))).toEqual([
      ',',
      'un',
    ]);
    expect(tokensOf('xcafe', added('cafe', { normalized: true }))).toEqual(['x', 'un']);
  });

  test('keeps upper case and marks where the tokenizer does', () => {
    const normalizer = { type: 'BertNormalizer', lowercase: false, strip_accents: null };
    expect(tokensOf('The the café cafe', { normalizer })).toEqual(['the', 'cafe']);
  });

  test('tells words and unknown words apart', () => {
    const { words, unknown } = makeTokenizer('tokenizer.json', tokenizerOf()).tokenise(
      'The the quux, Quux café',
    );
    expect([...words]).toEqual(['the', 'quux', ',', 'cafe']);
    expect([...unknown]).toEqual(['quux']);
  });

  test('no text throws', () => {
    const tokenizer = makeTokenizer('tokenizer.json', tokenizerOf());
    const units = fc.array(fc.integer({ min: 0, max: 0xffff })).map((list) => String.fromCharCode(...list));
    fc.assert(
      fc.property(fc.oneof(units, fc.string({ unit: 'binary' })), (text) => {
        for (const number of tokenizer.tokenise(text).numbers) expect(PIECES[number]).toBeDefined();
      }),
      { seed, numRuns: 500 },
    );
  });
});

describe('other tokenizers', () => {
  const wordLevel = (vocab: Record<string, number>) => ({ type: 'WordLevel', unk_token: '[UNK]', vocab });

  test('WordLevel knows whole words only', () => {
    const model = wordLevel(Object.fromEntries(PIECES.map((piece, at) => [piece, at])));
    expect(tokensOf('the tokens token', { model })).toEqual(['the', 'token']);
  });

  test.each<[string, string, Record<string, unknown>, readonly string[]]>([
    [
      'a sequence of normalisers',
      'CAFÉ, the',
      { type: 'Sequence', normalizers: [{ type: 'NFD' }, { type: 'StripAccents' }, { type: 'Lowercase' }] },
      ['cafe', ',', 'the'],
    ],
    ['compatibility forms', 'ｔｈｅ', { type: 'NFKC' }, ['the']],
  ])('%s', (_, text, normalizer, tokens) => {
    expect(tokensOf(text, { normalizer })).toEqual(tokens);
  });

  test.each<[string, Record<string, unknown>, readonly string[]]>([
    ['the, token', { type: 'WhitespaceSplit' }, ['token']],
    ['the, token', { type: 'Whitespace' }, ['the', ',', 'token']],
    [
      'the, token',
      { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' }, { type: 'BertPreTokenizer' }] },
      ['the', ',', 'token'],
    ],
  ])('"%s" split by %j', (text, pre_tokenizer, tokens) => {
    expect(tokensOf(text, { pre_tokenizer })).toEqual(tokens);
  });

  test.each<[string, Record<string, unknown>]>([
    ['Unigram', { model: { type: 'Unigram', vocab: [['a', -1]] } }],
    ['BPE', { model: { type: 'BPE', vocab: {}, merges: [] } }],
    ['Precompiled', { normalizer: { type: 'Precompiled', precompiled_charsmap: '' } }],
    ['Metaspace', { pre_tokenizer: { type: 'Metaspace' } }],
  ])('%s is refused by name', (type, changes) => {
    expect(() => makeTokenizer('/models/x/tokenizer.json', tokenizerOf(changes))).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        message: expect.stringMatching(`^"/models/x/tokenizer.json" .*"${type}"`),
        hint: expect.stringContaining('WordPiece'),
      }),
    );
  });

  test('a model without a vocabulary is damaged', () => {
    expect(() => makeTokenizer('tokenizer.json', tokenizerOf({ model: { type: 'WordPiece' } }))).toThrow(
      expect.objectContaining({ code: 'corrupt' }),
    );
  });
});
