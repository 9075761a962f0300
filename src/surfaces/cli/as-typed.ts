/** Errors name inputs as fields, `maxTokens`; who sits at the command line typed `--max-tokens`. */

import { MemoryError } from '../../core/errors.js';
import { type CommandShape, optionName } from './arguments.js';

/** The error with the arguments that it is about, told by its details, named as options. Others come back as they are. */
export function asTyped(error: unknown, command: CommandShape): unknown {
  if (!(error instanceof MemoryError)) return error;
  const { argument, arguments: several } = error.details ?? {};
  const named = [argument, ...(Array.isArray(several) ? several : [])];
  let { message } = error;
  for (const field of command.fields) {
    if (!named.includes(field.name) || command.positional.includes(field.name)) continue;
    message = message.replace(new RegExp(`(?<![\\w-])${field.name}(?!\\w)`), `--${optionName(field.name)}`);
  }
  if (message === error.message) return error;
  const { code, hint, details, cause } = error;
  return new MemoryError(code, message, { hint, details, cause });
}
