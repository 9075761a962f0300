/** `init`: makes a folder a vault. The scaffold itself is made by the vault adapter. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { defineOperation } from './operation.js';
import { count, oneLine } from './wording.js';

export const init = defineOperation({
  name: 'init',
  summary: 'Make a folder a vault, or add what a vault lacks',
  effect: 'idempotent-write',
  input: z.strictObject({
    dir: z._default(
      described('Folder to make a vault of, created if need be; what exists in it is kept', z.string()),
      '.',
    ),
  }),
  output: () =>
    z.strictObject({
      vault: described('Absolute path of the vault', z.string()),
      created: described('Files and folders made, relative to the vault', z.array(z.string())),
      kept: described('Files and folders that were there and were left alone', z.array(z.string())),
    }),
  positional: ['dir'],
  run: async ({ createVault }, { dir }) => createVault(dir),
  toText: ({ vault, created, kept }) => {
    const made = created.length === 0 ? 'nothing to add' : `created ${created.map(oneLine).join(', ')}`;
    const left = kept.length === 0 ? '' : `; kept ${count(kept.length, 'thing')} as found`;
    return `${oneLine(vault)}: ${made}${left}`;
  },
});
