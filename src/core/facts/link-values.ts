/** Values of properties and inline fields that are nothing but links, and so say a relation. */

import { scan } from '../markdown/scan.js';
import type { Link } from '../markdown/scanned-note.js';

const BETWEEN = /^[\s,;·]*$/;

/** The links of the value, placed within it, if it holds nothing else: `[[A]], [[B]]`. Embeds and URLs are something else. */
export function readLinkValue(value: string): readonly Link[] | undefined {
  const { links } = scan(value);
  let end = 0;
  for (const link of links) {
    if (link.kind !== 'link' || !BETWEEN.test(value.slice(end, link.start))) return undefined;
    end = link.end;
  }
  return links.length > 0 && BETWEEN.test(value.slice(end)) ? links : undefined;
}
