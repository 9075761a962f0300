/**
 * What a hit must and must not hold: scope, phrases, exclusions. Postings tell which passages may hold a phrase;
 * only their term sequences tell which do, and those are read for candidates alone.
 */

import type { Collection } from './collection.js';
import type { StoredPassage, TermEvidence } from './evidence.js';
import type { RankingIndex } from './gather.js';
import type { PlannedPhrase, QueryPlan } from './plan.js';
import { readPostings } from './postings.js';
import { holdsPhrase, termsToRead } from './sequences.js';

export type Conditions = {
  /** By note number, 1 for notes that may be hits; undefined for all. */
  readonly allowed: Uint8Array | undefined;
  readonly checks: readonly PhraseCheck[];
};

/** Passages that hold all terms of a phrase, by note. */
export type PhraseCheck = {
  readonly phrase: PlannedPhrase;
  readonly demand: 'required' | 'preferred' | 'excluded';
  readonly passages: ReadonlyMap<number, readonly number[]>;
};

export async function conditionsOf(
  plan: QueryPlan,
  index: RankingIndex,
  collection: Collection,
  scope: Uint32Array | undefined,
  excluded: readonly number[],
): Promise<Conditions> {
  let allowed: Uint8Array | undefined;
  const restrict = (fill: number) => (allowed ??= new Uint8Array(collection.noteLimit).fill(fill));
  if (scope !== undefined) for (const note of scope) restrict(0)[note] = 1;
  if (scope?.length === 0) restrict(0);
  for (const note of excluded) restrict(1)[note] = 0;

  const phrases = [...plan.phrases, ...plan.without];
  if (phrases.length === 0) return { allowed, checks: [] };
  const terms = new Set(phrases.flatMap((phrase) => phrase.terms));
  const evidence = new Map((await index.lookUp([...terms])).map((one) => [one.term, one]));
  const checks: PhraseCheck[] = [];
  const positive = plan.phrasesAreRequired ? 'required' : 'preferred';
  for (const phrase of phrases) {
    const demand = plan.without.includes(phrase) ? 'excluded' : positive;
    const passages = passagesByNote(commonPassages(phrase.terms, evidence), collection);
    if (demand !== 'excluded' || phrase.terms.length > 1) checks.push({ phrase, demand, passages });
    else for (const note of passages.keys()) restrict(1)[note] = 0;
  }
  for (const { demand, passages } of checks) {
    if (demand !== 'required') continue;
    const mask = restrict(1);
    for (let note = 0; note < mask.length; note++) if (!passages.has(note)) mask[note] = 0;
  }
  return { allowed, checks };
}

/** Passages that are in the postings of every term, rising. */
function commonPassages(terms: readonly string[], evidence: ReadonlyMap<string, TermEvidence>): number[] {
  const lists = terms.map((term) => passagesOf(evidence.get(term)));
  lists.sort((a, b) => a.length - b.length);
  let common = [...(lists[0] ?? [])];
  for (const list of lists.slice(1)) {
    let at = 0;
    common = common.filter((passage) => {
      while (at < list.length && list[at]! < passage) at++;
      return list[at] === passage;
    });
  }
  return common;
}

function passagesOf(evidence: TermEvidence | undefined): number[] {
  const passages: number[] = [];
  for (const run of evidence?.postings ?? []) readPostings(run, (passage) => passages.push(passage));
  return passages;
}

function passagesByNote(passages: readonly number[], { shape }: Collection): Map<number, number[]> {
  const byNote = new Map<number, number[]>();
  for (const passage of passages) {
    const note = shape.noteOf[passage] ?? 0;
    const list = byNote.get(note);
    if (note === 0) continue;
    if (list === undefined) byNote.set(note, [passage]);
    else list.push(passage);
  }
  return byNote;
}

/** A note that passed, with the phrases it holds and where they stand. */
export type CheckedNote = {
  readonly note: number;
  readonly held: readonly PlannedPhrase[];
  readonly phrasePassages: readonly number[];
};

const BATCH = 50;

/** The notes that pass all checks, in the order given; stops once `wanted` have passed. */
export async function passingNotes(
  notes: readonly number[],
  checks: readonly PhraseCheck[],
  index: RankingIndex,
  wanted: number,
): Promise<CheckedNote[]> {
  if (checks.length === 0) return notes.map((note) => ({ note, held: [], phrasePassages: [] }));
  const terms = [...new Set(checks.flatMap(({ phrase }) => termsToRead(phrase)))];
  const passed: CheckedNote[] = [];
  for (let start = 0; start < notes.length && passed.length < wanted; start += BATCH) {
    const batch = notes.slice(start, start + BATCH);
    const numbers = new Set(
      batch.flatMap((note) => checks.flatMap(({ passages }) => passages.get(note) ?? [])),
    );
    const stored = new Map(
      (await index.passages([...numbers], terms)).map((passage) => [passage.number, passage]),
    );
    for (const note of batch) {
      const checked = checkNote(note, checks, stored);
      if (checked !== undefined) passed.push(checked);
    }
  }
  return passed;
}

function checkNote(
  note: number,
  checks: readonly PhraseCheck[],
  stored: ReadonlyMap<number, StoredPassage>,
): CheckedNote | undefined {
  const phrasePassages = new Set<number>();
  const held: PlannedPhrase[] = [];
  for (const { phrase, demand, passages } of checks) {
    const holding = (passages.get(note) ?? []).filter((number) => {
      const passage = stored.get(number);
      return passage !== undefined && holdsPhrase(passage, phrase);
    });
    if (holding.length === 0 ? demand === 'required' : demand === 'excluded') return undefined;
    if (holding.length > 0) held.push(phrase);
    for (const number of holding) phrasePassages.add(number);
  }
  return { note, held, phrasePassages: [...phrasePassages] };
}
