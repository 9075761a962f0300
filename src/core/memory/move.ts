/** Moves a note, with the links to it and its own relative ones rewritten: all of it or, after a crash, all of it by the next run. */

import { readWritable } from '../edit/check-writable.js';
import { newNotePath } from '../edit/new-note.js';
import { type Move, relativeFiles, relink } from '../edit/relink.js';
import { unifiedDiff } from '../edit/unified-diff.js';
import { MemoryError } from '../errors.js';
import type { ScannedNote } from '../markdown/scanned-note.js';
import { lookupKey, stemKey } from '../note/lookup-key.js';
import type { NamedNote, NameLookUp } from '../note/resolve-link.js';
import type { StoredNote } from '../note/stored-note.js';
import type { NoteIndex, VaultWriting } from '../ports.js';
import { findTwin } from './add.js';
import { carryOut, isTaken, type PlannedEdit } from './carry-out.js';
import { refreshBefore } from './freshness.js';
import { linksTo } from './links.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
import { checkHash, indexNow, locateNote, readExisting, withWriting } from './write-note.js';
import type { MoveInput, MoveOutput } from './writing-types.js';

export async function move(places: Places, input: MoveInput, options: CallOptions = {}): Promise<MoveOutput> {
  const { index, vault } = places;
  // Who links here is known only from an index that is as the vault is.
  await refreshBefore(places, 'always', options);
  const { path: from } = await locateNote(places, input.note, options);
  const [stored] = await index.findNotes({ paths: [from] });
  if (stored === undefined)
    throw new MemoryError('not_found', `"${from}" is not in the index`, { hint: 'Run `memory reindex`.' });
  const to = await destination(places, from, input.to);
  if (to === from) {
    return { from, path: to, hash: stored.hash, id: '', links: 0, notes: 0, left: [], diff: '' };
  }
  const twin = await findTwin(places, to, from);
  if (twin !== undefined) throw isTaken(from, twin);
  if ((await vault.exist([to])).has(to) && lookupKey(to) !== lookupKey(from)) throw isTaken(from, to);
  const rule = await vault.ignoredBy(to);
  if (rule !== undefined) options.notice?.(`"${to}" will not be found: ${rule}`);
  const sources = await holders(index, stored, to);
  const changed: string[] = [];
  const reply = await withWriting(places, options, async (writing): Promise<MoveOutput> => {
    const file = await readExisting(writing, from);
    checkHash(file, input.ifHash);
    const plan = await planLinks(places, writing, from, to, sources);
    const links = plan.edits.reduce((sum, { links }) => sum + links, 0);
    const own = plan.edits.find(({ seen }) => seen.path === from);
    const base = { from, path: to, links, notes: plan.edits.length, left: plan.left };
    if (input.dryRun) {
      const diffs = plan.edits
        .filter((edit) => edit !== own)
        .map(({ seen, before, after }) =>
          unifiedDiff({ path: seen.path, text: before }, { path: seen.path, text: after }),
        );
      const text = own?.before ?? '';
      diffs.push(unifiedDiff({ path: from, text }, { path: to, text: own?.after ?? text }));
      return { ...base, hash: file.hash, id: '', diff: diffs.join('') };
    }
    const done = await carryOut(places, writing, {
      operation: 'move',
      edits: plan.edits,
      moves: [{ from, to }],
    });
    changed.push(from, to, ...done.files.map(({ path }) => path));
    const hash = done.files.find(({ path }) => path === from)?.hash ?? file.hash;
    return { ...base, hash, id: done.id, diff: '' };
  });
  if (changed.length > 0)
    await indexNow(
      places,
      changed.filter((path) => path !== to || rule === undefined),
    );
  return reply;
}

/** A folder, by its slash or because it is there, keeps the note's name. */
async function destination({ vault }: Places, from: string, given: string): Promise<string> {
  const name = from.slice(from.lastIndexOf('/') + 1);
  if (given === '/' || given === './' || given === '.') return name;
  const isFolder =
    given.endsWith('/') ||
    (!/\.md$/i.test(given) && (await isExistingFolder(vault.exist.bind(vault), given)));
  return newNotePath(isFolder ? `${given.replace(/\/+$/, '')}/${name}` : given);
}

async function isExistingFolder(
  exist: (paths: readonly string[]) => Promise<ReadonlySet<string>>,
  given: string,
) {
  if (given.split('/').includes('..') || given.includes('\0')) return false;
  return (await exist([given])).has(given);
}

/** Notes whose links lead here, or would after the move. */
async function holders(index: NoteIndex, note: StoredNote, to: string): Promise<readonly string[]> {
  const back = await linksTo(index, note);
  const coming = (await index.links({ keys: [stemKey(to)] })).filter(({ from }) => from !== note.number);
  const others = await index.notes([...new Set(coming.map(({ from }) => from))]);
  return [...new Set([...back.map(({ from }) => from), ...others.map(({ path }) => path)])].sort();
}

type PlannedLinks = PlannedEdit & { readonly links: number };

async function planLinks(
  places: Places,
  writing: VaultWriting,
  from: string,
  to: string,
  sources: readonly string[],
): Promise<{ readonly edits: readonly PlannedLinks[]; readonly left: MoveOutput['left'] }> {
  const edits: PlannedLinks[] = [];
  const left: MoveOutput['left'][number][] = [];
  const names = new Names(places.index, from, to);
  for (const path of [from, ...sources.filter((source) => source !== from)]) {
    const seen = await writing.read(path);
    if (seen === undefined) continue;
    let note: ScannedNote;
    try {
      note = readWritable(path, seen.bytes);
    } catch (error) {
      if (path === from || !(error instanceof MemoryError)) throw error;
      left.push({ path, line: 1, target: '', reason: error.message });
      continue;
    }
    const move = await names.around(note);
    const files = path === from ? await places.vault.exist(relativeFiles(note, path)) : new Set<string>();
    const done = relink(note, path, move, files);
    left.push(...done.left.map((link) => ({ path: path === from ? to : path, ...link })));
    if (done.note === note) continue;
    const again = (now: ScannedNote) => relink(now, path, move, files).note;
    edits.push({ seen, before: note.text, after: done.note.text, again, links: done.links });
  }
  return { edits, left };
}

/** Who answers to the names in a note's links: asked of the index once for each name. */
class Names {
  private readonly known = new Map<string, readonly NamedNote[]>();

  constructor(
    private readonly index: NoteIndex,
    private readonly from: string,
    private readonly to: string,
  ) {}

  async around(note: ScannedNote): Promise<Move> {
    const wanted = new Set([stemKey(this.from), stemKey(this.to)]);
    for (const { target } of note.links) {
      wanted.add(stemKey(target));
      wanted.add(lookupKey(target.replace(/\.md$/i, '')));
    }
    const missing = [...wanted].filter((key) => !this.known.has(key));
    if (missing.length > 0) {
      const found = await this.index.named(missing);
      for (const key of missing) this.known.set(key, found.get(key) ?? []);
    }
    const before: NameLookUp = (key) => this.known.get(key) ?? [];
    const after: NameLookUp = (key) => {
      const kept = before(key).flatMap((named): readonly NamedNote[] => {
        if (named.path !== this.from) return [named];
        return named.kind === 'stem' ? [] : [{ ...named, path: this.to }];
      });
      return key === stemKey(this.to) ? [...kept, { path: this.to, kind: 'stem' }] : kept;
    };
    return { from: this.from, to: this.to, before, after };
  }
}
