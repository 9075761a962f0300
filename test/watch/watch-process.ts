/** `memory watch` as a process, and what it says. */

import { type ChildProcess, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { bin, quietEnvironment } from '../surfaces/run-memory.js';

export type Watching = {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Ends when stdout and stderr together have the text. */
  readonly until: (text: string | RegExp) => Promise<void>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
};

export type WatchSettings = {
  readonly args?: readonly string[];
  /** Words before the command, such as those of a program that limits it. */
  readonly before?: readonly string[];
};

const PATIENCE_MS = 20_000;

export function startWatching(vault: string, { args = [], before = [] }: WatchSettings = {}): Watching {
  const [command, ...words] = [...before, process.execPath, bin, 'watch', '--vault', vault, ...args];
  const child = spawn(command!, words, {
    env: { ...quietEnvironment(), AGENT_MEMORY_MODEL: 'none' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  const listen = (stream: NodeJS.ReadableStream, take: (text: string) => void) =>
    stream.setEncoding('utf8').on('data', (text: string) => {
      take(text);
      for (const look of waiting) look();
    });
  listen(child.stdout!, (text) => {
    stdout += text;
  });
  listen(child.stderr!, (text) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const said = stdout + stderr;
          if (typeof text === 'string' ? !said.includes(text) : !text.test(said)) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve();
        };
        const timer = setTimeout(
          () => reject(new Error(`Did not say ${String(text)}:\n${stdout}\n${stderr}`)),
          PATIENCE_MS,
        );
        waiting.add(look);
        look();
      }),
  };
}
