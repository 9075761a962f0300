/** The fields of facts and relations by their short names; synonyms are read, never written. */

import type { FactFields } from './fact.js';
import type { Group } from './groups.js';

/** In the order in which they are written. */
export const FIELD_NAMES = [
  'src',
  'by',
  'occurred',
  'from',
  'until',
  'importance',
  'weight',
  'kind',
  'layer',
  'evidence',
  'trust',
  'recorded',
  'now',
  'superseded',
  'retired',
  'why',
] as const satisfies readonly (keyof FactFields)[];

export type FieldName = (typeof FIELD_NAMES)[number];

const NAMES: ReadonlyMap<string, FieldName> = new Map<string, FieldName>([
  ...FIELD_NAMES.map((name) => [name, name] as const),
  ['source', 'src'],
  ['author', 'by'],
  ['valid_from', 'from'],
  ['valid-from', 'from'],
  ['valid_until', 'until'],
  ['valid-until', 'until'],
  ['superseded_by', 'now'],
  ['superseded-by', 'now'],
]);

/** Keys that never form relations. */
export function isFactField(key: string): boolean {
  return NAMES.has(key);
}

export type ReadFields = {
  readonly fields: FactFields;
  readonly others: readonly (readonly [key: string, value: string])[];
};

/** Sorts groups into known fields and others. Of two with one name the first counts, the second is kept among the others. */
export function sortFields(groups: readonly Group[], readValue: (value: string) => string): ReadFields {
  const fields: { -readonly [K in FieldName]?: string } = {};
  const others: (readonly [string, string])[] = [];
  for (const group of groups) {
    const value = readValue(group.value);
    const name = NAMES.get(group.key!);
    if (name === undefined || fields[name] !== undefined) others.push([group.key!, value]);
    else fields[name] = value;
  }
  return { fields, others };
}
