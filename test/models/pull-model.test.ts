/** Downloads from a hub on this machine: what arrives, what goes wrong on the way, and what is left then. */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeRepository, hubEndpoint } from '../../src/adapters/embedders/hub-repository.js';
import { modelState, readCard } from '../../src/adapters/embedders/model-cache.js';
import { type PullPlan, planPull, pullModel } from '../../src/adapters/embedders/pull-model.js';
import { temporaryFolder } from '../surfaces/run-memory.js';
import {
  encoderFiles,
  endpointOfNobody,
  type Files,
  HUB_ID,
  type Hub,
  type Interference,
  REVISION,
  sendFile,
  sha256Of,
  startHub,
} from './hub-server.js';

const WEIGHTS = 'onnx/model_quantized.onnx';
const WEIGHTS_PATH = `/${HUB_ID}/resolve/${REVISION}/${WEIGHTS}`;

type Place = { readonly hub: Hub; readonly cache: string; readonly plan: PullPlan; readonly files: Files };

async function prepare(interfere?: Interference, files = encoderFiles()): Promise<Place> {
  const hub = await startHub(files, interfere);
  const cache = temporaryFolder();
  return { hub, cache, files, plan: await planPull(HUB_ID, cache, { endpoint: hub.endpoint }) };
}

function pull({ hub, plan }: Pick<Place, 'hub' | 'plan'>, more: { readonly signal?: AbortSignal } = {}) {
  return pullModel(plan, { endpoint: hub.endpoint, waitMs: 1, ...more });
}

function expectWhole({ cache, plan, files }: Place): void {
  expect(modelState(cache, HUB_ID)).toBe('present');
  for (const [name, bytes] of Object.entries(files))
    expect(readFileSync(join(plan.folder, name)).equals(bytes), name).toBe(true);
  expect(readdirSync(cache)).toEqual(['tiny--encoder']);
}

/** What of the weights is there after a download that failed. */
function partOf({ plan }: Place): number {
  const path = join(`${plan.folder}.part`, `${WEIGHTS}.part`);
  return existsSync(path) ? statSync(path).size : 0;
}

/** Sends so much of the file, then closes the connection. */
function breakAfter(files: Files, bytes: number, times = Number.POSITIVE_INFINITY): Interference {
  return (request, response, nth) => {
    if (request.url !== WEIGHTS_PATH || nth > times) return false;
    const content = files[WEIGHTS]!;
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const range = { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` };
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': content.length - from,
      ...(from > 0 ? range : {}),
    });
    response.write(content.subarray(from, from + bytes), () => response.destroy());
    return true;
  };
}

test('pullModel() brings all files, and a card of what they are', async () => {
  const place = await prepare();
  expect(place.plan).toMatchObject({ hubId: HUB_ID, revision: REVISION, licence: 'mit' });
  expect(modelState(place.cache, HUB_ID)).toBe('absent');
  const outcome = await pull(place);
  const bytes = Object.values(place.files).reduce((sum, file) => sum + file.length, 0);
  expect(outcome).toEqual({ folder: place.plan.folder, bytes, downloadedBytes: bytes });
  expectWhole(place);
  expect(readCard(place.plan.folder)).toMatchObject({
    hubId: HUB_ID,
    revision: REVISION,
    licence: 'mit',
    files: expect.arrayContaining([
      { path: WEIGHTS, bytes: 300_000, sha256: sha256Of(place.files[WEIGHTS]!) },
    ]),
  });
});

test('pullModel() of what is there asks for nothing', async () => {
  const place = await prepare();
  await pull(place);
  const before = place.hub.asked.length;
  expect(await pull(place)).toMatchObject({ downloadedBytes: 0 });
  expect(place.hub.asked).toHaveLength(before);
  expectWhole(place);
});

test('pullModel() mends a file that was damaged, and leaves the others', async () => {
  const place = await prepare();
  await pull(place);
  writeFileSync(join(place.plan.folder, 'tokenizer.json'), 'short');
  expect(modelState(place.cache, HUB_ID)).toBe('incomplete');
  const before = place.hub.asked.length;
  await pull(place);
  expect(place.hub.asked.slice(before)).toEqual([`/${HUB_ID}/resolve/${REVISION}/tokenizer.json`]);
  expectWhole(place);
});

test('pullModel() finds weights of the right size with another content', async () => {
  const place = await prepare();
  await pull(place);
  const path = join(place.plan.folder, WEIGHTS);
  const wrong = Buffer.from(readFileSync(path));
  wrong[1_000]! ^= 1;
  writeFileSync(path, wrong);
  await pull(place);
  expectWhole(place);
});

test('pullModel() goes on by itself after a broken connection', async () => {
  const files = encoderFiles();
  const place = await prepare(breakAfter(files, 100_000, 2), files);
  await pull(place);
  expectWhole(place);
  const ranges = place.hub.asked.filter((line) => line.startsWith(WEIGHTS_PATH));
  expect(ranges[0]).toBe(WEIGHTS_PATH);
  expect(ranges.slice(1).every((line) => / bytes=[1-9]\d*-$/.test(line))).toBe(true);
  expect(ranges.length).toBeGreaterThan(1);
});

test('pullModel() gives up after some tries that bring nothing, and goes on in the next call', async () => {
  const files = encoderFiles();
  let isBroken = true;
  const place = await prepare((request, response, nth) => {
    if (!isBroken || request.url !== WEIGHTS_PATH) return false;
    if (nth === 1) return breakAfter(files, 120_000)(request, response, nth);
    response.destroy();
    return true;
  }, files);
  await expect(pull(place)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(`"${WEIGHTS}" did not come to its end`),
    hint: expect.stringContaining('what has arrived is kept'),
  });
  expect(modelState(place.cache, HUB_ID)).toBe('incomplete');
  const had = partOf(place);
  isBroken = false;
  const before = place.hub.asked.length;
  const { bytes, downloadedBytes } = await pull(place);
  expectWhole(place);
  expect(downloadedBytes).toBeLessThan(bytes);
  const resumed = had > 0 ? ` bytes=${had}-` : '';
  expect(place.hub.asked.slice(before)).toEqual([`${WEIGHTS_PATH}${resumed}`]);
});

test('pullModel() that is stopped keeps what has arrived', async () => {
  const files = encoderFiles();
  const stop = new AbortController();
  const place = await prepare((request, response, nth) => {
    if (request.url !== WEIGHTS_PATH || nth > 1) return false;
    response.writeHead(200, { 'content-length': files[WEIGHTS]!.length });
    response.write(files[WEIGHTS]!.subarray(0, 50_000));
    return true;
  }, files);
  const report = ({ done }: { readonly done: number }) => {
    if (done > 40_000) stop.abort();
  };
  const pulled = pullModel(place.plan, { endpoint: place.hub.endpoint, signal: stop.signal, report });
  await expect(pulled).rejects.toThrow(/abort/i);
  expect(modelState(place.cache, HUB_ID)).toBe('incomplete');
  expect(partOf(place)).toBeGreaterThan(0);
  await pull(place);
  expectWhole(place);
});

test('pullModel() begins again where the server does not know parts', async () => {
  const files = encoderFiles();
  const place = await prepare((request, response, nth) => {
    if (request.url !== WEIGHTS_PATH) return false;
    if (nth === 1) return breakAfter(files, 90_000)(request, response, nth);
    response.writeHead(200, { 'content-length': files[WEIGHTS]!.length }).end(files[WEIGHTS]);
    return true;
  }, files);
  await pull(place);
  expectWhole(place);
});

test('pullModel() drops a part that is longer than the file', async () => {
  const place = await prepare();
  const folder = join(`${place.plan.folder}.part`, 'onnx');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(place.plan.folder.concat('.part'), `${WEIGHTS}.part`), Buffer.alloc(400_000));
  await pull(place);
  expectWhole(place);
});

test('pullModel() takes a part that is the whole file, if it is right', async () => {
  const place = await prepare();
  mkdirSync(join(`${place.plan.folder}.part`, 'onnx'), { recursive: true });
  writeFileSync(join(`${place.plan.folder}.part`, `${WEIGHTS}.part`), place.files[WEIGHTS]!);
  await pull(place);
  expectWhole(place);
  expect(place.hub.asked.filter((line) => line.startsWith(WEIGHTS_PATH))).toEqual([]);
});

test('pullModel() refuses another content, and keeps nothing of it', async () => {
  const files = encoderFiles();
  const other = Buffer.from(files[WEIGHTS]!);
  other[7]! ^= 255;
  const place = await prepare((request, response) => {
    if (request.url !== WEIGHTS_PATH) return false;
    sendFile(other, request, response);
    return true;
  }, files);
  await expect(pull(place)).rejects.toMatchObject({
    code: 'unavailable',
    message: `"${WEIGHTS}" arrived with another content than it must have`,
  });
  expect(partOf(place)).toBe(0);
  expect(modelState(place.cache, HUB_ID)).not.toBe('present');
});

test('pullModel() holds a file to the hash that the server tells, where no other is known', async () => {
  const files = encoderFiles();
  const place = await prepare((request, response) => {
    if (request.url !== WEIGHTS_PATH) return false;
    response.writeHead(200, { 'x-linked-etag': `"${'0'.repeat(64)}"` }).end(files[WEIGHTS]);
    return true;
  }, files);
  const plan = { ...place.plan, files: place.plan.files.map((file) => ({ ...file, sha256: undefined })) };
  await expect(pull({ hub: place.hub, plan })).rejects.toMatchObject({
    message: expect.stringContaining('another content'),
  });
});

test('pullModel() refuses another size before it downloads', async () => {
  const files = encoderFiles();
  const place = await prepare((request, response) => {
    if (request.url !== WEIGHTS_PATH) return false;
    response.writeHead(200, { 'content-length': 12 }).end('what is this');
    return true;
  }, files);
  await expect(pull(place)).rejects.toMatchObject({
    code: 'unavailable',
    message: `"${WEIGHTS}" has 12 bytes there, and must have 300000`,
  });
  expect(partOf(place)).toBe(0);
});

describe('answers of the server', () => {
  const answering = (status: number, headers: Readonly<Record<string, string>> = {}): Interference => {
    return (request, response) => {
      if (request.url !== WEIGHTS_PATH) return false;
      response.writeHead(status, headers).end('no');
      return true;
    };
  };

  test.each([
    [401, 'unavailable', 'is not given to everybody (401)', 'memory model use <folder>'],
    [403, 'unavailable', 'is not given to everybody (403)', 'memory model use <folder>'],
    [404, 'not_found', 'There is no "', 'HF_ENDPOINT'],
    [400, 'unavailable', 'the server answered 400', 'HF_ENDPOINT'],
  ])('%d is final: %s', async (status, code, message, hint) => {
    const place = await prepare(answering(status));
    await expect(pull(place)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
    expect(place.hub.asked.filter((line) => line.startsWith(WEIGHTS_PATH))).toHaveLength(1);
    // The small files came first, and stay for the next time.
    expect(modelState(place.cache, HUB_ID)).toBe('incomplete');
  });

  test.each([429, 500, 503])('%d is tried again, and then told', async (status) => {
    const place = await prepare(answering(status, { 'retry-after': '0' }));
    await expect(pull(place)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`the server answered ${status}`),
    });
    expect(place.hub.asked.filter((line) => line.startsWith(WEIGHTS_PATH)).length).toBeGreaterThan(2);
  });

  test('429 once does no harm', async () => {
    const place = await prepare((request, response, nth) => {
      if (request.url !== WEIGHTS_PATH || nth > 1) return false;
      response.writeHead(429, { 'retry-after': '0' }).end();
      return true;
    });
    await pull(place);
    expectWhole(place);
  });

  test('a redirect is followed, with the part that is missing', async () => {
    const files = encoderFiles();
    const place = await prepare((request, response, nth) => {
      if (request.url === WEIGHTS_PATH) {
        response.writeHead(302, {
          location: '/elsewhere/blob?signed=1',
          'x-linked-etag': sha256Of(files[WEIGHTS]!),
        });
        response.end();
        return true;
      }
      if (request.url !== '/elsewhere/blob?signed=1') return false;
      if (nth === 1) {
        response.writeHead(200, { 'content-length': files[WEIGHTS]!.length });
        response.write(files[WEIGHTS]!.subarray(0, 70_000), () => response.destroy());
      } else sendFile(files[WEIGHTS]!, request, response);
      return true;
    }, files);
    await pull(place);
    expectWhole(place);
  });

  test('a redirect without end is given up', async () => {
    const place = await prepare(answering(302, { location: WEIGHTS_PATH }));
    await expect(pull(place)).rejects.toMatchObject({ message: expect.stringContaining('without end') });
  });

  test('a redirect to no web address is not followed', async () => {
    const place = await prepare(answering(302, { location: 'file:///etc/passwd' }));
    await expect(pull(place)).rejects.toMatchObject({ message: expect.stringContaining('not followed') });
  });

  test('nobody there is told at once', async () => {
    const place = await prepare();
    const gone = await endpointOfNobody();
    await expect(pullModel(place.plan, { endpoint: gone })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`Cannot reach "${gone.origin}": `),
    });
    expect(readdirSync(place.cache)).toEqual([]);
  });
});

test('pullModel() does not begin where the disk has no room', async () => {
  const place = await prepare();
  const large = { ...place.plan, bytes: Number.MAX_SAFE_INTEGER };
  await expect(pull({ hub: place.hub, plan: large })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(`"${HUB_ID}" needs`),
    hint: expect.stringContaining('XDG_CACHE_HOME'),
  });
  expect(readdirSync(place.cache)).toEqual([]);
});

test('pullModel() leaves a download to the process that does it already', async () => {
  const place = await prepare();
  const gathering = `${place.plan.folder}.part`;
  mkdirSync(gathering);
  writeFileSync(join(gathering, 'pulled-by.pid'), '1');
  await expect(pull(place)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Process 1'),
  });
  // One that has ended holds nobody up, nor one that shows no sign of life.
  writeFileSync(join(gathering, 'pulled-by.pid'), '1');
  utimesSync(join(gathering, 'pulled-by.pid'), 1, 1);
  await pull(place);
  expectWhole(place);
  mkdirSync(gathering);
  writeFileSync(join(place.plan.folder, 'config.json'), '');
  writeFileSync(join(gathering, 'pulled-by.pid'), '999999999');
  await pull(place);
  expectWhole(place);
});

test('pullModel() twice in one process is done once', async () => {
  const place = await prepare();
  const results = await Promise.allSettled([pull(place), pull(place)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expectWhole(place);
});

test('pullModel() reports bytes up to the last', async () => {
  const place = await prepare();
  const seen: number[] = [];
  await pullModel(place.plan, {
    endpoint: place.hub.endpoint,
    report: ({ done, total }) => {
      expect(done).toBeLessThanOrEqual(total);
      seen.push(done);
    },
  });
  expect([...seen].sort((a, b) => a - b)).toEqual(seen);
  expect(seen.at(-1)).toBe(place.plan.bytes);
});

describe('describeRepository()', () => {
  test('takes the files of an encoder and leaves the rest', async () => {
    const files = {
      ...encoderFiles(),
      'onnx/model.onnx': Buffer.from('large'),
      'onnx/model_quantized.onnx_data': Buffer.from('beside'),
      'onnx/model_quantized.onnx_data/../../x': Buffer.from('outside'),
      'pytorch_model.bin': Buffer.from('other'),
      'README.md': Buffer.from('# Card'),
      '1_Pooling/config.json': Buffer.from('{}'),
    };
    const { endpoint } = await startHub(files);
    const { files: chosen } = await describeRepository(endpoint, HUB_ID);
    expect(chosen.map(({ path }) => path)).toEqual([
      'config.json',
      'tokenizer.json',
      'tokenizer_config.json',
      'onnx/model_quantized.onnx',
      'onnx/model_quantized.onnx_data',
      '1_Pooling/config.json',
    ]);
  });

  test('says what a repository lacks', async () => {
    const { endpoint } = await startHub({ 'config.json': Buffer.from('{}') });
    await expect(describeRepository(endpoint, HUB_ID)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(
        /lacks tokenizer\.json, tokenizer_config\.json, a file like onnx\/model_quantized\.onnx$/,
      ),
    });
  });

  test('refuses, before anything is downloaded, what could not be opened afterwards', async () => {
    const { 'tokenizer_config.json': _, ...files } = encoderFiles();
    const { endpoint, asked } = await startHub(files);
    await expect(planPull(HUB_ID, '/nowhere', { endpoint })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/it lacks tokenizer_config\.json$/),
    });
    expect(asked).toHaveLength(1);
  });

  test.each(['', '[]', '{"sha":"main","siblings":[]}', '{"siblings":3}'])(
    'does not believe %j',
    async (text) => {
      const { endpoint } = await startHub({}, (_, response) => {
        response.end(text);
        return true;
      });
      await expect(describeRepository(endpoint, HUB_ID)).rejects.toMatchObject({ code: 'unavailable' });
    },
  );

  test('says that there is no such repository', async () => {
    const { endpoint } = await startHub(encoderFiles());
    await expect(describeRepository(endpoint, 'tiny/none')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('hubEndpoint()', () => {
  test('is HF_ENDPOINT, with or without a slash at its end', () => {
    expect(hubEndpoint({ HF_ENDPOINT: 'http://mirror.example/hub' }).href).toBe('http://mirror.example/hub/');
    expect(hubEndpoint({ HF_ENDPOINT: 'https://mirror.example/' }).href).toBe('https://mirror.example/');
    expect(hubEndpoint({ HF_ENDPOINT: '' }).protocol).toBe('https:');
  });

  test.each(['mirror', 'ftp://mirror.example', 'file:///models'])('refuses %j', (given) => {
    expect(() => hubEndpoint({ HF_ENDPOINT: given })).toThrow(`HF_ENDPOINT is "${given}"`);
  });
});
