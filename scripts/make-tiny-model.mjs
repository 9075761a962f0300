/**
 * Makes a small sentence encoder with weights from a seed, or a small cross-encoder: an ONNX file of BERT's shape (one
 * layer of attention) or of pieces that look for each other, a WordPiece tokenizer and the files beside them, as the hub
 * has them. For tests; vectors of the encoder mean nothing.
 *
 *   node scripts/make-tiny-model.mjs <folder> [reranker]
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const SIGNS = [...'.,:;!?-_/()[]{}<>"\'#*+=&%$@|~'];
const WORDS = `the a an and or of to in on for with is are was be by as at it this that from not we you they he she
  note notes vault search query passage model meaning word words bread butter river stone garden winter summer kernel
  memory index vector table folder file line text title tag link fact entity cat dog bird tree house road light water
  fire wind music paper book page letter number red green blue white black small large old new good bad quick slow
  machine program server client network error warning test open close read write move copy remove start stop`;
const ENDINGS = ['##s', '##es', '##ed', '##ing', '##er', '##ly', '##ness', '##tion'];

/** Pieces by token number. */
export const TINY_VOCABULARY = [
  ...SPECIAL,
  ...LETTERS,
  ...LETTERS.map((letter) => `##${letter}`),
  ...SIGNS,
  ...WORDS.split(/\s+/).filter((word) => word.length > 1),
  ...ENDINGS,
];

/**
 * `poison` is a word whose row holds no numbers; with `isMute` every output is zero. `hasOwnPooling` adds the output
 * `sentence_embedding`: the mean, then a linear layer.
 */
export function makeTinyModel(folder, options = {}) {
  return writeModel(folder, { kind: 'BertModel', graphOf: encoder, ...options });
}

/**
 * A cross-encoder of the same vocabulary: its logit rises with the share of the first text's pieces that the second has.
 * `poison` is a word whose row holds no numbers; `labels` is how many numbers it gives for a pair.
 */
export function makeTinyReranker(folder, options = {}) {
  return writeModel(folder, { kind: 'BertForSequenceClassification', graphOf: crossEncoder, ...options });
}

function writeModel(folder, { kind, graphOf, ...options }) {
  const { dimensions = 64, maxTokens = 64, seed = 1, dtype = 'fp32', config = {} } = options;
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  const suffix = { fp32: '', fp16: '_fp16', q8: '_quantized', q4: '_q4' }[dtype];
  writeFileSync(
    join(folder, 'onnx', `model${suffix}.onnx`),
    graphOf({ dimensions, maxTokens, seed, ...options }),
  );
  const json = (name, value) => writeFileSync(join(folder, name), `${JSON.stringify(value, null, 1)}\n`);
  json('tokenizer.json', tokenizer());
  json('tokenizer_config.json', {
    tokenizer_class: 'BertTokenizer',
    do_lower_case: true,
    model_max_length: maxTokens,
    ...{
      unk_token: '[UNK]',
      sep_token: '[SEP]',
      pad_token: '[PAD]',
      cls_token: '[CLS]',
      mask_token: '[MASK]',
    },
  });
  json('config.json', {
    model_type: 'bert',
    architectures: [kind],
    hidden_size: dimensions,
    num_hidden_layers: 1,
    num_attention_heads: 2,
    intermediate_size: 2 * dimensions,
    max_position_embeddings: maxTokens,
    vocab_size: TINY_VOCABULARY.length,
    type_vocab_size: 2,
    ...config,
  });
  return folder;
}

function tokenizer() {
  const special = (id) => ({
    ...{ id, content: SPECIAL[id], single_word: false, lstrip: false, rstrip: false },
    ...{ normalized: false, special: true },
  });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map((_, id) => special(id)),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } },
      ],
      pair: [
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } },
        { Sequence: { id: 'B', type_id: 1 } },
        { SpecialToken: { id: '[SEP]', type_id: 1 } },
      ],
      special_tokens: {
        '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
        '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
      },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(TINY_VOCABULARY.map((piece, id) => [piece, id])),
    },
  };
}

/** What a graph is put together with: nodes in the order in which they are computed, and weights by name. */
function drawing({ dimensions, seed, poison }) {
  const random = randomFrom(seed);
  const nodes = [];
  const weights = [];
  const add = (operation, inputs, output, attributes = []) => {
    nodes.push(node(operation, inputs, output, attributes));
    return output;
  };
  const numbers = (name, dims, values) => {
    weights.push(floats(name, dims, values));
    return name;
  };
  const some = (name, dims, size) => {
    const count = dims.reduce((product, dim) => product * dim, 1);
    return numbers(
      name,
      dims,
      Float32Array.from({ length: count }, () => (random() * 2 - 1) * size),
    );
  };
  const rowsOfWords = () => {
    const rows = Float32Array.from({ length: TINY_VOCABULARY.length * dimensions }, () => random() * 2 - 1);
    if (poison !== undefined) {
      const at = TINY_VOCABULARY.indexOf(poison) * dimensions;
      rows.fill(Number.NaN, at, at + dimensions);
    }
    return rows;
  };
  return { nodes, weights, random, add, numbers, some, rowsOfWords };
}

function encoder({ dimensions, maxTokens, seed, poison, isMute = false, hasOwnPooling = false }) {
  const heads = 2;
  const { nodes, weights, add, numbers, some, rowsOfWords } = drawing({ dimensions, seed, poison });
  const same = (name, value) => numbers(name, [dimensions], new Float32Array(dimensions).fill(value));
  const whole = (name, values) => {
    weights.push(integers(name, values));
    return name;
  };
  const linear = (name, input, from, to) => {
    const product = add(
      'MatMul',
      [input, some(`${name}.weight`, [from, to], 1.7 / Math.sqrt(from))],
      `${name}.product`,
    );
    return add('Add', [product, some(`${name}.bias`, [to], 0.1)], `${name}.out`);
  };
  const norm = (name, input, output, weight = 1) =>
    add('LayerNormalization', [input, same(`${name}.weight`, weight), same(`${name}.bias`, 0)], output, [
      integer('axis', -1),
      float('epsilon', 1e-12),
    ]);

  const words = add(
    'Gather',
    [numbers('words', [TINY_VOCABULARY.length, dimensions], rowsOfWords()), 'input_ids'],
    'word',
  );
  const types = add('Gather', [some('types', [2, dimensions], 0.1), 'token_type_ids'], 'type');
  const shape = add('Shape', ['input_ids'], 'shape');
  const length = add('Gather', [shape, scalar('one', 1, weights)], 'length');
  const places = add('Range', [scalar('zero', 0, weights), length, 'one'], 'places');
  const place = add('Gather', [some('positions', [maxTokens, dimensions], 0.3), places], 'place');
  const sum = add('Add', [add('Add', [words, types], 'word+type'), place], 'embedded');
  const input = norm('embedding.norm', sum, 'input');

  const split = whole('split', [0, 0, heads, dimensions / heads]);
  const headed = (name, order) => {
    const projected = linear(name, input, dimensions, dimensions);
    const reshaped = add('Reshape', [projected, split], `${name}.split`);
    return add('Transpose', [reshaped], `${name}.headed`, [integerList('perm', order)]);
  };
  const products = add('MatMul', [headed('query', [0, 2, 1, 3]), headed('key', [0, 2, 3, 1])], 'products');
  const scaled = add('Mul', [products, numbers('scale', [1], [1 / Math.sqrt(dimensions / heads)])], 'scaled');
  const seen = add('Cast', ['attention_mask'], 'seen', [integer('to', 1)]);
  const unseen = add('Sub', [numbers('all', [1], [1]), seen], 'unseen');
  const hidden = add('Mul', [unseen, numbers('least', [1], [-1e9])], 'hidden');
  const masked = add('Add', [scaled, add('Unsqueeze', [hidden, whole('axes', [1, 2])], 'mask')], 'masked');
  const shares = add('Softmax', [masked], 'shares', [integer('axis', -1)]);
  const mixed = add('MatMul', [shares, headed('value', [0, 2, 1, 3])], 'mixed');
  const together = add('Transpose', [mixed], 'together', [integerList('perm', [0, 2, 1, 3])]);
  const flat = add('Reshape', [together, whole('join', [0, 0, dimensions])], 'flat');
  const attended = linear('attention', flat, dimensions, dimensions);
  const middle = norm('attention.norm', add('Add', [attended, input], 'attended'), 'middle');
  const inner = add('Relu', [linear('inner', middle, dimensions, 2 * dimensions)], 'inner.active');
  const outer = add('Add', [linear('outer', inner, 2 * dimensions, dimensions), middle], 'outer.sum');
  norm('outer.norm', outer, 'last_hidden_state', isMute ? 0 : 1);

  const outputs = [value('last_hidden_state', 1, ['batch', 'length', dimensions])];
  if (hasOwnPooling) {
    const column = add('Unsqueeze', [seen, whole('last', [2])], 'column');
    const kept = add('Mul', ['last_hidden_state', column], 'kept');
    const total = add('ReduceSum', [kept, whole('along', [1])], 'total', [integer('keepdims', 0)]);
    const count = add('ReduceSum', [column, 'along'], 'count', [integer('keepdims', 0)]);
    const mean = add('Div', [total, count], 'mean');
    add('MatMul', [mean, some('dense', [dimensions, dimensions], 0.3)], 'sentence_embedding');
    outputs.push(value('sentence_embedding', 1, ['batch', dimensions]));
  }
  return fileOf({ nodes, weights, outputs });
}

/** Each piece of the first text looks for the nearest of the second; the logit is the mean of what they find, stretched. */
function crossEncoder({ dimensions, seed, poison, labels = 1 }) {
  const { nodes, weights, random, add, numbers, rowsOfWords } = drawing({ dimensions, seed, poison });
  const whole = (name, values) => {
    weights.push(integers(name, values));
    return name;
  };
  const rows = rowsOfWords();
  for (let at = 0; at < TINY_VOCABULARY.length; at++) {
    const row = rows.subarray(at * dimensions, (at + 1) * dimensions);
    const length = Math.hypot(...row);
    // What frames texts, and fills up batches, is like nothing.
    const scale = at < SPECIAL.length ? 0 : 1 / length;
    row.forEach((value, d) => {
      row[d] = value * scale;
    });
  }
  const table = numbers('words', [TINY_VOCABULARY.length, dimensions], rows);
  const seen = add('Cast', ['attention_mask'], 'seen', [integer('to', 1)]);
  const ofSecond = add('Mul', [add('Cast', ['token_type_ids'], 'types', [integer('to', 1)]), seen], 'second');
  const ofFirst = add('Sub', [seen, ofSecond], 'first');
  const word = add('Gather', [table, 'input_ids'], 'word');
  const last = whole('last', [2]);
  const query = add('Mul', [word, add('Unsqueeze', [ofFirst, last], 'first.column')], 'query');
  const passage = add('Mul', [word, add('Unsqueeze', [ofSecond, last], 'second.column')], 'passage');
  const across = add('Transpose', [passage], 'across', [integerList('perm', [0, 2, 1])]);
  const likeness = add('MatMul', [query, across], 'likeness');
  const nearest = add('ReduceMax', [likeness], 'nearest', [integerList('axes', [2]), integer('keepdims', 0)]);
  const along = whole('along', [1]);
  const found = add('ReduceSum', [nearest, along], 'found', [integer('keepdims', 1)]);
  const asked = add('ReduceSum', [ofFirst, along], 'asked', [integer('keepdims', 1)]);
  const share = add('Div', [found, asked], 'share');
  const stretch = Array.from({ length: labels }, () => 8 + random());
  const stretched = add('Mul', [share, numbers('stretch', [labels], stretch)], 'stretched');
  add('Sub', [stretched, numbers('middle', [1], [4])], 'logits');
  return fileOf({ nodes, weights, outputs: [value('logits', 1, ['batch', labels])] });
}

function fileOf({ nodes, weights, outputs }) {
  const inputs = ['input_ids', 'attention_mask', 'token_type_ids'];
  const graph = [
    ...nodes.map((each) => message(1, each)),
    text(2, 'tiny'),
    ...weights.map((each) => message(5, each)),
    ...inputs.map((name) => message(11, value(name, 7, ['batch', 'length']))),
    ...outputs.map((each) => message(12, each)),
  ];
  return Buffer.concat([
    number(1, 9),
    text(2, 'make-tiny-model'),
    message(7, graph),
    message(8, [text(1, ''), number(2, 17)]),
  ]);
}

/** Between 0 and 1; the same on every machine. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

// Parts of an ONNX file: messages of protocol buffers, by the field numbers of onnx.proto.

function node(operation, inputs, output, attributes) {
  return [
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(4, operation),
    ...attributes.map((attribute) => message(5, attribute)),
  ];
}

const integer = (name, value) => [text(1, name), number(3, value), number(20, 2)];
const float = (name, value) => [text(1, name), single(2, value), number(20, 1)];
const integerList = (name, values) => [
  text(1, name),
  ...values.map((each) => number(8, each)),
  number(20, 7),
];

function floats(name, dims, values) {
  const bytes = Buffer.from(Float32Array.from(values).buffer);
  return [...dims.map((dim) => number(1, dim)), number(2, 1), text(8, name), block(9, bytes)];
}

function integers(name, values) {
  const bytes = Buffer.from(BigInt64Array.from(values, BigInt).buffer);
  return [number(1, values.length), number(2, 7), text(8, name), block(9, bytes)];
}

function scalar(name, value, weights) {
  weights.push([number(2, 7), text(8, name), block(9, Buffer.from(BigInt64Array.of(BigInt(value)).buffer))]);
  return name;
}

function value(name, type, dims) {
  const shape = dims.map((dim) => message(1, [typeof dim === 'string' ? text(2, dim) : number(1, dim)]));
  return [text(1, name), message(2, [message(1, [number(1, type), message(2, shape)])])];
}

function number(field, value) {
  return Buffer.concat([varint(BigInt(field << 3)), varint(BigInt.asUintN(64, BigInt(value)))]);
}

function single(field, value) {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([varint(BigInt((field << 3) | 5)), bytes]);
}

const text = (field, value) => block(field, Buffer.from(value));
const message = (field, parts) => block(field, Buffer.concat(parts));

function block(field, bytes) {
  return Buffer.concat([varint(BigInt((field << 3) | 2)), varint(BigInt(bytes.length)), bytes]);
}

function varint(value) {
  const bytes = [];
  let rest = value;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [folder, kind = 'encoder'] = process.argv.slice(2);
  if (folder === undefined || !['encoder', 'reranker'].includes(kind)) {
    console.error('Usage: node scripts/make-tiny-model.mjs <folder> [reranker]');
    process.exit(2);
  }
  console.log((kind === 'reranker' ? makeTinyReranker : makeTinyModel)(resolve(folder)));
}
