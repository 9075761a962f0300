/**
 * Merges lists whose members have keys: facts by id, list items by text, properties by name. What such members are in a
 * note: statement-lists.ts, property-units.ts.
 */

import { mergeTexts } from '../edit/merge-texts.js';
import { conflictLines, type Versions } from './versions.js';

export type Unit = {
  /** Unique in its list. */
  readonly key: string;
  /** The key stays when the text changes, as ids and names do. */
  readonly hasName: boolean;
  /** Without line endings, and without blank lines at the end. */
  readonly lines: readonly string[];
  /** Blank lines up to the next; undefined for the last. */
  readonly gap: number | undefined;
};

/** The lines of a unit that both sides changed, and differently; undefined where they cannot be joined. */
export type JoinUnits = (units: Partial<Versions<Unit>>) => readonly string[] | undefined;

export type MergedUnits = {
  readonly lines: readonly string[];
  readonly conflicts: number;
};

/** What stands at one place of the merged list. `conflict`: lines with markers. */
type Placed = {
  readonly lines: readonly string[];
  readonly gap: number | undefined;
  readonly conflict: boolean;
};

export function mergeUnits(
  { base, ours, theirs }: Versions<readonly Unit[]>,
  join: JoinUnits = joinByLines,
): MergedUnits {
  const known = { base: byKey(base), ours: byKey(ours), theirs: byKey(theirs) };
  const resolve = (key: string) =>
    resolveUnit(known.base.get(key), known.ours.get(key), known.theirs.get(key), join);
  const rewritten = findRewritten({ base, ours, theirs }, known);
  const placed: Placed[] = [];
  for (const key of mergeOrder({ base, ours, theirs }, known)) {
    const conflict = rewritten.get(key);
    if (conflict === undefined) {
      const unit = resolve(key);
      if (unit !== undefined) placed.push(unit);
    } else if (conflict.first === key) placed.push(conflictOf(conflict.ours, conflict.theirs));
  }
  return {
    lines: joinLines(placed, usualGap(ours) ?? usualGap(theirs) ?? usualGap(base) ?? 0),
    ...count(placed),
  };
}

/** Changes of different lines of one unit, such as its text and its detail. */
export function joinByLines({ base, ours, theirs }: Partial<Versions<Unit>>): readonly string[] | undefined {
  if (base === undefined || ours === undefined || theirs === undefined) return undefined;
  const text = ({ lines }: Unit) => lines.map((line) => `${line}\n`).join('');
  return mergeTexts(text(base), text(ours), text(theirs))?.split('\n').slice(0, -1);
}

function byKey(units: readonly Unit[]): ReadonlyMap<string, Unit> {
  return new Map(units.map((unit) => [unit.key, unit]));
}

function isSame(one: Unit | undefined, other: Unit | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.lines.length === other.lines.length && one.lines.every((line, at) => line === other.lines[at]);
}

/** Undefined where the unit is gone. */
function resolveUnit(
  base: Unit | undefined,
  ours: Unit | undefined,
  theirs: Unit | undefined,
  join: JoinUnits,
): Placed | undefined {
  if (isSame(ours, theirs) || isSame(base, theirs)) return ours && placeOf(ours);
  if (isSame(base, ours)) return theirs && placeOf(theirs);
  if (ours !== undefined && theirs !== undefined) {
    const lines = join({ ...(base && { base }), ours, theirs });
    if (lines !== undefined) return { lines, gap: ours.gap, conflict: false };
  }
  return conflictOf(ours ? [ours] : [], theirs ? [theirs] : []);
}

function placeOf({ lines, gap }: Unit): Placed {
  return { lines, gap, conflict: false };
}

function conflictOf(ours: readonly Unit[], theirs: readonly Unit[]): Placed {
  const lines = (units: readonly Unit[]) => joinLines(units.map(placeOf), usualGap(units) ?? 0);
  return { lines: conflictLines(lines(ours), lines(theirs)), gap: ours.at(-1)?.gap, conflict: true };
}

function count(placed: readonly Placed[]): { readonly conflicts: number } {
  return { conflicts: placed.filter(({ conflict }) => conflict).length };
}

/** Loose lists stay loose, tight ones tight. */
function usualGap(units: readonly Unit[]): number | undefined {
  return units.find(({ gap }) => gap !== undefined)?.gap;
}

function joinLines(placed: readonly Placed[], gap: number): readonly string[] {
  return placed.flatMap((unit, at) => {
    if (at === placed.length - 1) return unit.lines;
    return [...unit.lines, ...Array<string>(unit.gap ?? gap).fill('')];
  });
}

type Known = Versions<ReadonlyMap<string, Unit>>;

/** All keys. The order is that of the side that changed it; what the other side added follows what it followed there. */
function mergeOrder({ base, ours, theirs }: Versions<readonly Unit[]>, known: Known): readonly string[] {
  const shared = (units: readonly Unit[]) =>
    units
      .map(({ key }) => key)
      .filter((key) => known.base.has(key) && known.ours.has(key) && known.theirs.has(key));
  const isReordered = (units: readonly Unit[]) => {
    const before = shared(base);
    return shared(units).some((key, at) => key !== before[at]);
  };
  const isTheirOrder = isReordered(theirs) && !isReordered(ours);
  const [first, second] = isTheirOrder ? [theirs, ours] : [ours, theirs];
  const order = first.map(({ key }) => key);
  const placed = new Set(order);
  const isOnlyOurs = (key: string | undefined) =>
    key !== undefined && known.ours.has(key) && !known.base.has(key) && !known.theirs.has(key);
  let before: string | undefined;
  for (const { key } of second) {
    if (!placed.has(key)) {
      let at = before === undefined ? 0 : order.indexOf(before) + 1;
      // Two additions at one place: ours come first.
      while (!isTheirOrder && isOnlyOurs(order[at])) at += 1;
      order.splice(at, 0, key);
      placed.add(key);
    }
    before = key;
  }
  return order;
}

type Rewritten = { readonly first: string; readonly ours: readonly Unit[]; readonly theirs: readonly Unit[] };

/**
 * A unit without a name that both sides no longer have was rewritten by them, or taken out: what each has in its place
 * are two versions of one thing.
 */
function findRewritten(
  { base, ours, theirs }: Versions<readonly Unit[]>,
  known: Known,
): ReadonlyMap<string, Rewritten> {
  const found = new Map<string, Rewritten>();
  const stays = (key: string) => known.ours.has(key) && known.theirs.has(key);
  base.forEach(({ key, hasName }, at) => {
    if (hasName || known.ours.has(key) || known.theirs.has(key)) return;
    const before = base.slice(0, at).findLast((unit) => stays(unit.key))?.key;
    const after = base.slice(at + 1).find((unit) => stays(unit.key))?.key;
    const between = (units: readonly Unit[]) => {
      const start = before === undefined ? 0 : units.findIndex((unit) => unit.key === before) + 1;
      const end = after === undefined ? units.length : units.findIndex((unit) => unit.key === after);
      return units.slice(start, Math.max(start, end)).filter((unit) => !known.base.has(unit.key));
    };
    const [ourNew, theirNew] = [between(ours), between(theirs)];
    // Where both have made the same of it, what else is new there has been added.
    if (ourNew.some((unit) => known.theirs.has(unit.key))) return;
    const isFree = (unit: Unit) => !found.has(unit.key) && !stays(unit.key);
    const conflict = { ours: ourNew.filter(isFree), theirs: theirNew.filter(isFree) };
    const first = (conflict.ours[0] ?? conflict.theirs[0])?.key;
    if (first === undefined) return;
    for (const unit of [...conflict.ours, ...conflict.theirs]) found.set(unit.key, { ...conflict, first });
  });
  return found;
}
