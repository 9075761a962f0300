/** JSON-RPC 2.0 messages: what a request looks like, and how results and failures are told. Serving is serve-rpc.ts. */

import { type ErrorCode, type MemoryError, toMemoryError } from '../../core/errors.js';

export type RequestId = string | number | null;

export type Request = {
  readonly method: string;
  readonly params: unknown;
  /** Undefined for a notification: it is never answered, not even when it fails. */
  readonly id: RequestId | undefined;
};

export type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown };

export type Response =
  | { readonly jsonrpc: '2.0'; readonly result: unknown; readonly id: RequestId }
  | { readonly jsonrpc: '2.0'; readonly error: RpcError; readonly id: RequestId };

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;

export const CODES: Readonly<Record<ErrorCode, number>> = {
  invalid_input: -32602,
  not_found: -32004,
  conflict: -32009,
  unavailable: -32005,
  corrupt: -32603,
  internal: -32603,
};

export function success(id: RequestId, result: unknown): Response {
  return { jsonrpc: '2.0', result, id };
}

export function failure(id: RequestId, error: RpcError): Response {
  return { jsonrpc: '2.0', error, id };
}

/** Our code, hint and details go along as `data`. */
export function rpcError(thrown: unknown): RpcError {
  const error: MemoryError = toMemoryError(thrown);
  const { code, hint, details } = error;
  return { code: CODES[code], message: error.message, data: { code, hint, details } };
}

/** A request, or the answer that refuses it. */
export function readRequest(value: unknown): Request | Response {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return failure(null, { code: INVALID_REQUEST, message: 'A request is an object' });
  }
  const { jsonrpc, method, params, id } = value as Readonly<Record<string, unknown>>;
  const answerTo = isId(id) ? id : null;
  const refuse = (message: string): Response => failure(answerTo, { code: INVALID_REQUEST, message });
  if (jsonrpc !== '2.0') return refuse('A request has "jsonrpc": "2.0"');
  if (typeof method !== 'string') return refuse('A request has a "method", which is a text');
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    return refuse('"params" is an object or an array');
  }
  if (Object.hasOwn(value, 'id') && !isId(id)) return refuse('"id" is a text, a number or null');
  return { method, params, id: isId(id) ? id : undefined };
}

function isId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number' || id === null;
}
