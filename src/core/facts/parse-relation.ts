/** From the text of a list item to a relation, `type [[target]] (context) (field:: value)`; the way back: print-relation.ts. */

import { destinationEnd } from '../markdown/link-parts.js';
import { dropEscapes } from './escapes.js';
import type { RelationStatement } from './fact.js';
import { sortFields } from './fields-of.js';
import { type Group, trailingGroup } from './groups.js';
import { hasPrefix } from './record-id.js';

const TYPE = /^(?:([\p{L}\p{N}_-]+)|"([^"\n]+)"|“([^”\n]+)”)\s+(?=!?\[)/u;

/**
 * One type, exactly one link, then only fields, one `(context)` and an id; undefined for anything else, which is
 * a plain line. Whether a type that someone wrote counts is for the ontology to say.
 */
export function parseRelation(text: string, id: string | undefined): RelationStatement | undefined {
  const read = hasPrefix(id, 'r') ? dropEscapes : (raw: string) => raw;
  const { line, struck } = unstrike(text);
  const type = TYPE.exec(line);
  if (type === null) return undefined;
  const linkEnd = endOfLink(line, type[0].length);
  if (linkEnd < 0) return undefined;
  const groups = groupsBehind(line, linkEnd);
  if (groups === undefined) return undefined;
  const contexts = groups.filter(({ key }) => key === undefined);
  if (contexts.length > 1 || contexts.some(({ round }) => !round)) return undefined;
  const { fields, others } = sortFields(
    groups.filter(({ key }) => key !== undefined),
    read,
  );
  return {
    type: (type[1] ?? type[2] ?? type[3]!).trim(),
    link: line.slice(type[0].length, linkEnd),
    context: read(contexts[0]?.value.trim() ?? ''),
    fields,
    others,
    id,
    struck,
  };
}

/** `~~type [[target]] (context)~~ (now:: …)`: the strike taken away. */
function unstrike(text: string): { readonly line: string; readonly struck: boolean } {
  if (!text.startsWith('~~')) return { line: text, struck: false };
  const close = text.indexOf('~~', 2);
  return close < 0
    ? { line: text, struck: false }
    : { line: text.slice(2, close) + text.slice(close + 2), struck: true };
}

/** End of the wikilink or Markdown link at `at`, -1 if none stands there. An embed is no relation. */
function endOfLink(text: string, at: number): number {
  if (text[at] !== '[') return -1;
  if (text[at + 1] === '[') {
    const close = text.indexOf(']]', at + 2);
    return close < 0 || text.slice(at + 2, close).includes('[') ? -1 : close + 2;
  }
  const close = text.indexOf('](', at);
  if (close < 0) return -1;
  const end = destinationEnd(text, close + 2, text.length);
  return end >= 0 && text[end] === ')' ? end + 1 : -1;
}

/** The groups between `from` and the end, in order; undefined if anything else stands there. */
function groupsBehind(text: string, from: number): readonly Group[] | undefined {
  const groups: Group[] = [];
  let end = trimmedEnd(text, from, text.length);
  while (end > from) {
    const group = trailingGroup(text, end);
    if (group === undefined || group.start < from || !/[\s,·)\]]/.test(text[group.start - 1]!))
      return undefined;
    groups.unshift(group);
    end = trimmedEnd(text, from, group.start);
  }
  return groups;
}

function trimmedEnd(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && /[ \t,·]/.test(text[end - 1]!)) end--;
  return end;
}
