/**
 * Texts that end the model's process (start-encoder.ts): by the memory they take, or by a fault of native code. They are
 * refused like those that the model itself refuses, so that whoever asks finds the one by halving his batch.
 */

import { MemoryError } from '../../core/errors.js';
import { EndedProcess } from './start-encoder.js';
import { refusedText } from './vector-rows.js';

/** Finding one text in a batch takes up to seven; with so many in a row, any text does it. */
const MOST_ENDS_IN_A_ROW = 12;
/** Of a call that may not be what ended the process. */
const MOST_TRIES = 3;

export class LethalTexts {
  #endsInARow = 0;

  /** `embed` starts the process where there is none. Throws `unavailable` where it ends while the model is opened. */
  async refuse<T>(texts: readonly string[], kind: 'query' | 'passages', embed: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        const result = await embed();
        this.#endsInARow = 0;
        return result;
      } catch (error) {
        if (!(error instanceof EndedProcess) || error.during === 'opening') throw error;
        // A process that had worked before may have been ended by something else than this one text.
        const isSure = error.during === 'request' && (error.wasFresh || texts.length > 1);
        if (!isSure && tries < MOST_TRIES) continue;
        // A search goes on without the model.
        if (error.during === 'waiting' || kind === 'query') throw error;
        // Once there were so many, each further one counts as they did, until a text is embedded.
        this.#endsInARow = Math.min(this.#endsInARow + 1, MOST_ENDS_IN_A_ROW);
        throw this.#endsInARow === MOST_ENDS_IN_A_ROW ? error : refused(texts, error);
      }
    }
  }
}

function refused(texts: readonly string[], error: EndedProcess): MemoryError {
  const why = `it ends the model's process (${error.reason})`;
  const [text] = texts;
  if (texts.length === 1) return refusedText(text!, { why, at: 0, cause: error });
  return new MemoryError('invalid_input', `One of ${texts.length} texts: ${why}`, {
    hint: 'Ask for them one by one.',
    cause: error,
  });
}
