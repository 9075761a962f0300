/** One call's edits of a note's text, in order: the text or a part of it, then properties, then tags. */

import { MemoryError } from '../errors.js';
import { scan } from '../markdown/scan.js';
import type { ScannedNote } from '../markdown/scanned-note.js';
import { findBlock, findLines, findSection, type Part } from '../note/note-parts.js';
import { appendText, prependText } from './append-text.js';
import { checkGivenText, checkProperties } from './check-writable.js';
import { editPart, type PartAction, type PartName } from './edit-part.js';
import { addTag, removeTag } from './edit-tags.js';
import { replaceText } from './replace-text.js';
import { parseSetting, setProperty, unsetProperty } from './set-property.js';
import { applyChanges, type TextChange } from './text-change.js';

export type TextEdits = PartName & {
  /** Takes the place of the section, block or lines. */
  readonly content?: string | undefined;
  readonly append?: string | undefined;
  readonly prepend?: string | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly replace?: string | undefined;
  readonly with?: string | undefined;
  /** How often `replace` must stand there; 1 unless given. */
  readonly count?: number | undefined;
  readonly set?: readonly string[] | undefined;
  readonly unset?: readonly string[] | undefined;
  readonly addTag?: readonly string[] | undefined;
  readonly removeTag?: readonly string[] | undefined;
};

const PART_ACTIONS: readonly PartAction[] = ['content', 'append', 'prepend', 'before', 'after'];

/** Says what is wrong with the edits themselves, whatever the note. */
export function checkEdits(edits: TextEdits): void {
  const actions = [...PART_ACTIONS, 'replace' as const].filter((name) => edits[name] !== undefined);
  const properties = [edits.set, edits.unset, edits.addTag, edits.removeTag].flatMap((list) => list ?? []);
  for (const name of ['with', 'count'] as const)
    if (edits[name] !== undefined) refuseWithoutReplace(edits, name);
  if (actions.length === 0 && properties.length === 0) {
    throw new MemoryError('invalid_input', 'There is nothing to edit', {
      hint: 'Give one of --append, --prepend, --replace, --content, --before, --after, --set, --unset, --add-tag, --remove-tag.',
    });
  }
  if (actions.length > 1) {
    throw new MemoryError('invalid_input', `One edit of the text at a time, not ${actions.join(' and ')}`, {
      hint: 'Make several calls.',
      details: { arguments: actions },
    });
  }
  const hasPart = edits.section !== undefined || edits.block !== undefined || edits.lines !== undefined;
  const [action] = actions;
  if (hasPart && action === undefined) {
    throw new MemoryError('invalid_input', 'Nothing is said about what to do with the part', {
      hint: 'Give --content to replace it, or --append, --prepend, --before, --after or --replace.',
    });
  }
  if (!hasPart && (action === 'content' || action === 'before' || action === 'after')) {
    throw new MemoryError('invalid_input', `${action} needs a part of the note`, {
      hint: 'Name it with --section, --block or --lines; for the whole note there are --append and --prepend.',
      details: { argument: action },
    });
  }
  if (action === 'replace' && edits.with === undefined) {
    throw new MemoryError('invalid_input', 'replace needs with: what to put in the place of the text', {
      hint: 'Add --with; an empty --with= takes the text out.',
      details: { arguments: ['replace', 'with'] },
    });
  }
  for (const name of [...actions, 'with' as const]) checkGivenText(name, edits[name] ?? '');
  for (const given of properties) checkGivenText('a property', given);
  if (action !== undefined && action !== 'content' && action !== 'replace' && edits[action] === '') {
    throw new MemoryError('invalid_input', `${action} has no text`, {
      hint: 'Give the lines to put in.',
      details: { argument: action },
    });
  }
}

/** `with` and `count` say nothing without the text that they are about. */
function refuseWithoutReplace(edits: TextEdits, name: 'with' | 'count'): void {
  if (edits.replace !== undefined) return;
  throw new MemoryError('invalid_input', `${name} needs replace: the text of the note that is to go`, {
    hint:
      name === 'with'
        ? 'Quote the old text with --replace; for a section, block or lines give the new one with --content.'
        : 'Quote the text with --replace, and give the new one with --with.',
    details: { arguments: [name, 'replace'] },
  });
}

/** The note after the edits; the same object where they change nothing. */
export function editText(path: string, note: ScannedNote, edits: TextEdits): ScannedNote {
  let current = apply(note, changeText(note, edits));
  checkProperties(path, note, current);
  for (const given of edits.set ?? []) {
    const { key, value } = parseSetting(given);
    current = apply(current, setProperty(path, current, key, value));
  }
  for (const key of edits.unset ?? []) current = apply(current, unsetProperty(path, current, key));
  for (const tag of edits.addTag ?? []) current = apply(current, addTag(path, current, tag));
  for (const tag of edits.removeTag ?? []) current = apply(current, removeTag(path, current, tag));
  return current.text === note.text ? note : current;
}

function apply(note: ScannedNote, changes: readonly TextChange[]): ScannedNote {
  return changes.length === 0 ? note : scan(applyChanges(note.text, changes));
}

function changeText(note: ScannedNote, edits: TextEdits): readonly TextChange[] {
  if (edits.replace !== undefined) {
    return replaceText(note, partFor(note, edits), edits.replace, edits.with ?? '', edits.count ?? 1);
  }
  const action = PART_ACTIONS.find((name) => edits[name] !== undefined);
  if (action === undefined) return [];
  const given = edits[action]!;
  if (edits.section !== undefined || edits.block !== undefined || edits.lines !== undefined) {
    return editPart(note, edits, action, given);
  }
  return action === 'append' ? appendText(note, given) : prependText(note, given);
}

function partFor(note: ScannedNote, { section, block, lines }: PartName): Part {
  if (section !== undefined) return findSection(note, section);
  if (block !== undefined) return findBlock(note, block);
  if (lines !== undefined) return findLines(note, lines);
  return { start: 0, end: note.text.length };
}
