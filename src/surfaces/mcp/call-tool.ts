/** A call of a tool: its arguments checked, the operation run, the reply framed and cut to its budget. */

import { MemoryError } from '../../core/errors.js';
import { cleanDeep, cleanText } from '../../operations/clean-text.js';
import { estimateTokens } from '../../operations/estimate-tokens.js';
import { inputError, refuseUnknownNames } from '../../operations/input-error.js';
import { invoke, type Operation, type OperationContext } from '../../operations/operation.js';
import { plainPage } from '../../operations/plain-page.js';
import { type Kept, makeKept, readCursor, writeCursor } from './kept.js';
import { FRAME_TOKENS, frameText } from './note-frame.js';
import type { Output } from './pieces.js';
import { cutMarks, headingOf } from './quirks.js';
import {
  type Budget,
  cutPage,
  makeReply,
  type Page,
  type Place,
  type Reply,
  START,
  wholePage,
} from './reply-pages.js';
import type { ToolResult } from './tool-result.js';
import { argumentsOf } from './tools.js';

const DEFAULT_MAX_TOKENS = 4_000;

/** A smaller budget counts as this one: the parts of a reply that cannot be cut need so much. */
export const LEAST_MAX_TOKENS = 200;

/** What the line about the cursor and the cursor in the data take. */
const CURSOR_TOKENS = 40;

type Arguments = Readonly<Record<string, unknown>>;

type KeptReply = {
  readonly tool: string;
  readonly input: Arguments;
  readonly reply: Reply;
  readonly heading: string | undefined;
  readonly isFramed: boolean;
};

type Call = (operation: Operation, given: unknown, context: OperationContext) => Promise<ToolResult>;

/** `ran` is told the output of every operation that was run. */
export function makeCall(ran: (operation: Operation, output: Output) => void): Call {
  const kept = makeKept<KeptReply>();
  return async (operation, given, context) => {
    const { maxTokens, cursor, input } = readArguments(operation, given);
    if (cursor !== undefined) return continueReply(kept, operation, input, cursor, maxTokens);
    const notices: string[] = [];
    const notice = (text: string): void => {
      notices.push(text);
      context.notice(text);
    };
    const output = await invoke({ ...context, notice }, operation, input);
    ran(operation, output);
    return firstResult(kept, operation, input, output, notices, maxTokens);
  };
}

type ReadArguments = {
  readonly maxTokens: number;
  readonly cursor: string | undefined;
  /** The operation's own. */
  readonly input: Arguments;
};

function readArguments(operation: Operation, given: unknown): ReadArguments {
  const fields = argumentsOf(operation);
  refuseUnknownNames(operation.name, fields, given);
  const { max_tokens: maxTokens = DEFAULT_MAX_TOKENS, cursor, ...input } = given as Arguments;
  const refuse = (name: string) =>
    inputError(operation.name, fields, given, [
      { code: 'custom', path: [name], message: 'Invalid input', input: undefined },
    ]);
  if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens) || maxTokens < 1) {
    throw refuse('max_tokens');
  }
  if (cursor !== undefined && typeof cursor !== 'string') throw refuse('cursor');
  return { maxTokens: Math.max(LEAST_MAX_TOKENS, maxTokens), cursor, input };
}

function firstResult(
  kept: Kept<KeptReply>,
  operation: Operation,
  input: Arguments,
  output: Output,
  notices: readonly string[],
  maxTokens: number,
): ToolResult {
  const text = operation.toText(cleanDeep(output), plainPage);
  // A line that says what was written is the program's own.
  const isFramed = operation.effect === 'read' || text.trimEnd().includes('\n');
  const said = notices.map((line) => `notice: ${cleanText(line)}`);
  const heading = headingOf(operation.name, cleanDeep(output));
  const head = [...said, ...(heading === undefined ? [] : [heading.replace(/\s+/g, ' ')])].join('\n');
  const whole = wholePage(output, text, budgetOf(head, maxTokens, 0));
  if (whole !== undefined) return resultOf(whole, head, isFramed, undefined);
  const entry = { tool: operation.name, input, reply: makeReply(output, text, maxTokens), heading, isFramed };
  const page = cutPage(entry.reply, START, budgetOf(head, maxTokens, CURSOR_TOKENS));
  const cursor = (next: Place): string => {
    const key = kept.keep(entry, text.length + entry.reply.costs.reduce((sum, cost) => sum + cost * 4, 0));
    return writeCursor(key, next.piece, next.character);
  };
  return pageResult(operation, page, head, isFramed, cursor);
}

function continueReply(
  kept: Kept<KeptReply>,
  operation: Operation,
  input: Arguments,
  cursor: string,
  maxTokens: number,
): ToolResult {
  const { name } = operation;
  const { key, places } = readCursor(cursor);
  const entry = kept.find(key);
  const [piece, character] = places;
  if (entry === undefined || piece === undefined || character === undefined) {
    throw new MemoryError('not_found', `The rest of the reply at cursor "${cursor}" is not kept any more`, {
      hint: `Call ${name} again without cursor.`,
    });
  }
  const differing = Object.keys(input).find((argument) => !isEqual(input[argument], entry.input[argument]));
  if (entry.tool !== name || differing !== undefined) {
    throw new MemoryError('invalid_input', `${name}: cursor "${cursor}" belongs to another call`, {
      hint: `Repeat the call that gave it, with nothing changed but cursor and max_tokens.`,
      details: { argument: differing ?? 'cursor' },
    });
  }
  const head = entry.heading === undefined ? '' : `${entry.heading} · continued`;
  const page = cutPage(entry.reply, { piece, character }, budgetOf(head, maxTokens, CURSOR_TOKENS));
  return pageResult(operation, page, head, entry.isFramed, (next) =>
    writeCursor(key, next.piece, next.character),
  );
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function budgetOf(head: string, maxTokens: number, cursorTokens: number): Budget {
  return {
    maxTokens,
    textExtra: FRAME_TOKENS + estimateTokens(head) + cursorTokens,
    outputExtra: cursorTokens,
  };
}

function pageResult(
  operation: Operation,
  page: Page,
  head: string,
  isFramed: boolean,
  cursorOf: (next: Place) => string,
): ToolResult {
  if (page.next === undefined) return resultOf(page, head, isFramed, undefined);
  const mark = cutMarks[operation.name];
  const output = mark === undefined ? page.output : { ...page.output, [mark]: true };
  return resultOf({ ...page, output }, head, isFramed, cursorOf(page.next));
}

function resultOf(page: Page, head: string, isFramed: boolean, cursor: string | undefined): ToolResult {
  const text = [
    ...(head === '' ? [] : [head]),
    isFramed ? frameText(page.text) : page.text,
    ...(cursor === undefined ? [] : [`cut here: for the rest repeat the call with cursor "${cursor}"`]),
  ].join('\n');
  const more = cursor === undefined ? {} : { cursor };
  return { content: [{ type: 'text', text }], structuredContent: { ...page.output, ...more } };
}
