/** Names of embedders: what each opens, and what is refused. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEmbedder } from '../../src/adapters/embedders/open-embedder.js';
import { deterministicEmbedder } from './deterministic-embedder.js';
import { floatTensor, PIECES, someNumbers, writeModel2vec } from './model2vec-folder.js';
import { makeTables, temporaryModelFolder, writeStaticModel } from './static-model.js';

test.each([undefined, 'static'])('openEmbedder(%j) opens the built-in model', async (reference) => {
  const modelsFolder = temporaryModelFolder();
  const folder = join(modelsFolder, 'static-english-192');
  await expect(openEmbedder(reference, { modelsFolder })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(folder),
  });
  writeStaticModel(makeTables(24), folder);
  expect((await openEmbedder(reference, { modelsFolder }))?.model.id).toBe('tiny-24');
});

test('openEmbedder("none") is none', async () => {
  expect(await openEmbedder('none', { modelsFolder: '/nowhere' })).toBeUndefined();
});

test('openEmbedder() of a folder opens what is in it', async () => {
  const places = { modelsFolder: '/nowhere' };
  expect((await openEmbedder(writeStaticModel(makeTables(16)), places))?.model.dimensions).toBe(16);
  const tensors = { embeddings: floatTensor([PIECES.length, 5], someNumbers(PIECES.length * 5)) };
  expect((await openEmbedder(writeModel2vec(tensors), places))?.model.dimensions).toBe(5);
});

test('openEmbedder() of a static model without its card says what is missing', async () => {
  const folder = temporaryModelFolder();
  writeFileSync(join(folder, 'vocabulary.bin'), '');
  await expect(openEmbedder(folder, { modelsFolder: '/nowhere' })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('model.json'),
  });
});

test('openEmbedder() of anything else names what there is', async () => {
  const file = join(temporaryModelFolder(), 'file');
  writeFileSync(file, '');
  for (const reference of ['statik', '', './no/such/folder', temporaryModelFolder(), file]) {
    await expect(openEmbedder(reference, { modelsFolder: '/nowhere' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(`"${reference}"`),
      hint: expect.stringMatching(/static, none.*vocabulary\.bin.*model\.safetensors/),
    });
  }
});

test('the deterministic embedder puts texts with equal words near each other', async () => {
  const { vector } = await deterministicEmbedder.embedQuery('kernel of the embedder');
  const passages = await deterministicEmbedder.embedPassages([
    'The embedder: its kernel',
    'bread and butter',
    '',
  ]);
  const cosineTo = (at: number) => {
    const row = Array.from(passages.subarray(at * vector.length, (at + 1) * vector.length));
    const product = row.reduce((sum, value, d) => sum + value * vector[d]!, 0);
    return product / (Math.hypot(...row) || 1);
  };
  expect(cosineTo(0)).toBeGreaterThan(0.5);
  expect(cosineTo(0)).toBeGreaterThan(cosineTo(1) + 0.3);
  expect(cosineTo(2)).toBe(0);
});
