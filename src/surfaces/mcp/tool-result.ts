/** What a tool answers with: text and data, or a failure. Which part of a reply goes into it is reply-pages.ts. */

import { type MemoryError, toMemoryError } from '../../core/errors.js';
import { cleanDeep } from '../../operations/clean-text.js';
import { shortened } from './pieces.js';

export type ToolResult = {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: { readonly [key: string]: unknown };
  readonly isError?: boolean;
  readonly _meta?: { readonly [key: string]: unknown };
};

/** Where the parts of an error stand in `_meta`. */
export const ERROR_KEY = 'agent-memory/error';

/** Messages quote what the caller gave, which may be as long as a message of the protocol. */
const MOST_CHARACTERS = 1_000;

/**
 * Code, message, hint and details. They are no structured content: that has to fit the tool's output schema, and some
 * clients refuse an error whose content does not.
 */
export function failedResult(thrown: unknown): ToolResult {
  const error = toMemoryError(thrown);
  const { code, message, hint, details } = shortened(cleanDeep(partsOf(error)), MOST_CHARACTERS);
  const lines = [`${code}: ${message}`, ...(hint === undefined ? [] : [`hint: ${hint}`])];
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    isError: true,
    _meta: { [ERROR_KEY]: { code, message, hint, details } },
  };
}

function partsOf({ code, message, hint, details }: MemoryError) {
  return { code, message, hint, details };
}
