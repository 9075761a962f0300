/** `memory completion <shell>` prints a script; the script calls `memory __complete <kind> <prefix>` for names in the vault. */

import { MemoryError } from '../../../core/errors.js';
import { nearestName } from '../../../operations/nearest-name.js';
import type { CommandLineHost } from '../host.js';
import { bashScript } from './bash.js';
import { commandSpecs, globalSpecs, shells } from './commands.js';
import { fishScript } from './fish.js';
import { vaultNames } from './vault-names.js';
import { zshScript } from './zsh.js';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export async function completionScript(host: CommandLineHost, words: readonly string[]): Promise<string> {
  const wanted = words[0];
  const shell = shells.find((name) => name === wanted);
  if (shell === undefined || words.length > 1) {
    const near = nearestName(wanted ?? '', shells);
    const got = wanted === undefined ? '' : `, not "${words.join(' ')}"`;
    throw new MemoryError('invalid_input', `completion needs one of ${shells.join(', ')}${got}`, {
      hint:
        near === undefined
          ? 'For example `memory completion bash`.'
          : `Did you mean \`memory completion ${near}\`?`,
    });
  }
  return scripts[shell](await commandSpecs(host.programs), globalSpecs());
}

/** One name a line; nothing where anything is wrong, since a shell asks while somebody types. */
export async function completeName(
  host: CommandLineHost,
  words: readonly string[],
  vault: string | undefined,
): Promise<string> {
  const [kind, prefix = ''] = words;
  try {
    const names = await vaultNames(await host.findVault(vault), prefix, kind === 'vault-folder');
    return names.join('\n');
  } catch {
    return '';
  }
}
