/**
 * Tokenizers of tokenizer.json files that work on words: WordPiece and WordLevel, with the normalisation and splitting
 * of BERT and its parts. From text to token numbers; what the numbers stand for is in model2vec.ts.
 */

import { MemoryError } from '../../core/errors.js';
import { eachPiece, matcherOf, readAddedTokens } from './added-tokens.js';
import { damaged, isObject } from './model-file.js';

type Step = Record<string, unknown>;
type Vocabulary = Readonly<Record<string, number>>;

/** Token numbers of one word; undefined where it is unknown. */
type SplitWord = (word: string) => readonly number[] | undefined;

export type Tokens = {
  /** What is unknown is left out. */
  readonly numbers: readonly number[];
  readonly words: ReadonlySet<string>;
  readonly unknown: ReadonlySet<string>;
};

export type Tokenizer = {
  readonly tokenise: (text: string) => Tokens;
  /** All tokens by number. */
  readonly vocabulary: Vocabulary;
};

/** How many words are remembered with their tokens. */
const MOST_REMEMBERED = 100_000;

/** Throws `unavailable` for what is not supported, with its name. */
export function makeTokenizer(path: string, description: Record<string, unknown>): Tokenizer {
  const model = isObject(description['model']) ? description['model'] : {};
  const vocabulary = model['vocab'];
  const splitWord = wordSplitter(path, model);
  const normalise = normaliser(path, description['normalizer']);
  const split = splitter(path, description['pre_tokenizer']);
  const added = readAddedTokens(description['added_tokens']);
  const asWritten = matcherOf(added.filter((token) => !token.isNormalised));
  const normalised = matcherOf(
    added
      .filter((token) => token.isNormalised)
      .map((token) => ({ ...token, content: normalise(token.content) })),
  );
  const unknownToken = (vocabulary as Vocabulary)[String(model['unk_token'])];
  let remembered = new Map<string, readonly number[] | undefined>();

  const numbersOf = (word: string): readonly number[] | undefined => {
    if (remembered.has(word)) return remembered.get(word);
    if (remembered.size >= MOST_REMEMBERED) remembered = new Map();
    const numbers = splitWord(word);
    remembered.set(word, numbers);
    return numbers;
  };

  const tokenise = (text: string): Tokens => {
    const numbers: number[] = [];
    const words = new Set<string>();
    const unknown = new Set<string>();
    const addWord = (word: string) => {
      words.add(word);
      const found = numbersOf(word);
      if (found === undefined) unknown.add(word);
      else for (const number of found) numbers.push(number);
    };
    const addToken = (number: number) => {
      if (number !== unknownToken) numbers.push(number);
    };
    eachPiece(text, asWritten, addToken, (piece) => {
      eachPiece(normalise(piece), normalised, addToken, (rest) => {
        split(rest).forEach(addWord);
      });
    });
    return { numbers, words, unknown };
  };
  const addedNumbers = Object.fromEntries(added.map(({ content, number }) => [content, number]));
  return { tokenise, vocabulary: { ...(vocabulary as Vocabulary), ...addedNumbers } };
}

function wordSplitter(path: string, model: Step): SplitWord {
  const { type, vocab } = model;
  // Old files leave the type out.
  const kind = type ?? ('continuing_subword_prefix' in model ? 'WordPiece' : undefined);
  if (kind !== 'WordPiece' && kind !== 'WordLevel') throw unsupported(path, 'a tokenizer', kind);
  if (!isObject(vocab)) throw damaged(path, 'the tokenizer has no vocabulary');
  const vocabulary = vocab as Vocabulary;
  const unknown = numberOf(vocabulary, String(model['unk_token']));
  if (kind === 'WordLevel') {
    return (word) => {
      const number = numberOf(vocabulary, word);
      return number === undefined || number === unknown ? undefined : [number];
    };
  }
  const prefix = String(model['continuing_subword_prefix'] ?? '##');
  const mostCharacters = Number(model['max_input_chars_per_word'] ?? 100);
  return (word) => splitIntoPieces(vocabulary, prefix, mostCharacters, unknown, word);
}

/** The longest known piece from the left, again and again; a word with a rest that is no piece is unknown as a whole. */
function splitIntoPieces(
  vocabulary: Vocabulary,
  prefix: string,
  mostCharacters: number,
  unknown: number | undefined,
  word: string,
): readonly number[] | undefined {
  if (word.length > mostCharacters && [...word].length > mostCharacters) return undefined;
  const numbers: number[] = [];
  for (let start = 0; start < word.length; ) {
    let end = word.length;
    let number: number | undefined;
    for (; end > start; end--) {
      const piece = word.slice(start, end);
      number = numberOf(vocabulary, start === 0 ? piece : prefix + piece);
      if (number !== undefined) break;
    }
    if (number === undefined) return undefined;
    if (number !== unknown) numbers.push(number);
    start = end;
  }
  return numbers;
}

/** JSON objects inherit names such as `constructor`, whose values are no numbers. */
function numberOf(vocabulary: Vocabulary, token: string): number | undefined {
  const number: unknown = vocabulary[token];
  return typeof number === 'number' ? number : undefined;
}

/** What a step of this type makes of a text. */
type Steps = Readonly<Record<string, (step: Step) => (text: string) => string>>;

const CONTROLS = /[\0\ufffd\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const IDEOGRAPHS =
  /[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

const clean = (text: string) =>
  text
    .replace(/[\t\n\r]/g, ' ')
    .replace(CONTROLS, '')
    .replace(/\p{White_Space}/gu, ' ');
const stripAccents = (text: string) => text.normalize('NFD').replace(/\p{Mn}/gu, '');
/** Letter by letter: a sigma at the end of a word is no other letter here. */
const lower = (text: string) => text.replace(/Σ/g, 'σ').toLowerCase();

const NORMALISERS: Steps = {
  BertNormalizer: ({ clean_text, handle_chinese_chars, strip_accents, lowercase }) => {
    const isLowering = lowercase !== false;
    const isStripping = strip_accents === true || (strip_accents !== false && isLowering);
    return (text) => {
      let result = text;
      if (clean_text !== false) result = clean(result);
      if (handle_chinese_chars !== false) result = result.replace(IDEOGRAPHS, ' $& ');
      if (isStripping) result = stripAccents(result);
      return isLowering ? lower(result) : result;
    };
  },
  Lowercase: () => lower,
  StripAccents: () => (text) => text.replace(/\p{Mn}/gu, ''),
  Strip: () => (text) => text.trim(),
  NFC: () => (text) => text.normalize('NFC'),
  NFD: () => (text) => text.normalize('NFD'),
  NFKC: () => (text) => text.normalize('NFKC'),
  NFKD: () => (text) => text.normalize('NFKD'),
};

function normaliser(path: string, step: unknown): (text: string) => string {
  if (!isObject(step)) return (text) => text;
  if (step['type'] === 'Sequence') {
    const list = step['normalizers'];
    const parts = (Array.isArray(list) ? list : []).map((part) => normaliser(path, part));
    return (text) => parts.reduce((result, part) => part(result), text);
  }
  const make = NORMALISERS[String(step['type'])];
  if (make === undefined) throw unsupported(path, 'a normaliser', step['type']);
  return make(step);
}

/** Signs of ASCII count as punctuation, whatever Unicode says. */
const BERT_WORDS = /[^\p{White_Space}\p{P}$+<=>^`|~]+|[\p{P}$+<=>^`|~]/gu;

const SPLITTERS: Readonly<Record<string, RegExp>> = {
  BertPreTokenizer: BERT_WORDS,
  Whitespace:
    /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]+|[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}\p{White_Space}]+/gu,
  WhitespaceSplit: /\P{White_Space}+/gu,
};

function splitter(path: string, step: unknown): (text: string) => readonly string[] {
  if (!isObject(step)) return (text) => (text === '' ? [] : [text]);
  if (step['type'] === 'Sequence') {
    const list = step['pretokenizers'];
    const parts = (Array.isArray(list) ? list : []).map((part) => splitter(path, part));
    return (text) =>
      parts.reduce((words, part) => words.flatMap((word) => part(word)), [text] as readonly string[]);
  }
  const pattern = SPLITTERS[String(step['type'])];
  if (pattern === undefined) throw unsupported(path, 'a splitting into words', step['type']);
  return (text) => text.match(pattern) ?? [];
}

function unsupported(path: string, what: string, type: unknown): MemoryError {
  return new MemoryError(
    'unavailable',
    `"${path}" asks for ${what} of type ${JSON.stringify(type ?? null)}, which is not supported`,
    {
      hint: 'Take a model with a WordPiece or WordLevel tokenizer.',
    },
  );
}
