/** Endpoints that embed texts, against a real server on this machine. */

import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type HttpOptions, openHttpEmbedder } from '../../src/adapters/embedders/http-embedder.js';
import { letterVector, sendJson, startEmbeddingServer } from './embedding-server.js';
import { cosine, directionOf } from './tiny-encoder.js';

const open = (url: string, options: Partial<HttpOptions> = {}) =>
  openHttpEmbedder({ url, model: 'm', ...options });

describe('openHttpEmbedder()', () => {
  test.each([
    ['', '/v1/embeddings'],
    ['/', '/v1/embeddings'],
    ['/v1', '/v1/embeddings'],
    ['/v1/', '/v1/embeddings'],
    ['/v1/embeddings', '/v1/embeddings'],
    ['/api', '/api/embed'],
    ['/api/embed', '/api/embed'],
    ['/deep/openai/v1', '/deep/openai/v1/embeddings'],
  ])('at the address with "%s" asks %s', async (given, path) => {
    const server = await startEmbeddingServer();
    const embedder = await open(server.url + given);
    const { vector, knownShare } = await embedder.embedQuery('river');
    expect(cosine(vector, letterVector('river', 8))).toBeCloseTo(1, 5);
    expect(knownShare).toBe(1);
    expect(server.asked.map((asked) => asked.path)).toEqual([path, path]);
    expect(server.asked[1]).toMatchObject({ model: 'm', input: ['river'] });
  });

  test('learns the dimensions from the first answer', async () => {
    const server = await startEmbeddingServer();
    server.dimensions = 12;
    const { model } = await open(`${server.url}/v1/`);
    expect(model).toEqual({
      id: `${server.url}/v1#m`,
      dimensions: 12,
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      rowFormat: 'bytes',
      windowChars: 1638,
    });
    expect(server.asked.length).toBe(1);
  });

  test('puts instructions before texts, cuts vectors, and keeps their order over requests', async () => {
    const server = await startEmbeddingServer();
    const embedder = await open(server.url, {
      dimensions: 5,
      queryInstruction: 'q: ',
      passageInstruction: 'p: ',
    });
    const texts = Array.from({ length: 70 }, (_, at) => `${'abcdefgh'[at % 8]!.repeat(1 + at)} text`);
    const bytes = await embedder.embedPassages(texts);
    expect(bytes.length).toBe(70 * 5);
    for (const [at, text] of texts.entries()) {
      const expected = letterVector(`p: ${text}`, 8).slice(0, 5);
      const scale = 127 / Math.max(...expected);
      expect([...bytes.subarray(at * 5, at * 5 + 5)]).toEqual(
        expected.map((value) => Math.round(value * scale)),
      );
    }
    expect(server.asked.slice(1).map(({ input }) => input.length)).toEqual([32, 32, 6]);
    const { vector } = await embedder.embedQuery('river');
    for (const [d, value] of directionOf(letterVector('q: river', 8).slice(0, 5)).entries())
      expect(vector[d]).toBeCloseTo(value, 5);
    await embedder.release();
  });

  test('long texts go in requests of their own', async () => {
    const server = await startEmbeddingServer();
    const embedder = await open(server.url);
    await embedder.embedPassages(['x'.repeat(50_000), 'y'.repeat(20_000), 'z', 'u'.repeat(70_000)]);
    expect(server.asked.slice(1).map(({ input }) => input.length)).toEqual([1, 2, 1]);
  });

  test('blank texts are not sent', async () => {
    const server = await startEmbeddingServer();
    const embedder = await open(server.url, { passageInstruction: 'p: ' });
    const bytes = await embedder.embedPassages(['', 'river', ' \n']);
    expect([bytes.subarray(0, 8), bytes.subarray(16)].every((row) => row.every((value) => value === 0))).toBe(
      true,
    );
    expect(server.asked[1]!.input).toEqual(['p: river']);
  });

  test('the empty query asks whether the endpoint still answers', async () => {
    const server = await startEmbeddingServer();
    const embedder = await open(server.url);
    expect(await embedder.embedQuery('')).toEqual({ vector: new Float32Array(8), knownShare: 0 });
    server.intercept = (_, response) => sendJson(response, 503, {});
    await expect(embedder.embedQuery('')).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('the key goes along, and only if there is one', async () => {
    const server = await startEmbeddingServer();
    await open(server.url);
    await open(server.url, { apiKey: 'secret-key' });
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      'Bearer secret-key',
    ]);
  });

  test('localhost is this machine, whatever the name leads to', async () => {
    const server = await startEmbeddingServer();
    expect((await open(`http://localhost:${server.port}`)).model.dimensions).toBe(8);
  });

  test('the fingerprint tells address, model, dimensions and the instruction of passages', async () => {
    const server = await startEmbeddingServer();
    const of = async (options: Partial<HttpOptions>, url = server.url) =>
      (await open(url, options)).model.fingerprint;
    const first = await of({});
    expect(await of({ queryInstruction: 'q: ' }, `${server.url}/v1`)).toBe(first);
    const others = [
      await of({ model: 'n' }),
      await of({ dimensions: 4 }),
      await of({ passageInstruction: 'p: ' }),
      await of({}, `${server.url}/api`),
    ];
    server.dimensions = 9;
    others.push(await of({}), await of({ dimensions: 8 }));
    expect(new Set([first, ...others]).size).toBe(7);
  });
});

describe('addresses', () => {
  test.each([
    'http://192.168.1.5:11434',
    'https://example.org/v1',
    'http://127.0.0.1.example.org',
    'http://localhost.example.org',
    'http://128.0.0.1',
    'http://[::2]',
    'http://0.0.0.0:80',
  ])('%s is refused unless others are allowed', async (url) => {
    await expect(open(url)).rejects.toMatchObject({
      code: 'invalid_input',
      message: `The endpoint "${url}" is not on this machine`,
      hint: expect.stringContaining('allow-remote: true'),
    });
  });

  test('others are asked where they are allowed', async () => {
    // A port of this machine that answers nobody, by a name that is not looked at.
    await expect(open('http://0.0.0.0:9', { allowRemote: true, withinMs: 5_000 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('http://0.0.0.0:9#m'),
    });
  });

  test.each(['ftp://127.0.0.1/', '127.0.0.1:11434', 'http://', ''])('"%s" is none', async (url) => {
    await expect(open(url)).rejects.toMatchObject({
      code: 'invalid_input',
      message: `"${url}" is no address of an endpoint`,
    });
  });

  test('a password in the address is refused, and not repeated', async () => {
    const error = await open('http://me:hush@127.0.0.1:9').catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'invalid_input', hint: 'Put a key into AGENT_MEMORY_API_KEY.' });
    expect(String(error)).not.toContain('hush');
  });
});

describe('failures', () => {
  test('nobody there', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    await expect(open(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
      code: 'unavailable',
      message: `The endpoint "http://127.0.0.1:${port}#m" cannot be used: nothing answers at its address`,
      hint: expect.stringContaining('Start the server'),
    });
  });

  test.each<[string, (response: ServerResponse) => unknown]>([
    ['says nothing', () => {}],
    ['never ends its answer', (response) => response.writeHead(200).write('{"data": [')],
    [
      'answers drop by drop',
      (response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(' '), 50);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('a server that %s is let go of', async (_, behave) => {
    const server = await startEmbeddingServer();
    server.intercept = (__, response) => {
      behave(response);
      return true;
    };
    await expect(open(server.url, { withinMs: 300 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/no answer within 0\.3 s$/),
    });
  });

  test('a server that hangs up is unavailable', async () => {
    const server = await startEmbeddingServer();
    server.intercept = (_, response) => Boolean(response.destroy());
    await expect(open(server.url)).rejects.toMatchObject({ code: 'unavailable' });
    server.intercept = (_, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('{');
      response.destroy();
      return true;
    };
    await expect(open(server.url)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('redirects are not followed, not even on the same host', async () => {
    const [server, other] = [await startEmbeddingServer(), await startEmbeddingServer()];
    server.intercept = (_, response) => {
      response.writeHead(307, { location: `${other.url}/v1/embeddings` }).end();
      return true;
    };
    await expect(open(server.url, { apiKey: 'secret-key' })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`sends requests on to "${other.url}/v1/embeddings"`),
    });
    expect(other.asked).toEqual([]);
  });

  test.each<[number, unknown, string, string]>([
    [401, { error: { message: 'no key' } }, 'status 401: no key', 'AGENT_MEMORY_API_KEY'],
    [403, 'plain words', 'status 403: plain words', 'AGENT_MEMORY_API_KEY'],
    [404, { error: 'model "m" not found' }, 'status 404: model "m" not found', 'Load the model "m" there'],
    [429, {}, 'status 429', 'try again later'],
    [400, { message: 'bad' }, 'status 400: bad', 'Start the server'],
    [500, '<html>long page</html>', 'status 500', 'Start the server'],
  ])('status %d at opening is unavailable', async (status, body, said, hint) => {
    const server = await startEmbeddingServer();
    server.intercept = (_, response) => {
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
      return true;
    };
    await expect(open(server.url)).rejects.toMatchObject({
      code: 'unavailable',
      message: `The endpoint "${server.url}#m" cannot be used: ${said}`,
      hint: expect.stringContaining(hint),
    });
  });

  test.each<[unknown, string]>([
    ['no json', 'no JSON'],
    [{ data: 'x' }, 'no embeddings'],
    [[], 'no embeddings'],
    [{ data: [] }, '0 embeddings for 1 texts'],
    [{ embeddings: [[1], [2]] }, '2 embeddings for 1 texts'],
    [{ data: [{ index: 0, embedding: 'AAAA' }] }, 'an embedding that is no list of numbers'],
    [{ embeddings: [[]] }, 'an embedding that is no list of numbers'],
  ])('the answer %j is none', async (body, fault) => {
    const server = await startEmbeddingServer();
    server.intercept = (_, response) => {
      response.writeHead(200).end(typeof body === 'string' ? body : JSON.stringify(body));
      return true;
    };
    await expect(open(server.url)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`its answer has ${fault}`),
    });
  });

  test('another number of dimensions later is unavailable, and mixes nothing', async () => {
    const server = await startEmbeddingServer();
    const embedder = await open(server.url);
    server.dimensions = 7;
    for (const call of [
      embedder.embedQuery('river'),
      embedder.embedPassages(['river']),
      embedder.embedQuery(''),
    ])
      await expect(call).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('its vectors had 8 dimensions, and now have 7'),
      });
    server.intercept = (_, response) =>
      sendJson(response, 200, {
        embeddings: [
          [1, 2],
          [1, 2, 3],
        ],
      });
    await expect(embedder.embedPassages(['river', 'bread'])).rejects.toMatchObject({ code: 'unavailable' });
  });

  test.each([400, 413, 422, 500])(
    'status %d for one text names it, and others are embedded',
    async (status) => {
      const server = await startEmbeddingServer();
      const embedder = await open(server.url, { passageInstruction: 'p: ' });
      server.intercept = ({ input }, response) =>
        input.some((text) => text.includes('long')) &&
        sendJson(response, status, { error: 'input too large' });
      await expect(embedder.embedPassages(['river', 'a long text'])).rejects.toMatchObject({
        code: 'invalid_input',
      });
      await expect(embedder.embedPassages(['a long text'])).rejects.toMatchObject({
        code: 'invalid_input',
        message: `The model cannot embed the text "a long text": status ${status}: input too large`,
      });
      await expect(embedder.embedQuery('long')).rejects.toMatchObject({ code: 'invalid_input' });
      expect((await embedder.embedPassages(['river'])).length).toBe(8);
    },
  );

  test('status 500 for every text is unavailable', async () => {
    const server = await startEmbeddingServer();
    const embedder = await open(server.url);
    server.intercept = (_, response) => sendJson(response, 500, { error: { message: 'out of memory' } });
    await expect(embedder.embedPassages(['river'])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('status 500: out of memory'),
    });
  });

  test('numbers that are none, and zeros, name the text', async () => {
    const server = await startEmbeddingServer();
    const embedder = await open(server.url);
    for (const [row, fault] of [
      [[1, null, 0, 0, 0, 0, 0, 0], 'NaN'],
      [new Array(8).fill(0), 'only zeros'],
    ] as const) {
      server.intercept = ({ input }, response) =>
        sendJson(response, 200, {
          embeddings: input.map((text) => (text === 'bad' ? row : letterVector(text, 8))),
        });
      await expect(embedder.embedPassages(['river', 'bad'])).rejects.toMatchObject({
        code: 'invalid_input',
        message: `The model cannot embed the text "bad": its vector holds ${fault}`,
        details: { text: 1 },
      });
    }
  });

  test.each([0, 9, 2.5])('%d dimensions of 8 are refused', async (dimensions) => {
    const server = await startEmbeddingServer();
    await expect(open(server.url, { dimensions })).rejects.toMatchObject({
      code: 'invalid_input',
      hint: expect.stringContaining('at most 8'),
    });
  });
});
