/**
 * The one door to the SDK, so that the build can bundle it apart (scripts/bundle.mjs): it brings a zod of its own,
 * which must not get among the pieces that every command loads.
 */

export { ProtocolError, Server, type ServerContext, type Transport } from '@modelcontextprotocol/server';
export { serveStdio } from '@modelcontextprotocol/server/stdio';
