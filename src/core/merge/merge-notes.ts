/**
 * Merges two versions of a note. Properties and lists of statements are merged first, unit by unit, and the outcome is
 * put into all three versions, so that the merge by lines, which does the rest, finds nothing to settle there:
 *
 *     base      ours      theirs             base      ours      theirs
 *     text      text'     text               text      text'     text
 *     - a       - a       - a       ──►      - a       - a       - a       ──►  merged by lines
 *               - b       - c                - b       - b       - b
 *                                            - c       - c       - c
 */

import { lineEndingOf } from '../edit/line-endings.js';
import { applyChanges, type TextChange } from '../edit/text-change.js';
import { scan } from '../markdown/scan.js';
import type { ScannedNote } from '../markdown/scanned-note.js';
import { mergeUnits } from './merge-units.js';
import { insertion, lineAt, mapLine, placeNewList, wholeOf } from './new-lists.js';
import { findPropertyUnits, joinProperties } from './property-units.js';
import { findSections, hasList, type Section } from './statement-lists.js';
import { uniteMoved } from './unite-moved.js';
import {
  conflictLines,
  type MergedText,
  type MergeLines,
  mapVersions,
  SIDES,
  type Span,
  type Versions,
} from './versions.js';

/** Part of the note, settled before the merge by lines: what to change in each version, and what is left open. */
type Settled = { readonly conflicts: number; readonly changes: Versions<readonly TextChange[]> };

/** A side that is unchanged gives the other's very bytes. What cannot be merged stands between git's markers. */
export function mergeNotes(texts: Versions<string>, mergeLines: MergeLines): MergedText {
  const { base, ours, theirs } = texts;
  if (ours === theirs || base === theirs) return { text: ours, conflicts: 0 };
  if (base === ours) return { text: theirs, conflicts: 0 };
  const notes = mapVersions(texts, scan);
  if (SIDES.some((side) => notes[side].conflicts.length > 0)) return mergeLines(texts);
  const merged = mergeSettled(notes, settleProperties(notes), mergeLines);
  if (merged.conflicts > 0 || !SIDES.every((side) => isSound(notes[side])) || isSound(scan(merged.text)))
    return merged;
  // By lines the properties would come out broken, such as with one key twice.
  return mergeSettled(notes, contrastProperties(notes), mergeLines);
}

function isSound({ properties }: ScannedNote): boolean {
  return (properties?.problems.length ?? 0) === 0;
}

function mergeSettled(
  notes: Versions<ScannedNote>,
  properties: readonly Settled[],
  mergeLines: MergeLines,
): MergedText {
  const settled = [...properties, ...settleLists(notes)];
  let aligned = change(notes, settled);
  let conflicts = settled.reduce((sum, part) => sum + part.conflicts, 0);
  const placed = new Set<string>();
  for (let next = settleNewList(aligned, placed); next; next = settleNewList(aligned, placed)) {
    aligned = change(aligned, [next]);
    conflicts += next.conflicts;
  }
  const merged = mergeLines(mapVersions(aligned, ({ text }) => text));
  const united = uniteMoved(merged.text, notes);
  return { text: united.text, conflicts: conflicts + merged.conflicts + united.conflicts };
}

function change(notes: Versions<ScannedNote>, settled: readonly Settled[]): Versions<ScannedNote> {
  return mapVersions(notes, ({ text }, side) => {
    const changes = settled.flatMap((part) => part.changes[side]);
    return scan(
      applyChanges(
        text,
        changes.toSorted((a, b) => a.start - b.start),
      ),
    );
  });
}

/** Of the side that changed it, else ours. */
function endingOf(notes: Versions<ScannedNote>): string {
  const endings = mapVersions(notes, ({ text }) => lineEndingOf(text));
  return endings.ours === endings.base ? endings.theirs : endings.ours;
}

function settleProperties(notes: Versions<ScannedNote>): readonly Settled[] {
  const found = mapVersions(notes, findPropertyUnits);
  const isClear = SIDES.every((side) => found[side] !== undefined || notes[side].properties === undefined);
  if (!isClear || (found.ours === undefined && found.theirs === undefined)) return [];
  // A block that was taken out as a whole is the lines' affair.
  if (found.base !== undefined && (found.ours === undefined || found.theirs === undefined)) return [];
  const ending = endingOf(notes);
  const { lines, conflicts } = mergeUnits(
    mapVersions(found, (block) => block?.units ?? []),
    joinProperties(notes),
  );
  const text = lines.map((line) => line + ending).join('');
  const changes = mapVersions(found, (block, side): readonly TextChange[] =>
    block === undefined
      ? newBlock(notes[side], text, ending)
      : [{ start: block.start, end: block.end, text }],
  );
  return [{ conflicts, changes }];
}

function newBlock({ hasBom }: ScannedNote, text: string, ending: string): readonly TextChange[] {
  const start = hasBom ? 1 : 0;
  return [{ start, end: start, text: `---${ending}${text}---${ending}` }];
}

/** Both blocks as they are, between markers. */
function contrastProperties({ base, ours, theirs }: Versions<ScannedNote>): readonly Settled[] {
  if (ours.properties === undefined || theirs.properties === undefined) return [];
  const inner = (note: ScannedNote) => note.text.slice(note.properties!.start, note.bodyStart);
  const ending = lineEndingOf(ours.text);
  const linesOf = (text: string) => text.split(/\r\n|\n|\r/).slice(0, /[\r\n]$/.test(text) ? -1 : undefined);
  const text = conflictLines(linesOf(inner(ours)), linesOf(inner(theirs))).map((line) => line + ending);
  const span = (note: ScannedNote) =>
    note.properties && { start: note.properties.start, end: note.bodyStart };
  const changes = mapVersions({ base, ours, theirs }, (note) => {
    const at = span(note);
    return at === undefined ? [] : [{ ...at, text: text.join('') }];
  });
  return [{ conflicts: 1, changes }];
}

/** Lists that the base has, and both sides, or one where the other has taken all items out. */
function settleLists(notes: Versions<ScannedNote>): readonly Settled[] {
  const ending = endingOf(notes);
  return findLists(notes).flatMap(({ base, ours, theirs }): readonly Settled[] => {
    if (!hasList(base) || ours === undefined || theirs === undefined) return [];
    const sections = { base, ours, theirs };
    const { lines, conflicts } = mergeUnits(mapVersions(sections, ({ list }) => list?.units ?? []));
    const text = lines.join(ending);
    const whole = wholeOf(notes.base, base, true);
    const part = notes.base.text.slice(whole.start, base.list.start) + text + ending;
    const changes = mapVersions(sections, (section, side): readonly TextChange[] => {
      const note = notes[side];
      if (hasList(section)) {
        return [text === '' ? { ...wholeOf(note, section, true), text } : { ...spanOf(section.list), text }];
      }
      const line = mapLine(notes.base.text, note.text, lineAt(notes.base, whole.start));
      return text === '' ? [] : [insertion(note.text, line, part)];
    });
    return [{ conflicts, changes }];
  });
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}

/** The next list that one side made, or both, and that is not among the `placed`. */
function settleNewList(notes: Versions<ScannedNote>, placed: Set<string>): Settled | undefined {
  for (const { key, base, ours, theirs } of findLists(notes)) {
    if (base?.list !== undefined || placed.has(key)) continue;
    placed.add(key);
    const { lines, conflicts } = mergeUnits({
      base: [],
      ours: ours?.list?.units ?? [],
      theirs: theirs?.list?.units ?? [],
    });
    const changes = placeNewList(notes, { base, ours, theirs }, lines.join(endingOf(notes)));
    if (changes !== undefined) return { conflicts, changes };
  }
  return undefined;
}

type NamedSections = { readonly key: string } & Versions<Section | undefined>;

/** Sections of which a version has a list of statements, and all versions that have it can be told what it holds. */
function findLists(notes: Versions<ScannedNote>): readonly NamedSections[] {
  const sections = mapVersions(notes, findSections);
  const keys = new Set([...sections.ours.keys(), ...sections.theirs.keys()]);
  return [...keys].flatMap((key) => {
    const found = mapVersions(sections, (map) => map.get(key));
    const all = SIDES.flatMap((side) => found[side] ?? []);
    const isFit = all.every(({ isClear }) => isClear) && all.some(({ hasStatements }) => hasStatements);
    return isFit ? [{ key, ...found }] : [];
  });
}
