/** Which notes have to be read to tell whether links name what is there. */

import type { ResolvedLink } from './links.js';

/** Links that name a part, by the path that they lead to. */
export function linksByTarget(resolved: readonly ResolvedLink[]): ReadonlyMap<string, ResolvedLink[]> {
  const byTarget = new Map<string, ResolvedLink[]>();
  for (const one of resolved) {
    const { link, to } = one;
    if ((link.heading === '' && link.block === '') || (to.kind !== 'note' && to.kind !== 'inferred'))
      continue;
    const known = byTarget.get(to.path);
    if (known) known.push(one);
    else byTarget.set(to.path, [one]);
  }
  return byTarget;
}
