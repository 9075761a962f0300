/**
 * The program of the process in which an encoder or a cross-encoder runs. start-encoder.ts starts it, asks by messages,
 * and ends it by closing the channel. Working in a process of its own, a model neither holds up its caller nor leaves memory behind.
 */

import { type CrossEncoder, openCrossEncoder } from './cross-encoder.js';
import { type Encoder, type EncoderPlan, openEncoder } from './encoder.js';
import type { TransformerPlan } from './open-transformer.js';

/** What a process is started for; it does nothing else until its end. */
export type Opening =
  | { readonly task: 'embed'; readonly open: EncoderPlan }
  | { readonly task: 'score'; readonly open: TransformerPlan };

export type EncoderRequest = { readonly number: number } & (
  | Opening
  | { readonly texts: readonly string[] }
  | { readonly query: string; readonly passages: readonly string[] }
);

export type EncoderReply = { readonly number: number } & (
  | { readonly rows: Float32Array | undefined; readonly notice: string | undefined }
  | { readonly failure: Failure }
);

/** What is told of an error; objects of classes do not pass the channel. */
export type Failure = {
  readonly code: string | undefined;
  readonly message: string;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
};

let encoder: Encoder | undefined;
let crossEncoder: CrossEncoder | undefined;
let previous: Promise<void> = Promise.resolve();

process.on('message', (request: EncoderRequest) => {
  previous = previous.then(() => answer(request));
});
process.on('disconnect', () => process.exit());
// The keys that interrupt a program reach all its processes; this one ends with its caller.
process.on('SIGINT', () => {});

async function answer(request: EncoderRequest): Promise<void> {
  const { number } = request;
  try {
    let rows: Float32Array | undefined;
    if ('open' in request) await open(request);
    else if ('texts' in request) rows = await encoder!.encode(request.texts);
    else rows = await crossEncoder!.score(request.query, request.passages);
    send({ number, rows, notice: (encoder ?? crossEncoder)?.notice });
  } catch (error) {
    const { code, message, hint, details } = error as Partial<Failure>;
    send({ number, failure: { code, message: message ?? String(error), hint, details } });
  }
}

async function open({ task, open: plan }: Opening): Promise<void> {
  if (task === 'embed') encoder = await openEncoder(plan);
  else crossEncoder = await openCrossEncoder(plan);
}

function send(reply: EncoderReply): void {
  if (process.connected) process.send!(reply);
}
