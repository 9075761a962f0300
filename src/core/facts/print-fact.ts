/** From a fact to the text of its list item, marker left out. Reading it back gives the same fact: a law. */

import { escapeText, escapeValue, toOneLine } from './escapes.js';
import type { FactFields, Statement } from './fact.js';
import { FIELD_NAMES } from './fields-of.js';

/** What goes without saying is not written. */
const DEFAULTS: FactFields = { importance: '3', weight: '1' };

/** `text (src:: PR 412) ^f-…`, struck through where the fact is no longer true. Line breaks become spaces. */
export function printFact(fact: Statement): string {
  const written = writtenFields(fact);
  const text = escapeText(toOneLine(fact.text), fact.struck, valuesFrom(written, 0));
  return joinParts([fact.struck ? `~~${text}~~` : text, printFields(fact), printId(fact.id)]);
}

/** Round brackets: two square ones side by side misrender. */
export function printFields(statement: WithFields): string {
  const written = writtenFields(statement);
  return written
    .map(([key, value], index) => `(${key}:: ${escapeValue(value, valuesFrom(written, index + 1))})`)
    .join(' ');
}

type WithFields = Pick<Statement, 'fields' | 'others'>;
type Written = readonly (readonly [key: string, value: string])[];

/** Known fields in their order, then the others; defaults and empty values are not written. */
function writtenFields({ fields, others }: WithFields): Written {
  const known = FIELD_NAMES.map(
    (name) => [name, fields[name] === DEFAULTS[name] ? '' : (fields[name] ?? '')] as const,
  );
  return [...known, ...others]
    .map(([key, value]) => [key, toOneLine(value).trim()] as const)
    .filter(([, value]) => value);
}

/** All that fields say from the given one on. */
function valuesFrom(written: Written, index: number): string {
  return written
    .slice(index)
    .map(([, value]) => value)
    .join(' ');
}

/** What all fields of the statement say, for those who write before them. */
export function fieldWords(statement: WithFields): string {
  return valuesFrom(writtenFields(statement), 0);
}

export function printId(id: string | undefined): string {
  return id === undefined ? '' : `^${id}`;
}

export function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
