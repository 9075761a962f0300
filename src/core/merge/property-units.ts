/** The properties of a note as units by their names, and how both sides' changes of one property are joined. */

import { setProperty } from '../edit/set-property.js';
import { applyChanges } from '../edit/text-change.js';
import { MemoryError } from '../errors.js';
import { lineEnd } from '../markdown/lines.js';
import { scan } from '../markdown/scan.js';
import type { PropertyEntry, ScannedNote } from '../markdown/scanned-note.js';
import { type JoinUnits, joinByLines, type Unit } from './merge-units.js';
import type { Versions } from './versions.js';

export type PropertyUnits = {
  readonly units: readonly Unit[];
  /** The lines between the fences. */
  readonly start: number;
  readonly end: number;
};

/** Lists of which only the members count, not their order. */
const SETS: ReadonlySet<string> = new Set(['tags', 'aliases']);

/** Undefined for no block, and for one that is not plainly one property after the other. */
export function findPropertyUnits(note: ScannedNote): PropertyUnits | undefined {
  const { properties, text, lineStarts } = note;
  if (properties === undefined || properties.kind !== 'yaml' || properties.problems.length > 0)
    return undefined;
  const units: { key: string; hasName: boolean; lines: string[]; gap: number }[] = [];
  let lead: string[] = [];
  let line = 1;
  for (; lineStarts[line + 1] !== undefined && lineStarts[line + 1]! <= properties.end; line += 1) {
    const written = text.slice(lineStarts[line], lineEnd(text, lineStarts, line));
    if (/^(?:#|\s*$)/.test(written)) {
      lead.push(written);
      continue;
    }
    const key =
      /^(?:"([^"\\]*)"|'([^']*)'|([^\s"'#[\]{},&*!|>%@`-][^#]*?|-[^\s#][^#]*?))[ \t]*:(?:[ \t]|$)/.exec(
        written,
      );
    if (key !== null)
      units.push({ key: (key[1] ?? key[2] ?? key[3])!, hasName: true, lines: [...lead, written], gap: 0 });
    else if (units.length > 0 && /^(?:[ \t]|-(?:[ \t]|$))/.test(written))
      units.at(-1)!.lines.push(...lead, written);
    else return undefined;
    lead = [];
  }
  if (lead.length > 0) units.push({ key: '', hasName: true, lines: lead, gap: 0 });
  if (new Set(units.map(({ key }) => key)).size < units.length) return undefined;
  return { units, start: lineStarts[1]!, end: lineStarts[line]! };
}

/** Joins changes of one property. Values of which one would be lost are not joined. */
export function joinProperties(notes: Versions<ScannedNote>): JoinUnits {
  return (units) => {
    const { key } = units.ours!;
    const [base, ours, theirs] = [
      entryOf(notes.base, key),
      entryOf(notes.ours, key),
      entryOf(notes.theirs, key),
    ];
    if (ours !== undefined && theirs !== undefined && hasSameComments(units)) {
      if (isSameValue(ours, theirs)) return units.ours!.lines;
      if (SETS.has(key) && ours.isList && theirs.isList && (base === undefined || base.isList)) {
        return withValues(notes.ours, key, joinSets(base?.values ?? [], ours.values, theirs.values));
      }
    }
    // One value of one line is one thing, whatever both sides made of it.
    return units.ours!.lines.length > 1 && units.theirs!.lines.length > 1 ? joinByLines(units) : undefined;
  };
}

/** Values are joined without regard to what is written around them. */
function hasSameComments({ ours, theirs }: Partial<Versions<Unit>>): boolean {
  const comments = (unit: Unit) => unit.lines.filter((line) => line.includes('#')).join('\n');
  return comments(ours!) === comments(theirs!);
}

function entryOf({ properties }: ScannedNote, key: string): PropertyEntry | undefined {
  return properties?.entries.find((entry) => entry.key === key);
}

function isSameValue(one: PropertyEntry, other: PropertyEntry): boolean {
  return (
    one.isList === other.isList &&
    one.values.length === other.values.length &&
    one.values.every((value, at) => value === other.values[at])
  );
}

function joinSets(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): readonly string[] {
  const kept = ours.filter((value) => theirs.includes(value) || !base.includes(value));
  const added = theirs.filter((value) => !ours.includes(value) && !base.includes(value));
  return [...kept, ...added];
}

/** The lines of the property with other values, in the form that it has in the note. */
function withValues(
  note: ScannedNote,
  key: string,
  values: readonly string[],
): readonly string[] | undefined {
  try {
    const changed = scan(applyChanges(note.text, setProperty('', note, key, { values, isList: true })));
    return findPropertyUnits(changed)?.units.find((unit) => unit.key === key)?.lines;
  } catch (error) {
    if (error instanceof MemoryError) return undefined;
    throw error;
  }
}
