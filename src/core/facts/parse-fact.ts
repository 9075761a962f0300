/** From the text of a list item to a fact. Which items are facts: find-facts.ts; the way back: print-fact.ts. */

import { dropEscapes, isWhollyStruck, readKind } from './escapes.js';
import type { FactFields, FactState, Statement } from './fact.js';
import { sortFields } from './fields-of.js';
import { trailingFields } from './groups.js';
import { hasPrefix } from './record-id.js';

/** `text`: the item's text on one line, without task mark and block id. Escapes are read where the id is `f-…`. */
export function parseFact(text: string, id: string | undefined): Statement {
  const read = hasPrefix(id, 'f') ? dropEscapes : (raw: string) => raw;
  const { fields: groups, textEnd } = trailingFields(text);
  const { fields, others } = sortFields(groups, read);
  let raw = text.slice(0, textEnd);
  let kind = readKind(raw);
  if (kind) raw = raw.slice(kind.end);
  const struck = isWhollyStruck(raw);
  if (struck) raw = raw.slice(2, -2);
  if (struck && !kind) {
    kind = readKind(raw);
    if (kind) raw = raw.slice(kind.end);
  }
  return { text: read(raw), fields: withKind(fields, kind?.kind), others, id, struck };
}

/** A field says more plainly than a leading word. */
function withKind(fields: FactFields, kind: string | undefined): FactFields {
  return kind === undefined || fields.kind !== undefined ? fields : { ...fields, kind };
}

/** State comes from the fields; a strike alone means retired, and counts only where facts are expected. */
export function stateOf(
  { fields, struck }: Pick<Statement, 'fields' | 'struck'>,
  inSection: boolean,
): FactState {
  if (fields.now !== undefined || fields.superseded !== undefined) return 'superseded';
  if (fields.retired !== undefined || (struck && inSection)) return 'retired';
  return 'active';
}
