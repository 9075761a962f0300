/** Which list items of a note are facts and relations: by the heading they stand under, or by their id. */

import { trimSigns } from '../markdown/characters.js';
import { itemText } from '../markdown/item-text.js';
import type { Heading, ScannedNote } from '../markdown/scanned-note.js';
import type { Fact, Relation } from './fact.js';
import { parseFact, stateOf } from './parse-fact.js';
import { parseRelation } from './parse-relation.js';
import { hasPrefix } from './record-id.js';

export type SectionNames = {
  /** Lower-case names beyond `facts` and `observations`, and beyond `relations`. */
  readonly facts?: readonly string[];
  readonly relations?: readonly string[];
};

const FACTS = ['facts', 'observations'];
const RELATIONS = ['relations'];

/** Facts in the order of the text. Nothing in a quote or callout is one; tasks only by an `f-` id. */
export function findFacts(note: ScannedNote, names: SectionNames = {}): readonly Fact[] {
  const sections = findSections(note, [...FACTS, ...(names.facts ?? [])]);
  const facts: Fact[] = [];
  note.items.forEach((item, index) => {
    const inSection = sections.has(item.heading);
    const hasId = hasPrefix(item.blockId, 'f');
    const stands = inSection && item.depth === 0 && item.task === undefined && !hasPrefix(item.blockId, 'r');
    if (item.quotes > 0 || (!hasId && !stands)) return;
    const statement = parseFact(itemText(note, index), item.blockId);
    if (statement.text === '') return;
    const { line, endLine, start, end } = item;
    const state = stateOf(statement, inSection);
    facts.push({ ...statement, state, item: index, line, endLine, start, end });
  });
  return facts;
}

/** Items that have the form of a relation, under `Relations` or with an `r-` id. */
export function findRelations(note: ScannedNote, names: SectionNames = {}): readonly Relation[] {
  const sections = findSections(note, [...RELATIONS, ...(names.relations ?? [])]);
  const relations: Relation[] = [];
  note.items.forEach((item, index) => {
    const inSection = sections.has(item.heading);
    if (
      item.quotes > 0 ||
      (!hasPrefix(item.blockId, 'r') && (!inSection || item.depth > 0 || item.task !== undefined))
    )
      return;
    const statement = parseRelation(itemText(note, index), item.blockId);
    if (statement === undefined) return;
    const { line, start, end } = item;
    relations.push({ ...statement, state: stateOf(statement, inSection), item: index, line, start, end });
  });
  return relations;
}

/** Headings under which facts or relations are expected, by index. */
export function statementSections(note: ScannedNote): ReadonlySet<number> {
  return findSections(note, [...FACTS, ...RELATIONS]);
}

/** Indices of the headings with one of these names, and of those below them. */
function findSections(note: ScannedNote, names: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  note.headings.forEach((heading, index) => {
    if (found.has(heading.parent) || names.includes(sectionName(heading))) found.add(index);
  });
  return found;
}

/** Case, emphasis, emoji and a closing colon do not count. */
function sectionName({ text }: Heading): string {
  const words = text.replace(/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f|\u20e3/gu, '');
  return trimSigns(words, ' \t\u00a0*_~:').toLowerCase();
}
