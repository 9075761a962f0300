/** All that an index answers, without the numbers it gives to notes and passages: equal dumps mean equal answers. */

import type { NoteIndex } from '../src/core/ports.js';
import { countNotes } from '../src/core/retrieval/kernel.js';
import { type PostingsRun, readPostings } from '../src/core/retrieval/postings.js';

export async function dumpIndex(index: NoteIndex, terms: readonly string[]): Promise<unknown> {
  const notes = await index.findNotes({});
  const pathOf = new Map(notes.map((note) => [note.number, note.path]));
  const shape = await index.shape();
  const places = await placesOf(index, shape.noteOf, pathOf, terms);
  const evidence = await index.lookUp(terms);
  return {
    notes: notes.map(({ number: _, ...note }) => note),
    links: (await index.links({}))
      .map(({ from, ...link }) => ({ from: pathOf.get(from), ...link }))
      .sort(byJson),
    noteCount: shape.noteCount,
    counts: { ...(await index.counts()), bytes: 0 },
    lengths: [...places]
      .map(([number, place]) => `${place} ${shape.bodyLength[number]}+${shape.otherLength[number]}`)
      .sort(),
    terms: evidence.map(({ term, noteFrequency, postings }) => ({
      term,
      noteFrequency: noteFrequency ?? countNotes(postings, shape),
      places: livePlaces(postings, places),
    })),
    expansions: await Promise.all(
      [...new Set(terms.map((term) => term.slice(0, 1)))].map((prefix) => index.expand(prefix, 50)),
    ),
  };
}

function livePlaces(postings: readonly PostingsRun[], places: ReadonlyMap<number, string>): string[] {
  const found: string[] = [];
  for (const run of postings) {
    readPostings(run, (passage, counts) => {
      const place = places.get(passage);
      if (place !== undefined) found.push(`${place} ${counts}`);
    });
  }
  return found.sort();
}

/** Passage number → `path#ordinal line-endLine headings`. */
async function placesOf(
  index: NoteIndex,
  noteOf: Uint32Array,
  pathOf: ReadonlyMap<number, string>,
  asked: readonly string[],
) {
  const numbers = [...noteOf.keys()].filter((number) => noteOf[number] !== 0);
  const places = new Map<number, string>();
  for (const passage of await index.passages(numbers, asked)) {
    const { number, note, ordinal, line, endLine, headings, key, terms } = passage;
    places.set(
      number,
      `${pathOf.get(note)}#${ordinal} ${line}-${endLine} ${headings} ${key} ${terms.map((field) => field.map(({ term, at }) => `${term}@${at}`))}`,
    );
  }
  return places;
}

function byJson(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
