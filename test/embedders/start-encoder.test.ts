/** The process in which an encoder runs, as the build makes it. */

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/bundle.mjs';
import type { EncoderPlan } from '../../src/adapters/embedders/encoder.js';
import { startEncoder } from '../../src/adapters/embedders/start-encoder.js';
import { openTransformersEmbedder } from '../../src/adapters/embedders/transformers-embedder.js';
import { temporaryModelFolder } from './static-model.js';
import { hasTransformers, TINY_FACTS, tinyEncoder } from './tiny-encoder.js';

const PROGRAM = join(root, 'dist/program/encoder-process.cjs');

function planFor(folder: string, changes: Partial<EncoderPlan> = {}): EncoderPlan {
  const { id, dimensions, maxTokens, pooling, dtype } = TINY_FACTS;
  return { id, dimensions, maxTokens, pooling, dtype, folder, device: 'cpu', remedy: 'Try.', ...changes };
}

/** Of this process. */
function childProcesses(): readonly string[] {
  const file = `/proc/${process.pid}/task/${process.pid}/children`;
  return readFileSync(file, 'utf8').split(' ').filter(Boolean);
}

/** A program that stands for the process of an encoder. */
function programOf(code: string): string {
  const path = join(temporaryModelFolder(), 'program.cjs');
  writeFileSync(path, code);
  return path;
}

async function bundledEmbedder(): Promise<string> {
  const outfile = join(temporaryModelFolder(), 'embedder.cjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['src/adapters/embedders/transformers-embedder.ts'],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    external: ['@huggingface/transformers'],
    define: { 'import.meta.dirname': '__dirname' },
    logLevel: 'warning',
  });
  return outfile;
}

describe.skipIf(!hasTransformers)('startEncoder()', () => {
  test('gives what the encoder gives in this process', async () => {
    const plan = planFor(tinyEncoder());
    const [beside, here] = await Promise.all([startEncoder(plan, PROGRAM), startEncoder(plan, undefined)]);
    const texts = ['The river in winter.', 'bread', 'note '.repeat(300)];
    expect(await beside.encode(texts)).toEqual(await here.encode(texts));
    await Promise.all([beside.close(), here.close()]);
  });

  test.skipIf(!existsSync('/proc/self/task'))(
    'ends its process, and nothing else of it is left',
    async () => {
      const before = childProcesses();
      const embedder = await openTransformersEmbedder(TINY_FACTS, {
        folder: tinyEncoder(),
        program: PROGRAM,
      });
      expect(childProcesses()).toEqual(before);
      await Promise.all([embedder.embedQuery('river'), embedder.embedQuery('bread')]);
      expect(childProcesses().length).toBe(before.length + 1);
      await embedder.release();
      expect(childProcesses()).toEqual(before);
      await embedder.embedQuery('river');
      expect(childProcesses().length).toBe(before.length + 1);
      await embedder.release();
    },
  );

  test('tells errors of the encoder as they are', async () => {
    const folder = tinyEncoder();
    writeFileSync(join(folder, 'onnx/model.onnx'), 'no model');
    await expect(startEncoder(planFor(folder), PROGRAM)).rejects.toMatchObject({
      name: 'MemoryError',
      code: 'unavailable',
      message: expect.stringContaining(`The model "tiny" in "${folder}" cannot be used: it cannot be loaded`),
      hint: 'Try.',
    });
    const embedder = await openTransformersEmbedder(TINY_FACTS, {
      folder: tinyEncoder({ poison: 'stone' }),
      program: PROGRAM,
    });
    await expect(embedder.embedPassages(['river', 'a stone'])).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('"a stone": its vector holds NaN'),
      details: { text: 1 },
    });
    await embedder.release();
  });

  test('says how to install the package where it is missing', async () => {
    const program = join(temporaryModelFolder(), 'encoder-process.cjs');
    copyFileSync(PROGRAM, program);
    await expect(startEncoder(planFor(tinyEncoder()), program)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^The package @huggingface\/transformers, which runs models, cannot be/),
      hint: expect.stringContaining('npm install --global @huggingface/transformers'),
    });
  });

  test('a process that dies makes the call fail that it was working on, and others go to another one', async () => {
    const mark = join(temporaryModelFolder(), 'died');
    const program = programOf(`
      const { existsSync, writeFileSync } = require('node:fs');
      if (existsSync(${JSON.stringify(mark)})) require(${JSON.stringify(PROGRAM)});
      else process.on('message', ({ number, open }) => {
        if (open) process.send({ number });
        else { writeFileSync(${JSON.stringify(mark)}, ''); process.kill(process.pid, 'SIGKILL'); }
      });`);
    const embedder = await openTransformersEmbedder(TINY_FACTS, { folder: tinyEncoder(), program });
    const [query, passages] = await Promise.allSettled([
      embedder.embedQuery('river'),
      embedder.embedPassages(['bread']),
    ]);
    expect(query).toMatchObject({
      reason: {
        code: 'unavailable',
        message: 'The process of the model "tiny" has ended: SIGKILL',
        hint: expect.stringContaining('a smaller model needs less'),
      },
    });
    expect(passages.status).toBe('fulfilled');
    expect((await embedder.embedQuery('river')).knownShare).toBe(1);
    await embedder.release();
  });

  test('a device that ends the process is done without', async () => {
    const program = programOf(`
      process.once('message', (request) => {
        if (request.open.device !== 'cpu') process.abort();
        require(${JSON.stringify(PROGRAM)});
        process.emit('message', request);
      });`);
    const encoder = await startEncoder(planFor(tinyEncoder(), { device: 'webgpu' }), program);
    expect(encoder.notice).toBe('the device "webgpu" cannot be used; the model runs on the CPU');
    expect((await encoder.encode(['river'])).length).toBe(64);
    await encoder.close();
  });

  test('keeps no program from its end', async () => {
    const library = await bundledEmbedder();
    const script = `
      const { openTransformersEmbedder } = require(${JSON.stringify(library)});
      openTransformersEmbedder(${JSON.stringify(TINY_FACTS)}, {
        folder: ${JSON.stringify(tinyEncoder())}, program: ${JSON.stringify(PROGRAM)} })
        .then((embedder) => embedder.embedQuery('river'))
        .then(({ vector }) => console.log(vector.length));`;
    expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })).toBe('64\n');
  });
});
