/** Runs the built program as a person at a terminal does: a pseudo-terminal, made by python3 where there is one. */

import { spawnSync } from 'node:child_process';
import { bin, type RunOptions, runCommand } from './run-memory.js';

export const hasTerminals = canMakeTerminals();

function canMakeTerminals(): boolean {
  if (spawnSync('python3', ['-c', 'import pty']).status === 0) return true;
  process.stderr.write('Tests at a terminal are left out: there is no python3 with its module pty\n');
  return false;
}

export type TerminalRun = {
  /** What was shown, without what went to stdout if that goes elsewhere. */
  readonly shown: string;
  /** Of the program; -1 where a signal ended it. */
  readonly code: number;
};

export type TerminalOptions = Pick<RunOptions, 'cwd' | 'environment'> & {
  /** Typed when a question is shown, once. */
  readonly typed?: string;
  /** A file that stdout goes to in place of the terminal. */
  readonly stdout?: string;
};

export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';

const SCRIPT = `
import json, os, pty, sys
command, typed, stdout = json.loads(sys.argv[1])
child, terminal = pty.fork()
if child == 0:
    if stdout:
        os.dup2(os.open(stdout, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    os.execvp(command[0], command)
shown = b''
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    shown += part
    if typed and b'[y/N] ' in shown:
        os.write(terminal, typed.encode())
        typed = ''
_, status = os.waitpid(child, 0)
code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -1
print(json.dumps({'shown': shown.decode().replace('\\r\\n', '\\n'), 'code': code}))
`;

/** Runs `memory` with these arguments to its end. */
export async function runOnTerminal(
  args: readonly string[],
  { typed = '', stdout = '', ...options }: TerminalOptions = {},
): Promise<TerminalRun> {
  const command = [process.execPath, bin, ...args];
  const settings = JSON.stringify([command, typed, stdout]);
  const finished = await runCommand('python3', ['-c', SCRIPT, settings], options);
  if (finished.code !== 0) throw new Error(finished.stderr);
  return JSON.parse(finished.stdout);
}
