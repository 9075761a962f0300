/** Starts the process of an encoder (encoder-process.ts) and asks it. In the sources the encoder runs in this process. */

import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ErrorCode, MemoryError } from '../../core/errors.js';
import type { Encoder, EncoderPlan } from './encoder.js';
import type { EncoderReply, EncoderRequest, Failure } from './encoder-process.js';

/** When the channel is closed, the process ends at once, unless it is in a computation. */
const END_WITHIN_MS = 3_000;

/** Throws `unavailable` where the model cannot be opened. */
export async function startEncoder(plan: EncoderPlan, program = findProgram()): Promise<Encoder> {
  if (program === undefined) return (await import('./encoder.js')).openEncoder(plan);
  try {
    return await openInProcess(program, plan);
  } catch (error) {
    // Drivers of graphics processors may end a process rather than say what is wrong.
    if (!(error instanceof EndedProcess) || plan.device === 'cpu' || plan.device === 'auto') throw error;
    const encoder = await openInProcess(program, { ...plan, device: 'cpu' });
    encoder.notice = `the device "${plan.device}" cannot be used; the model runs on the CPU`;
    return encoder;
  }
}

async function openInProcess(program: string, plan: EncoderPlan): Promise<ProcessEncoder> {
  const encoder = new ProcessEncoder(program, plan);
  try {
    await encoder.open();
    return encoder;
  } catch (error) {
    await encoder.close();
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
  readonly resolve: (reply: Exclude<EncoderReply, { failure: unknown }>) => void;
  readonly reject: (error: Error) => void;
};

/** A request as it is asked for; each kind of it without its number. */
type Question = { readonly open: EncoderPlan } | { readonly texts: readonly string[] };

class EndedProcess extends MemoryError {}

class ProcessEncoder implements Encoder {
  notice: string | undefined;
  readonly #plan: EncoderPlan;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;
  #failure: MemoryError | undefined;

  constructor(program: string, plan: EncoderPlan) {
    this.#plan = plan;
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
    this.notice = (await this.#ask({ open: this.#plan })).notice;
  }

  async encode(texts: readonly string[]): Promise<Float32Array> {
    return (await this.#ask({ texts })).rows!;
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
      this.#waiting.set(request.number, { resolve, reject });
      this.#child.ref();
      this.#child.channel?.ref();
      this.#child.send(request, (error) => {
        if (error) this.#fail(error.message);
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

  #fail(reason: string): void {
    const { id, remedy } = this.#plan;
    this.#failure ??= new EndedProcess(
      'unavailable',
      `The process of the model "${id}" has ended: ${reason}`,
      {
        hint: `Memory may be short; a smaller model needs less. ${remedy}`,
      },
    );
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}

function errorOf({ code, message, hint, details }: Failure): MemoryError {
  return new MemoryError((code as ErrorCode | undefined) ?? 'internal', message, {
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  });
}
