/** Files of models, whatever their format, and what can be wrong with any of them. */

import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { MemoryError } from '../../core/errors.js';

/** The next step where a model cannot be used. */
export const ANOTHER_MODEL = 'Install agent-memory again, or name the folder of another model.';

/** An open file of a model, which is read into memory in pieces, each to where it lies in the file. */
export class ModelFile {
  readonly path: string;
  readonly bytes: number;
  #descriptor: number | undefined;

  private constructor(path: string, descriptor: number) {
    this.path = path;
    this.#descriptor = descriptor;
    this.bytes = fstatSync(descriptor).size;
  }

  static open(path: string): ModelFile {
    try {
      return new ModelFile(path, openSync(path, 'r'));
    } catch (error) {
      throw unreadable(path, error);
    }
  }

  /** Reads bytes of the file into `target`, whose first byte is the file's byte `base`. */
  read(target: Uint8Array, from: number, length: number, base = 0): void {
    let at = from;
    while (at < from + length) {
      let read = 0;
      try {
        read = readSync(this.#descriptor ?? -1, target, at - base, from + length - at, at);
      } catch (error) {
        throw unreadable(this.path, error);
      }
      if (read === 0) throw damaged(this.path, 'it became shorter while it was read');
      at += read;
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** A file that holds one JSON object. */
export function readJson(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(path, error);
  }
  return parseObject(path, text);
}

export function parseObject(path: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Told below.
  }
  throw damaged(path, 'it holds no JSON object where there must be one');
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function damaged(path: string, why: string): MemoryError {
  return new MemoryError('corrupt', `The model file "${path}" is damaged: ${why}`, { hint: ANOTHER_MODEL });
}

function unreadable(path: string, error: unknown): MemoryError {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  const reason = isMissing ? 'it does not exist' : error instanceof Error ? error.message : String(error);
  return new MemoryError('unavailable', `Cannot read the model file "${path}": ${reason}`, {
    hint: ANOTHER_MODEL,
    cause: error,
  });
}
