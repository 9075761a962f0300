/** Connects clients to the vault in use: what program, which machine, which folders. The work is the adapter's. */

import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { connectClient } from '../adapters/client-config/connect-client.js';
import type { ConnectInput, ConnectOutput } from '../core/connection.js';
import { MemoryError } from '../core/errors.js';
import { expandHome, findVault } from './find-vault.js';

export async function connect(
  named: string | undefined,
  input: ConnectInput,
  notice: (text: string) => void,
): Promise<ConnectOutput> {
  const environment = process.env;
  const absolute = (given: string | undefined) =>
    given === undefined ? undefined : resolve(expandHome(given));
  const program = installedProgram();
  if (/[\\/]_npx[\\/]|[\\/]dlx-/.test(program)) {
    notice(`"${program}" is a copy that may be removed at any time; install the program, then connect again`);
  }
  const wanted = {
    program: { command: process.execPath, args: [program] },
    machine: { platform: process.platform, home: homedir(), environment },
    name: input.name,
    file: absolute(input.file),
    folder: absolute(input.folder),
    instructions: input.instructions,
  };
  return connectClient(input, wanted, () => findVault({ named, environment, workingFolder: process.cwd() }));
}

/** The script that runs, without the link through which it was called. */
function installedProgram(): string {
  const [, script] = process.argv;
  if (script !== undefined) return realpathSync(script);
  throw new MemoryError('unavailable', 'Where the program is installed cannot be told', {
    hint: 'Run the command `memory` itself.',
  });
}
