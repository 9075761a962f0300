/**
 * One endpoint that embeds texts: where it is, whether it may be asked, the request and its answer. Redirects are not
 * followed, so that texts and key get to the named host alone. What becomes of the rows is http-embedder.ts.
 */

import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { MemoryError } from '../../core/errors.js';
import { readRows } from './embedding-answer.js';

export type EndpointPlace = {
  /** With or without the path of the service. */
  readonly url: string;
  readonly model: string;
  /** Hosts other than this machine may be asked. */
  readonly allowRemote?: boolean | undefined;
  /** Sent as a bearer token. */
  readonly apiKey?: string | undefined;
  /** No answer may take longer; each kind of request has a limit of its own. */
  readonly withinMs?: number | undefined;
};

export type EndpointAnswer =
  | { readonly rows: readonly Float32Array[] }
  | {
      readonly refusal: string;
      readonly hint: string | undefined;
      /** The status says that the request is the trouble; or it may be. */
      readonly isOfTexts: boolean;
      readonly mayBeOfTexts: boolean;
    };

const OLLAMA_PATH = '/api/embed';
const OPENAI_PATH = '/v1/embeddings';
const OLLAMA_PORT = '11434';
const LARGEST_ANSWER_BYTES = 64 << 20;
const SHOWN_CHARACTERS = 200;
const OF_TEXTS = [400, 413, 422];

export class Endpoint {
  readonly url: URL;
  /** Address and model, as people write them. */
  readonly name: string;
  readonly #place: EndpointPlace;

  constructor(place: EndpointPlace) {
    this.#place = place;
    this.url = addressOf(place.url);
    this.name = `${place.url.replace(/[#/]+$/, '')}#${place.model}`;
    if (isLoopback(this.url.hostname) || place.allowRemote === true) return;
    throw new MemoryError('invalid_input', `The endpoint "${place.url}" is not on this machine`, {
      hint: 'Texts of the vault would be sent there. To allow it, put `allow-remote: true` into your own settings.',
    });
  }

  /** Every text gets a row, or none does. Throws `unavailable` where there is no answer in time, or none of its form. */
  async embed(texts: readonly string[], withinMs: number): Promise<EndpointAnswer> {
    const limitMs = Math.min(withinMs, this.#place.withinMs ?? withinMs);
    const { status, location, body } = await this.#post(
      { model: this.#place.model, input: texts },
      AbortSignal.timeout(limitMs),
    ).catch((error: unknown) => {
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      throw this.unavailable(
        isLate ? `no answer within ${limitMs / 1000} s` : reasonOf(error),
        START_IT,
        error,
      );
    });
    if (status >= 200 && status < 300) return { rows: this.#rows(body, texts.length) };
    const said = saidIn(body);
    const refusal = `status ${status}${said === '' ? '' : `: ${said}`}`;
    if (status >= 300 && status < 400) {
      throw this.unavailable(
        `it sends requests on to "${location ?? ''}"`,
        'Name the address where the model is.',
      );
    }
    return {
      refusal,
      hint: hintFor(status, this.#place),
      isOfTexts: OF_TEXTS.includes(status),
      mayBeOfTexts: status === 500,
    };
  }

  unavailable(why: string, hint: string | undefined = START_IT, cause?: unknown): MemoryError {
    return new MemoryError('unavailable', `The endpoint "${this.name}" cannot be used: ${why}`, {
      hint,
      cause,
    });
  }

  #rows(body: string, count: number): readonly Float32Array[] {
    try {
      return readRows(body, count);
    } catch (error) {
      throw this.unavailable(`its answer has ${reasonOf(error)}`, NAME_SERVICE, error);
    }
  }

  #post(question: object, limit: AbortSignal): Promise<Answer> {
    const body = Buffer.from(JSON.stringify(question));
    const isSecure = this.url.protocol === 'https:';
    const { apiKey } = this.#place;
    const options: RequestOptions = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        accept: 'application/json',
        ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
      },
      // A connection that is kept would keep the process.
      agent: false,
      ...(isLoopback(this.url.hostname) ? { lookup: lookUpHere } : {}),
    };
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => reject(limit.aborted ? limit.reason : error);
      let isAnswered = false;
      const request = (isSecure ? requestHttps : requestHttp)(this.url, options, (response) => {
        isAnswered = true;
        readBody(response).then(resolve, fail);
      });
      const end = () => request.destroy();
      limit.addEventListener('abort', end);
      request.on('error', fail);
      request.on('close', () => {
        limit.removeEventListener('abort', end);
        // Whoever reads the answer sees where it ends.
        if (!isAnswered) fail(new Error('the connection was closed'));
      });
      request.end(body);
    });
  }
}

type Answer = { readonly status: number; readonly location: string | undefined; readonly body: string };

const START_IT = 'Start the server and load the model, or run `memory model use static`.';
const NAME_SERVICE = `Name the service itself: an address that ends in ${OPENAI_PATH} or ${OLLAMA_PATH}.`;

/** The service at an address without a path is told by the port. */
function addressOf(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new MemoryError('invalid_input', `"${given}" is no address of an endpoint`, {
      hint: 'Write one like http://127.0.0.1:11434#nomic-embed-text.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new MemoryError('invalid_input', `The endpoint "${url.origin}" is given with a password`, {
      hint: 'Put a key into AGENT_MEMORY_API_KEY.',
    });
  }
  url.hash = '';
  const path = url.pathname.replace(/\/+$/, '');
  if (path === '') url.pathname = url.port === OLLAMA_PORT ? OLLAMA_PATH : OPENAI_PATH;
  else if (path.endsWith('/v1')) url.pathname = `${path}/embeddings`;
  else if (path.endsWith('/api')) url.pathname = `${path}/embed`;
  else url.pathname = path;
  return url;
}

/** Other names might lead anywhere, and are not looked up to find out. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** This machine, whatever a name server says. */
const lookUpHere: LookupFunction = (_, { all }, callback) => {
  const places = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  if (all) callback(null, places);
  else callback(null, '127.0.0.1', 4);
};

async function readBody(response: IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > LARGEST_ANSWER_BYTES) throw new Error('its answer is longer than any can be');
    parts.push(part);
  }
  const { statusCode = 0, headers } = response;
  return { status: statusCode, location: headers.location, body: Buffer.concat(parts).toString('utf8') };
}

/** What a server says of a failure, if it is short enough to be meant for people. */
function saidIn(body: string): string {
  let said: unknown = body;
  try {
    const { error, message } = JSON.parse(body) as Record<string, unknown>;
    said = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error;
    said ??= message;
  } catch {
    if (/^\s*</.test(body)) return '';
  }
  return typeof said === 'string' ? said.replace(/\s+/g, ' ').trim().slice(0, SHOWN_CHARACTERS) : '';
}

function hintFor(status: number, { model }: EndpointPlace): string | undefined {
  if (status === 401 || status === 403) return 'Put its key into AGENT_MEMORY_API_KEY.';
  if (status === 404 || status === 405) return `Load the model "${model}" there. ${NAME_SERVICE}`;
  if (status === 429) return 'It is asked too often; try again later.';
  return undefined;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return 'nothing answers at its address';
  return message || code || String(error);
}
