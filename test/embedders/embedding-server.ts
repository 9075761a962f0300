/** A server on this machine that embeds texts as OpenAI or Ollama would, and can be made to fail. */

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Asked = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly model: string;
  readonly input: readonly string[];
};

export type EmbeddingServer = {
  readonly url: string;
  readonly port: number;
  readonly asked: readonly Asked[];
  /** Answers instead of the usual answer, where it returns true. */
  intercept: (asked: Asked, response: ServerResponse) => boolean;
  dimensions: number;
};

/** A vector of a text: counts of its letters, so that other texts have others. */
export function letterVector(text: string, dimensions: number): readonly number[] {
  const vector = new Array<number>(dimensions).fill(0.25);
  for (const sign of text) vector[sign.codePointAt(0)! % dimensions]! += 1;
  return vector;
}

export async function startEmbeddingServer(host = '127.0.0.1'): Promise<EmbeddingServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const { model, input } = JSON.parse(Buffer.concat(parts).toString('utf8'));
    const one: Asked = { path: request.url ?? '', headers: request.headers, model, input };
    asked.push(one);
    if (embedding.intercept(one, response)) return;
    const rows = one.input.map((text) => letterVector(text, embedding.dimensions));
    const items = rows.map((embedding, index) => ({ object: 'embedding', index, embedding }));
    const answer =
      one.path === '/api/embed'
        ? { model, embeddings: rows }
        : // The order of `data` is not that of the texts; `index` counts.
          { object: 'list', model, data: items.reverse() };
    sendJson(response, 200, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const embedding: EmbeddingServer = {
    url: `http://${host}:${port}`,
    port,
    asked,
    intercept: () => false,
    dimensions: 8,
  };
  return embedding;
}

export function sendJson(response: ServerResponse, status: number, value: unknown): boolean {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  return true;
}
