/** `memory merge-driver`: merges three versions of a note for git. How notes are merged is core/merge. */

import { MemoryError } from '../core/errors.js';
import type { Side } from '../core/merge/versions.js';
import type { Program } from '../surfaces/cli/host.js';
import { plainField } from './program-parts.js';

/** git then leaves the note to the person, with the markers that are in it. */
const EXIT_CONFLICTS = 1;

export function mergeDriverProgram(): Program {
  const version = { ...plainField, kind: 'string', required: true } as const;
  return {
    name: 'merge-driver',
    summary: 'Merge two versions of a note, as git asks for it',
    fields: [
      { ...version, name: 'base', description: 'File with the version that both come from' },
      { ...version, name: 'ours', description: 'File with our version; gets the merged note' },
      { ...version, name: 'theirs', description: 'File with the other version' },
    ],
    positional: ['base', 'ours', 'theirs'],
    examples: [
      {
        command: 'git config merge.agent-memory.driver "memory merge-driver %O %A %B"',
        purpose: 'what git is told; `memory connect git` does it, see docs/git.md',
      },
    ],
    run: async ({ input, notice }) => {
      const files = {
        base: fileOf(input, 'base'),
        ours: fileOf(input, 'ours'),
        theirs: fileOf(input, 'theirs'),
      };
      const { mergeFiles } = await import('./merge-files.js');
      return (await mergeFiles(files, notice)) > 0 ? EXIT_CONFLICTS : 0;
    },
  };
}

function fileOf(input: Readonly<Record<string, unknown>>, side: Side): string {
  const file = input[side];
  if (typeof file === 'string') return file;
  throw new MemoryError('invalid_input', `merge-driver needs three files, and has none for "${side}"`, {
    hint: 'git gives them: `memory merge-driver %O %A %B`.',
  });
}
