/** Tokenised texts put into batches for a model, and a batch put into the tensors that it takes. */

import type { Library, Tensor } from './transformers-library.js';

/** Of a batch, padding counted: memory and the time until others have a turn grow with it. */
const BATCH_TOKENS = 4096;
const BATCH_TEXTS = 32;
/** No language has longer tokens on average; what lies behind is not looked at. */
export const MOST_CHARACTERS_A_TOKEN = 32;
/** Every vocabulary has a token for it. */
export const SAMPLE = 'a';

/** Tokens of one text, or of a pair of texts in which the second has types of its own. */
export type TokenRow = { readonly tokens: readonly number[]; readonly types?: readonly number[] };

/** Places of texts, those of like length together, so that little is padded. */
export function* batchesOf(rows: readonly TokenRow[]): Generator<readonly number[]> {
  const lengthOf = (at: number) => rows[at]!.tokens.length;
  const order = rows.map((_, at) => at).sort((a, b) => lengthOf(a) - lengthOf(b));
  let batch: number[] = [];
  for (const at of order) {
    const isFull = batch.length === BATCH_TEXTS || (batch.length + 1) * lengthOf(at) > BATCH_TOKENS;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
    }
    batch.push(at);
  }
  if (batch.length > 0) yield batch;
}

/** Padded at the end. Types are left to the library, which sets all to 0, unless a row has them. */
export function inputsOf(
  { Tensor: TensorOf }: Library,
  rows: readonly TokenRow[],
  padding: number,
): Readonly<Record<string, Tensor>> {
  const longest = Math.max(1, ...rows.map(({ tokens }) => tokens.length));
  const size = rows.length * longest;
  const shape = [rows.length, longest];
  const numbers = new BigInt64Array(size).fill(BigInt(padding));
  const mask = new BigInt64Array(size);
  const types = new BigInt64Array(size);
  rows.forEach((row, at) => {
    row.tokens.forEach((token, place) => {
      numbers[at * longest + place] = BigInt(token);
      mask[at * longest + place] = 1n;
      types[at * longest + place] = BigInt(row.types?.[place] ?? 0);
    });
  });
  return {
    input_ids: new TensorOf('int64', numbers, shape),
    attention_mask: new TensorOf('int64', mask, shape),
    ...(rows.some((row) => row.types !== undefined)
      ? { token_type_ids: new TensorOf('int64', types, shape) }
      : {}),
  };
}
