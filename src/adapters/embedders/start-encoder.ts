/**
 * Starts the process of an encoder or a cross-encoder (encoder-process.ts) and asks it. In the sources the model runs in
 * this process.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ErrorCode, MemoryError } from '../../core/errors.js';
import type { CrossEncoder } from './cross-encoder.js';
import type { Encoder, EncoderPlan } from './encoder.js';
import type { EncoderReply, EncoderRequest, Failure, Opening } from './encoder-process.js';
import { otherDevice, type TransformerPlan } from './open-transformer.js';

/** When the channel is closed, the process ends at once, unless it is in a computation. */
const END_WITHIN_MS = 3_000;

/** Throws `unavailable` where the model cannot be opened. */
export async function startEncoder(plan: EncoderPlan, program = findProgram()): Promise<Encoder> {
  if (program === undefined) return (await import('./encoder.js')).openEncoder(plan);
  return startProcess(program, { task: 'embed', open: plan });
}

/** Throws `unavailable` where the model cannot be opened. */
export async function startCrossEncoder(
  plan: TransformerPlan,
  program = findProgram(),
): Promise<CrossEncoder> {
  if (program === undefined) return (await import('./cross-encoder.js')).openCrossEncoder(plan);
  return startProcess(program, { task: 'score', open: plan });
}

async function startProcess(program: string, opening: Opening): Promise<ModelProcess> {
  try {
    return await openInProcess(program, opening);
  } catch (error) {
    // Drivers of graphics processors may end a process rather than say what is wrong.
    const { device } = opening.open;
    if (!(error instanceof EndedProcess) || device === 'cpu' || device === 'auto') throw error;
    const opened = await openInProcess(program, onCpu(opening));
    opened.notice = otherDevice(opening.open);
    return opened;
  }
}

function onCpu(opening: Opening): Opening {
  const device = 'cpu';
  if (opening.task === 'embed') return { task: 'embed', open: { ...opening.open, device } };
  return { task: 'score', open: { ...opening.open, device } };
}

async function openInProcess(program: string, opening: Opening): Promise<ModelProcess> {
  const opened = new ModelProcess(program, opening);
  try {
    await opened.open();
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** The build puts it beside the pieces of the program. */
function findProgram(): string | undefined {
  const here = import.meta.dirname;
  const places = ['.', 'program', '../program'].map((folder) => join(here, folder, 'encoder-process.cjs'));
  return places.find((place) => existsSync(place));
}

type Waiting = {
  readonly isOpening: boolean;
  readonly resolve: (reply: Exclude<EncoderReply, { failure: unknown }>) => void;
  readonly reject: (error: Error) => void;
};

/** A request as it is asked for; each kind of it without its number. */
type Question =
  | Opening
  | { readonly texts: readonly string[] }
  | { readonly query: string; readonly passages: readonly string[] };

/** Requests are worked on one after another: only the oldest can be what ended the process; the others were `waiting`. */
export class EndedProcess extends MemoryError {
  constructor(
    { id, remedy }: Pick<TransformerPlan, 'id' | 'remedy'>,
    readonly reason: string,
    readonly during: 'opening' | 'request' | 'waiting',
    /** The request was the first one after opening, so that nothing before it can be to blame. */
    readonly wasFresh: boolean,
  ) {
    super('unavailable', `The process of the model "${id}" has ended: ${reason}`, {
      hint: `Memory may be short; a smaller model needs less. ${remedy}`,
    });
  }
}

class ModelProcess implements Encoder, CrossEncoder {
  notice: string | undefined;
  readonly #opening: Opening;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;
  #failure: MemoryError | undefined;

  constructor(program: string, opening: Opening) {
    this.#opening = opening;
    this.#child = fork(program, [], {
      // Nothing of a library may get between the lines of a protocol.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      execArgv: [],
    });
    this.#child.on('message', (reply: EncoderReply) => this.#take(reply));
    this.#ended = new Promise((resolve) => {
      const end = (reason: string) => {
        this.#fail(reason);
        resolve();
      };
      this.#child.on('error', (error) => end(error.message));
      this.#child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`));
    });
    this.#rest();
  }

  async open(): Promise<void> {
    this.notice = (await this.#ask(this.#opening)).notice;
  }

  async encode(texts: readonly string[]): Promise<Float32Array> {
    return (await this.#ask({ texts })).rows!;
  }

  async score(query: string, passages: readonly string[]): Promise<Float32Array> {
    return (await this.#ask({ query, passages })).rows!;
  }

  async close(): Promise<void> {
    this.#child.ref();
    if (this.#child.connected) this.#child.disconnect();
    const patience = setTimeout(() => this.#child.kill('SIGKILL'), END_WITHIN_MS);
    await this.#ended;
    clearTimeout(patience);
  }

  #ask(question: Question): Promise<Exclude<EncoderReply, { failure: unknown }>> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      const request: EncoderRequest = { ...question, number: this.#count++ };
      this.#waiting.set(request.number, { isOpening: 'open' in question, resolve, reject });
      this.#child.ref();
      this.#child.channel?.ref();
      this.#child.send(request, (error) => {
        if (error) this.#fail(error.message, false);
      });
    });
  }

  #take(reply: EncoderReply): void {
    const waiting = this.#waiting.get(reply.number);
    this.#waiting.delete(reply.number);
    if (this.#waiting.size === 0) this.#rest();
    if ('failure' in reply) waiting?.reject(errorOf(reply.failure));
    else waiting?.resolve(reply);
  }

  /** A process that has nothing to do keeps its caller from ending no longer. */
  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  /** `isAtWork`: it ended by itself, and may have done so because of what it was asked. */
  #fail(reason: string, isAtWork = true): void {
    const { open } = this.#opening;
    this.#failure ??= new EndedProcess(open, reason, 'waiting', false);
    const [oldest, ...others] = this.#waiting.entries();
    this.#waiting.clear();
    for (const [, { reject }] of others) reject(this.#failure);
    if (oldest === undefined) return;
    const [number, { isOpening, reject }] = oldest;
    const during = isOpening ? 'opening' : isAtWork ? 'request' : 'waiting';
    reject(new EndedProcess(open, reason, during, number === 1));
  }
}

function errorOf({ code, message, hint, details }: Failure): MemoryError {
  return new MemoryError((code as ErrorCode | undefined) ?? 'internal', message, {
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  });
}
