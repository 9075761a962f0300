/**
 * Requests to a hub of models: redirects, time limits, and which answers are worth another try. What is asked for:
 * download-file.ts and hub-repository.ts.
 */

import { MemoryError } from '../../core/errors.js';

/** A failure after which another try may do better. */
export class PassingFailure extends Error {
  constructor(
    /** Goes on a sentence. */
    readonly reason: string,
    /** How long the server asks to wait. */
    readonly waitMs?: number,
  ) {
    super(reason);
  }
}

export type HubAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
  /** What the hub says of the file that it sends elsewhere for. */
  readonly sha256: string | undefined;
};

export type HubRequest = {
  /** First byte that is wanted; 0 for all. */
  readonly from: number;
  readonly signal: AbortSignal;
};

const MOST_REDIRECTS = 5;
const RANGE_NOT_SATISFIABLE = 416;
const TOO_MANY_REQUESTS = 429;
/** Nobody there, or not who it should be: the next try would say the same. */
const UNREACHABLE = /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|.*CERT.*|EPROTO)$/;

/** The answer, if it is 200, 206 or 416. */
export async function request(url: URL, { from, signal }: HubRequest): Promise<HubAnswer> {
  const headers = {
    // A compressed answer would have another length, and could not be gone on with.
    'accept-encoding': 'identity',
    'user-agent': 'agent-memory',
    ...(from > 0 ? { range: `bytes=${from}-` } : {}),
  };
  let at = url;
  let sha256: string | undefined;
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetchOnce(at, headers, signal);
    sha256 ??= hashIn(response.headers);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) {
      if (response.ok || response.status === RANGE_NOT_SATISFIABLE)
        return { status: response.status, headers: response.headers, body: response.body, sha256 };
      await response.body?.cancel();
      throw refusal(url, response);
    }
    await response.body?.cancel();
    if (redirects === MOST_REDIRECTS) throw unavailable(`"${url.href}" is redirected without end`);
    at = followed(at, location);
  }
}

async function fetchOnce(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { headers, signal, redirect: 'manual' });
  } catch (error) {
    throw networkFailure(url, error);
  }
}

/** What a broken connection is told as. */
export function networkFailure(url: URL, error: unknown): Error {
  const { cause } = error as { readonly cause?: { readonly code?: string; readonly message?: string } };
  const reason = cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
  if (!UNREACHABLE.test(reason)) return new PassingFailure(`the connection broke (${reason})`);
  return unavailable(`Cannot reach "${url.origin}": ${reason}`, error);
}

function followed(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const isSafe = to?.protocol === 'https:' || (to?.protocol === 'http:' && from.protocol === 'http:');
  if (to !== undefined && isSafe) return to;
  throw unavailable(`"${from.href}" is redirected to "${location}", which is not followed`);
}

function refusal(url: URL, response: Response): Error {
  const { status } = response;
  if (status === TOO_MANY_REQUESTS || status >= 500)
    return new PassingFailure(`the server answered ${status}`, retryAfterMs(response.headers));
  if (status === 404) {
    return new MemoryError('not_found', `There is no "${url.href}"`, {
      hint: 'Check the name of the model; where HF_ENDPOINT is set, whether that server has it.',
    });
  }
  if (status === 401 || status === 403) {
    return new MemoryError('unavailable', `"${url.href}" is not given to everybody (${status})`, {
      hint: 'Check the name. A model that needs an account is downloaded with a browser: `memory model use <folder>`.',
    });
  }
  return unavailable(`"${url.href}" cannot be downloaded: the server answered ${status}`);
}

function retryAfterMs(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined;
}

/** Of files that are kept apart from the repository, the hub tells the SHA-256; of others some other hash. */
function hashIn(headers: Headers): string | undefined {
  return /^"?([0-9a-f]{64})"?$/.exec(headers.get('x-linked-etag') ?? '')?.[1];
}

export function unavailable(message: string, cause?: unknown): MemoryError {
  return new MemoryError('unavailable', message, {
    hint: 'Check the connection and HF_ENDPOINT, then run the command again; what has arrived is kept.',
    cause,
  });
}
