/** Rows of numbers in what endpoints answer: `data` with an `embedding` each as OpenAI has it, `embeddings` as Ollama. */

import { isObject } from './model-file.js';

/** Throws an Error that says what it has in place of `count` rows. */
export function readRows(body: string, count: number): readonly Float32Array[] {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    throw new Error('no JSON');
  }
  const lists = listsIn(isObject(answer) ? answer : {});
  if (lists === undefined) throw new Error('no embeddings');
  if (lists.length !== count) throw new Error(`${lists.length} embeddings for ${count} texts`);
  const rows = lists.map(rowOf);
  const [first] = rows;
  if (rows.some(({ length }) => length !== first!.length)) throw new Error('embeddings of unlike dimensions');
  return rows;
}

function listsIn({ data, embeddings }: Record<string, unknown>): readonly unknown[] | undefined {
  if (Array.isArray(embeddings)) return embeddings;
  if (!Array.isArray(data)) return undefined;
  const items = data.filter(isObject);
  const placeOf = (item: Record<string, unknown>, at: number) =>
    typeof item['index'] === 'number' ? item['index'] : at;
  return items
    .map((item, at) => ({ place: placeOf(item, at), row: item['embedding'] }))
    .sort((a, b) => a.place - b.place)
    .map(({ row }) => row);
}

/** What is no number in JSON (`null`) stays none, for the text's sake to be told. */
function rowOf(list: unknown): Float32Array {
  if (!Array.isArray(list) || list.length === 0) throw new Error('an embedding that is no list of numbers');
  return Float32Array.from(list, (value) => (typeof value === 'number' ? value : Number.NaN));
}
