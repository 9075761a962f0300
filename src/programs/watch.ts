/** `memory watch`: keeps the index fresh until it is told to stop. What it does is core/memory/follow-vault.ts. */

import type { FollowEvent } from '../core/memory/follow-options.js';
import type { Program } from '../surfaces/cli/host.js';
import { takeStdout } from './process-streams.js';
import { type ProgramParts, plainField } from './program-parts.js';
import { lookedWords, tellInWords } from './watch-words.js';

/** A look at a large vault whose notes have all changed takes some seconds, and is finished first. */
const GRACE_MS = 30_000;

export function watchProgram({ signals, openContext }: ProgramParts): Program {
  return {
    name: 'watch',
    summary: 'Follow the vault and keep the index fresh, until stopped',
    fields: [
      {
        ...plainField,
        name: 'poll',
        kind: 'boolean',
        description: 'Look every few seconds, for disks whose changes the system does not tell of',
        defaultValue: false,
      },
    ],
    examples: [
      { command: 'memory watch --vault ~/notes', purpose: 'a line for each time that notes changed' },
      { command: 'memory watch --poll --quiet', purpose: 'for a network disk, and without a word' },
    ],
    run: async ({ vault, input, notice, json, quiet }) => {
      const output = takeStdout(() => stop.abort());
      const stop = new AbortController();
      signals.stopGently(() => stop.abort(), { interruptedCode: 0, graceMs: GRACE_MS });
      const { context, close } = openContext({
        vault,
        signal: new AbortController().signal,
        report: () => undefined,
        notice,
      });
      const tell = (event: FollowEvent): void => {
        if (json) output.sendLine(JSON.stringify({ at: new Date().toISOString(), ...event }));
        else if (event.kind !== 'looked') tellInWords(event, notice);
        else if (!quiet) output.sendLine(`${timeOfDay()}  ${lookedWords(event)}`);
      };
      try {
        const memory = await context.openMemory();
        await memory.follow({ signal: stop.signal, tell, poll: input['poll'] === true });
      } finally {
        await close();
      }
      await output.flushed();
      return 0;
    },
  };
}

/** `09:30:00` on this machine's clock. */
function timeOfDay(): string {
  const now = new Date();
  return [now.getHours(), now.getMinutes(), now.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
