/** A hub of models on this machine: repositories in memory, and what can go wrong with one on the way. */

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Files = Readonly<Record<string, Buffer>>;

/** Answers a request in place of the hub; false leaves it to the hub. `nth` counts the requests for this path from 1. */
export type Interference = (request: IncomingMessage, response: ServerResponse, nth: number) => boolean;

export type Hub = {
  readonly endpoint: URL;
  /** Path, and from which byte on, of each request. */
  readonly asked: readonly string[];
};

export const REVISION = '0123456789abcdef0123456789abcdef01234567';
export const HUB_ID = 'tiny/encoder';

export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Files as an encoder has them; the weights are `size` bytes, no two parts of them alike. */
export function encoderFiles(size = 300_000): Files {
  const weights = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) weights.writeUInt32LE(at, at);
  return {
    'config.json': Buffer.from('{"hidden_size": 4}'),
    'tokenizer.json': Buffer.from('{"model": {}}'),
    'tokenizer_config.json': Buffer.from('{"model_max_length": 512}'),
    'onnx/model_quantized.onnx': weights,
  };
}

/** Serves one repository, HUB_ID at REVISION, until the test ends. */
export async function startHub(files: Files, interfere: Interference = () => false): Promise<Hub> {
  const asked: string[] = [];
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(`${path}${request.headers.range === undefined ? '' : ` ${request.headers.range}`}`);
    const nth = (counts.get(path) ?? 0) + 1;
    counts.set(path, nth);
    if (!interfere(request, response, nth)) answer(files, path, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { endpoint: new URL(`http://127.0.0.1:${port}/`), asked };
}

/** An address where nothing listens. */
export async function endpointOfNobody(): Promise<URL> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return new URL(`http://127.0.0.1:${port}/`);
}

function answer(files: Files, path: string, request: IncomingMessage, response: ServerResponse): void {
  if (path.startsWith(`/api/models/${HUB_ID}/revision/main`)) {
    response.end(JSON.stringify(describe(files)));
    return;
  }
  const name = path.replace(`/${HUB_ID}/resolve/${REVISION}/`, '');
  const content = files[name];
  if (content === undefined) {
    response.writeHead(404).end('no such file');
    return;
  }
  sendFile(content, request, response);
}

/** The file or the part of it that is asked for. */
export function sendFile(content: Buffer, request: IncomingMessage, response: ServerResponse): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const rest = content.subarray(from);
  if (from >= content.length && from > 0) {
    response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
    return;
  }
  const range = { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` };
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': rest.length, ...(from > 0 ? range : {}) });
  response.end(rest);
}

function describe(files: Files): unknown {
  return {
    id: HUB_ID,
    sha: REVISION,
    cardData: { license: 'mit' },
    siblings: Object.entries(files).map(([rfilename, bytes]) => ({
      rfilename,
      size: bytes.length,
      ...(rfilename.endsWith('.onnx') ? { lfs: { sha256: sha256Of(bytes), size: bytes.length } } : {}),
    })),
  };
}
