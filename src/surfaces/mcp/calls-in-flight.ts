/** The calls that run: so that not too many run at once, and that the end waits for them, but not for ever. */

export type CallsInFlight = {
  /** Runs a call with a signal that is aborted by `stop` or when the end has waited long enough. */
  readonly run: <T>(stop: AbortSignal, call: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /** Resolves when another may begin. */
  readonly roomForMore: () => Promise<unknown>;
  /** Waits until all is answered and has run; what takes longer is asked to stop, and given up a little later. */
  readonly end: (answered: Promise<unknown>) => Promise<void>;
};

const MOST_AT_ONCE = 256;
const PATIENCE_MS = 1_500;
const LAST_PATIENCE_MS = 2_000;

/** `onIdle` is called whenever no call runs any more. */
export function makeCallsInFlight(onIdle: () => void = () => undefined): CallsInFlight {
  const running = new Map<AbortController, Promise<unknown>>();
  return {
    run: async (stop, call) => {
      const controller = new AbortController();
      const abort = (): void => controller.abort(stop.reason);
      if (stop.aborted) abort();
      else stop.addEventListener('abort', abort, { once: true });
      const work = call(controller.signal);
      running.set(controller, work);
      try {
        return await work;
      } finally {
        running.delete(controller);
        stop.removeEventListener('abort', abort);
        if (running.size === 0) onIdle();
      }
    },
    roomForMore: async () => (running.size < MOST_AT_ONCE ? undefined : Promise.race(settled(running))),
    end: async (answered) => {
      // A call that was cancelled is not answered, and may run still.
      const over = answered.then(() => Promise.all(settled(running)));
      await Promise.race([over, elapsed(PATIENCE_MS)]);
      for (const controller of running.keys()) controller.abort();
      await Promise.race([Promise.all(settled(running)), elapsed(LAST_PATIENCE_MS)]);
      // An answer is sent a few turns after its call has settled.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function settled(running: ReadonlyMap<unknown, Promise<unknown>>): Promise<unknown>[] {
  return [...running.values()].map((work) => work.catch(() => undefined));
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
