/**
 * A model between its opening and its release, and what is under way in it: opened by the first call, shared by calls at
 * the same time, opened anew after a failure that leaves it in no known state.
 */

import { MemoryError } from '../../core/errors.js';

/** What start-encoder.ts starts. */
export interface OpenedModel {
  readonly notice: string | undefined;
  close(): Promise<void>;
}

type Session<M> = { readonly opened: Promise<M>; readonly calls: Set<Promise<unknown>> };

export class ModelSession<M extends OpenedModel> {
  #session: Session<M> | undefined;
  #told = '';

  constructor(
    private readonly start: () => Promise<M>,
    private readonly notice: ((text: string) => void) | undefined,
  ) {}

  async use<T>(work: (opened: M) => Promise<T>): Promise<T> {
    this.#session ??= { opened: this.#start(), calls: new Set() };
    const session = this.#session;
    const call = session.opened.then(work);
    session.calls.add(call);
    try {
      return await call;
    } catch (error) {
      // What is in no known state is opened anew by the next call.
      const isSound = error instanceof MemoryError && error.code === 'invalid_input';
      if (!isSound && this.#session === session) {
        session.calls.delete(call);
        await this.close();
      }
      throw error;
    } finally {
      session.calls.delete(call);
    }
  }

  /** What is under way comes to its end. */
  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined) return;
    await Promise.allSettled(session.calls);
    await session.opened.then(
      (opened) => opened.close(),
      () => {},
    );
  }

  async #start(): Promise<M> {
    const opened = await this.start();
    const { notice } = opened;
    if (notice !== undefined && notice !== this.#told) this.notice?.(notice);
    this.#told = notice ?? '';
    return opened;
  }
}
