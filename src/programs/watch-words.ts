/** What a vault that is followed tells, in words. */

import type { FollowEvent } from '../core/memory/follow-options.js';
import { count } from '../operations/wording.js';

/** `2 indexed, 1 removed: 9,753 notes, 41 ms`. */
export function lookedWords(event: Extract<FollowEvent, { kind: 'looked' }>): string {
  const changes = (['indexed', 'moved', 'removed'] as const)
    .filter((kind) => event[kind] > 0)
    .map((kind) => `${event[kind]} ${kind}`);
  const parts = [count(event.notes, 'note')];
  if (event.skipped > 0) parts.push(`${event.skipped} skipped`);
  return `${changes.length === 0 ? 'up to date' : changes.join(', ')}: ${[...parts, `${event.ms} ms`].join(', ')}`;
}

/** Everything but looks, which only `memory watch` tells of. */
export function tellInWords(event: FollowEvent, notice: (text: string) => void): void {
  if (event.kind === 'notice') notice(event.text);
  else if (event.kind === 'back') notice('the vault is back');
  else if (event.kind === 'polling') {
    notice(`looking for changes every few seconds, as ${pollingReason(event.reason)}`);
  } else if (event.kind === 'waiting') {
    notice(`${event.message}; waiting until it can be used again`);
    if (event.hint !== '') notice(`hint: ${event.hint}`);
  }
}

function pollingReason(reason: string): string {
  return reason === 'as asked' ? 'asked' : reason;
}
