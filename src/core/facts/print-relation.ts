/** From a relation to the text of its list item, marker left out; reading: parse-relation.ts. */

import { escapeValue, toOneLine } from './escapes.js';
import type { RelationStatement } from './fact.js';
import { fieldWords, joinParts, printFields, printId } from './print-fact.js';

const BARE_TYPE = /^[\p{L}\p{N}_-]+$/u;

/** `type [[target]] (context) (weight:: 0.8) ^r-…`, the statement struck through where it is past. */
export function printRelation(relation: RelationStatement): string {
  const type = toOneLine(relation.type).replaceAll('"', "'");
  const context = toOneLine(relation.context);
  const statement = joinParts([
    BARE_TYPE.test(type) ? type : `"${type}"`,
    relation.link,
    context === '' ? '' : `(${escapeContext(context, fieldWords(relation))})`,
  ]);
  return joinParts([
    relation.struck ? `~~${statement}~~` : statement,
    printFields(relation),
    printId(relation.id),
  ]);
}

/** A context must not look like a field, nor end the strike around it. */
function escapeContext(context: string, after: string): string {
  return escapeValue(context, after)
    .replace(/(?<!\\)::/g, '\\::')
    .replace(/(?<!\\)~/g, '\\~');
}
