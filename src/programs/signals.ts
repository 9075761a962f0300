/** SIGINT and SIGTERM, and with which code the process ends because of them. */

const EXIT_INTERRUPTED = 130;
const EXIT_TERMINATED = 143;

/** How long a call may take to stop by itself once it was asked to. */
const GRACE_MS = 2_000;

export type Signals = {
  readonly stop: AbortSignal;
  /** The code a signal asks for, if there was one. */
  readonly exitCode: () => number | undefined;
  /** For programs: a signal calls this instead of aborting, and a SIGTERM is then an ordinary end. */
  readonly stopGently: (end: () => void, ending?: Ending) => void;
};

export type Ending = {
  /** The code after a SIGINT; 130 unless given. */
  readonly interruptedCode?: number;
  /** How long the end may take; 2 seconds unless given. */
  readonly graceMs?: number;
};

/** The first signal asks, the second or the end of the grace insists. */
export function listenForSignals(): Signals {
  const controller = new AbortController();
  let code: number | undefined;
  let end: (() => void) | undefined;
  let { interruptedCode = EXIT_INTERRUPTED, graceMs = GRACE_MS }: Ending = {};
  const onSignal = (signal: NodeJS.Signals): void => {
    const insisted = code !== undefined;
    code = signal === 'SIGINT' ? interruptedCode : end === undefined ? EXIT_TERMINATED : 0;
    if (insisted) process.exit(code);
    setTimeout(() => process.exit(code), graceMs).unref();
    if (end === undefined) controller.abort();
    else end();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    stop: controller.signal,
    exitCode: () => code,
    stopGently: (given, ending = {}) => {
      end = given;
      interruptedCode = ending.interruptedCode ?? interruptedCode;
      graceMs = ending.graceMs ?? graceMs;
    },
  };
}
