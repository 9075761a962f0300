/** stdin and stdout of a program that speaks in lines with whoever started it. */

/** stdin, whose sudden end through `destroy` is an end like any other. */
export async function* stdinChunks(): AsyncGenerator<Uint8Array> {
  try {
    yield* process.stdin;
  } catch (error) {
    if (!process.stdin.destroyed) throw error;
  }
}

export type TakenStdout = {
  readonly sendLine: (line: string) => void;
  readonly flushed: () => Promise<void>;
};

/** Keeps stdout for messages: whatever else is printed, by a library too, goes to stderr. Once nobody reads it, stdin ends. */
export function takeStdout(onClosed: () => void = () => process.stdin.destroy()): TakenStdout {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  let isClosed = false;
  process.stdout.on('error', () => {
    isClosed = true;
    onClosed();
  });
  return {
    sendLine: (line) => {
      if (!isClosed) write(`${line}\n`);
    },
    flushed: () => new Promise((resolve) => (isClosed ? resolve() : write('', () => resolve()))),
  };
}
