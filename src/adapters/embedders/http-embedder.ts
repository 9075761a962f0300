/**
 * The embedder for a model behind an endpoint: of the form of OpenAI (`/v1/embeddings`) or of Ollama (`/api/embed`), on
 * this machine unless others are allowed. Requests and their answers are endpoint.ts.
 */

import { createHash } from 'node:crypto';
import { MemoryError } from '../../core/errors.js';
import type { Embedder } from '../../core/ports.js';
import { Endpoint, type EndpointPlace } from './endpoint.js';
import { RowEmbedder, type RowSource, windowCharsOf } from './row-embedder.js';
import { refusedText } from './vector-rows.js';

export type HttpOptions = EndpointPlace & {
  /** Leading dimensions that are kept; all unless given. */
  readonly dimensions?: number | undefined;
  readonly queryInstruction?: string | undefined;
  readonly passageInstruction?: string | undefined;
};

/** Changes when the arithmetic between the answer and the vectors does. */
const ARITHMETIC = 'http-1';
/** An endpoint does not tell how long a text may be; most models of that kind take as many. */
const USUAL_TOKENS = 512;
const REQUEST_TEXTS = 32;
const REQUEST_CHARACTERS = 60_000;
const SAMPLE = 'a';
/** A model may have to be loaded first. */
const OPEN_WITHIN_MS = 60_000;
const QUERY_WITHIN_MS = 20_000;
const PASSAGES_WITHIN_MS = 180_000;

/**
 * Asks the endpoint once, to learn how many dimensions the model has. Throws `invalid_input` for an address that is not
 * allowed, and `unavailable` where there is no sound answer.
 */
export async function openHttpEmbedder(options: HttpOptions): Promise<Embedder> {
  const endpoint = new Endpoint(options);
  const source = await EndpointSource.open(endpoint);
  const { dimensions = source.width, queryInstruction = '', passageInstruction = '' } = options;
  if (!Number.isSafeInteger(dimensions) || dimensions < 1 || dimensions > source.width) {
    throw new MemoryError(
      'invalid_input',
      `"${endpoint.name}" makes no vectors of ${dimensions} dimensions`,
      {
        hint: `Set AGENT_MEMORY_DIM to at most ${source.width}, or unset it.`,
      },
    );
  }
  const settings = [
    ARITHMETIC,
    endpoint.url.href,
    options.model,
    source.width,
    dimensions,
    passageInstruction,
  ];
  const windowChars = windowCharsOf(USUAL_TOKENS);
  const model = {
    id: endpoint.name,
    dimensions,
    fingerprint: createHash('sha256').update(JSON.stringify(settings)).digest('hex'),
    rowFormat: 'bytes' as const,
    ...(windowChars === undefined ? {} : { windowChars }),
  };
  return new RowEmbedder(model, source, { query: queryInstruction, passage: passageInstruction });
}

class EndpointSource implements RowSource {
  private constructor(
    private readonly endpoint: Endpoint,
    readonly width: number,
  ) {}

  static async open(endpoint: Endpoint): Promise<EndpointSource> {
    const [row] = await ask(endpoint, [SAMPLE], OPEN_WITHIN_MS);
    return new EndpointSource(endpoint, row!.length);
  }

  async open(): Promise<void> {
    this.#check(await ask(this.endpoint, [SAMPLE], OPEN_WITHIN_MS));
  }

  async encode(texts: readonly string[], kind: 'query' | 'passages'): Promise<Float32Array> {
    const rows = new Float32Array(texts.length * this.width);
    for (const { from, to } of requestsOf(texts)) {
      const part = texts.slice(from, to);
      const found = await this.#encode(part, kind === 'query' ? QUERY_WITHIN_MS : PASSAGES_WITHIN_MS, from);
      found.forEach((row, at) => {
        rows.set(row, (from + at) * this.width);
      });
    }
    return rows;
  }

  /** No connection is kept. */
  async close(): Promise<void> {}

  async #encode(texts: readonly string[], withinMs: number, from: number): Promise<readonly Float32Array[]> {
    const answer = await this.endpoint.embed(texts, withinMs);
    if ('rows' in answer) return this.#check(answer.rows);
    // Servers call a text that is too long many things. Where another text is embedded, it is this one.
    if (answer.isOfTexts || (answer.mayBeOfTexts && (await this.#answers()))) {
      if (texts.length === 1) throw refusedText(texts[0]!, { why: answer.refusal, at: from });
      throw new MemoryError('invalid_input', `One of ${texts.length} texts was refused: ${answer.refusal}`);
    }
    throw this.endpoint.unavailable(answer.refusal, answer.hint);
  }

  async #answers(): Promise<boolean> {
    return 'rows' in (await this.endpoint.embed([SAMPLE], QUERY_WITHIN_MS));
  }

  #check(rows: readonly Float32Array[]): readonly Float32Array[] {
    const other = rows.find(({ length }) => length !== this.width);
    if (other === undefined) return rows;
    throw this.endpoint.unavailable(
      `its vectors had ${this.width} dimensions, and now have ${other.length}`,
      'Another model seems to answer by the same name; start the program again to use it.',
    );
  }
}

async function ask(
  endpoint: Endpoint,
  texts: readonly string[],
  withinMs: number,
): Promise<readonly Float32Array[]> {
  const answer = await endpoint.embed(texts, withinMs);
  if ('rows' in answer) return answer.rows;
  throw endpoint.unavailable(answer.refusal, answer.hint);
}

/** Places in the list, from and to. */
function* requestsOf(texts: readonly string[]): Generator<{ readonly from: number; readonly to: number }> {
  let from = 0;
  let characters = 0;
  for (let at = 0; at < texts.length; at++) {
    const { length } = texts[at]!;
    if (at > from && (at - from === REQUEST_TEXTS || characters + length > REQUEST_CHARACTERS)) {
      yield { from, to: at };
      from = at;
      characters = 0;
    }
    characters += length;
  }
  if (from < texts.length) yield { from, to: texts.length };
}
