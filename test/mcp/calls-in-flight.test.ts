/** The end waits for calls that run, asks those to stop that take longer, and gives up what does not heed it. */

import { expect, test } from 'vitest';
import { makeCallsInFlight } from '../../src/surfaces/mcp/calls-in-flight.js';

const never = new AbortController().signal;

test('makeCallsInFlight().end() lets short calls finish, and aborts the others', async () => {
  const calls = makeCallsInFlight();
  const short = calls.run(never, async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return signal.aborted;
  });
  const long = calls.run(
    never,
    (signal) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
  );
  const deaf = calls.run(never, () => new Promise(() => undefined));
  await calls.end(Promise.resolve());
  expect(await short).toBe(false);
  expect(await long).toBeInstanceOf(Event);
  expect(await Promise.race([deaf, 'still running'])).toBe('still running');
});

test('makeCallsInFlight().run() hands on that a call is cancelled, and fails as the call does', async () => {
  const calls = makeCallsInFlight();
  const stop = new AbortController();
  const waiting = calls.run(
    stop.signal,
    (signal) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
  );
  stop.abort();
  expect(await waiting).toBeInstanceOf(Event);
  expect(await calls.run(stop.signal, async (signal) => signal.aborted)).toBe(true);
  await expect(calls.run(never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});

test('makeCallsInFlight().roomForMore() waits while 256 run', async () => {
  const calls = makeCallsInFlight();
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const running = Array.from({ length: 256 }, () => calls.run(new AbortController().signal, () => finished));
  let hasRoom = false;
  const room = calls.roomForMore().then(() => {
    hasRoom = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(hasRoom).toBe(false);
  finish();
  await room;
  await Promise.all(running);
});

test('makeCallsInFlight() tells when the last of several calls has run, also one that failed', async () => {
  let idle = 0;
  const calls = makeCallsInFlight(() => {
    idle += 1;
  });
  let finish: () => void = () => undefined;
  const long = calls.run(never, () => new Promise<void>((resolve) => (finish = resolve)));
  await calls.run(never, async () => undefined);
  expect(idle).toBe(0);
  finish();
  await long;
  expect(idle).toBe(1);
  await calls.run(never, () => Promise.reject(new Error('no'))).catch(() => undefined);
  expect(idle).toBe(2);
});
