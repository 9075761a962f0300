/** `connect`: tells a client of the vault. The files are changed by an adapter, adapters/client-config. */

import * as z from 'zod/mini';
import { CLIENT_NAMES } from '../core/connection.js';
import { described } from './described.js';
import { defineOperation, type Page } from './operation.js';
import { oneLine } from './wording.js';

const client = () => z.enum(CLIENT_NAMES);

export const connect = defineOperation({
  name: 'connect',
  summary: 'Tell a client of this vault: its configuration, and what its agent should know',
  effect: 'idempotent-write',
  input: z.strictObject({
    client: z.optional(described(`Which client: ${CLIENT_NAMES.join(', ')}`, client())),
    write: z._default(
      described('Make the change; without it, the difference is only shown', z.boolean()),
      false,
    ),
    remove: z._default(described('Take out again what was written', z.boolean()), false),
    list: z._default(described('Show where clients are set up', z.boolean()), false),
    folder: z.optional(
      described('A project: its own configuration and instructions, not those of user and vault', z.string()),
    ),
    file: z.optional(described('The configuration file, where it is not in its usual place', z.string())),
    name: z._default(
      described(
        'What the server is called there; another for each vault',
        z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,40}$/, 'must be letters, digits, - and _')),
      ),
      'agent-memory',
    ),
    instructions: z._default(
      described(
        'Write instructions for agents, into AGENTS.md, CLAUDE.md or GEMINI.md, and a skill',
        z.boolean(),
      ),
      true,
    ),
  }),
  output: () =>
    z.strictObject({
      changes: described(
        'Files and what is changed in them',
        z.array(
          z.strictObject({
            path: described('Absolute path of the file', z.string()),
            action: described('What happens to it', z.enum(['create', 'change', 'delete'])),
            diff: described('The difference', z.string()),
            backup: described('Copy of the file as it was; empty where none is kept', z.string()),
          }),
        ),
      ),
      written: described('Whether the changes were made', z.boolean()),
      connections: described(
        'With list: every configuration file that was looked at',
        z.array(
          z.strictObject({
            client: described('Which client', client()),
            path: described('Absolute path of the file', z.string()),
            state: described(
              'Whether the server stands in it',
              z.enum(['connected', 'not connected', 'no file', 'unreadable']),
            ),
            vault: described('Its vault, where connected', z.string()),
            reason: described('Why a file is unreadable', z.string()),
          }),
        ),
      ),
      next: described('What is left to do', z.string()),
    }),
  positional: ['client'],
  run: async ({ connectClient }, input) => connectClient(input),
  toText: (output, page) => {
    if (output.connections.length > 0)
      return output.connections.map((one) => connectionLine(one, page)).join('\n');
    if (!output.written)
      return [...output.changes.map(({ diff }) => diff), page.faint(output.next)].join('\n');
    const did = { create: 'created', change: 'changed', delete: 'deleted' } as const;
    return [
      ...output.changes.map(({ path, action, backup }) =>
        [
          `${did[action]} ${oneLine(path)}`,
          ...(backup === '' ? [] : [page.faint(`· before: ${oneLine(backup)}`)]),
        ].join(' '),
      ),
      page.faint(output.next),
    ].join('\n');
  },
});

type ListedConnection = {
  readonly client: string;
  readonly path: string;
  readonly state: string;
  readonly vault: string;
  readonly reason: string;
};

function connectionLine({ client, path, state, vault, reason }: ListedConnection, page: Page): string {
  const more = [vault === '' ? '' : `vault ${oneLine(vault)}`, oneLine(reason)].filter((part) => part !== '');
  return `${client.padEnd(14)}  ${state.padEnd(13)}  ${[oneLine(path), ...more.map(page.faint)].join('   ')}`;
}
