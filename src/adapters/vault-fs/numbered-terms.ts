/**
 * Notes on their way between two threads (note-thread.ts, read-aside.ts): terms as numbers, since copying each of some
 * millions of strings would cost more than the second thread saves.
 */

import type { IndexedNote, IndexedPassage, NoteHead, TermList } from '../../core/note/indexed-note.js';

const HEAD_FIELDS = ['titleTerms', 'aliasTerms', 'tagTerms', 'nameTerms', 'propertyTerms'] as const;

type Counted<T, Fields extends keyof T> = Omit<T, Fields> & { readonly [field in Fields]: number };

/** A note with the counts of its terms in their places. */
export type CountedNote = Omit<IndexedNote, 'head' | 'passages'> & {
  readonly head: Counted<NoteHead, (typeof HEAD_FIELDS)[number]>;
  readonly passages: readonly Counted<IndexedPassage, 'headingTerms' | 'bodyTerms'>[];
};

/** Packs notes whose terms stand as places in one list (text/term-places.ts). */
export class TermPacking {
  /** Of the notes since the last `takeTerms`, in the order of the notes. */
  private ids = new Uint32Array(65_536);
  private count = 0;
  /** How many names have been taken. */
  private told = 0;

  constructor(private readonly names: readonly string[]) {}

  pack(note: IndexedNote): CountedNote {
    const head = { ...note.head } as Record<string, unknown>;
    for (const field of HEAD_FIELDS) head[field] = this.take(note.head[field]);
    const passages = note.passages.map((passage) => ({
      ...passage,
      headingTerms: this.take(passage.headingTerms),
      bodyTerms: this.take(passage.bodyTerms),
    }));
    return { ...note, head: head as CountedNote['head'], passages };
  }

  /** The terms of the notes that were packed since the last call, and the names that are new. */
  takeTerms(): { readonly ids: Uint32Array<ArrayBuffer>; readonly added: readonly string[] } {
    const taken = { ids: this.ids.slice(0, this.count), added: this.names.slice(this.told) };
    this.count = 0;
    this.told = this.names.length;
    return taken;
  }

  private take(terms: TermList): number {
    if (!('names' in terms)) throw new TypeError('terms that are no places');
    const { places } = terms;
    if (this.count + places.length > this.ids.length) this.grow(places.length);
    this.ids.set(places, this.count);
    this.count += places.length;
    return places.length;
  }

  private grow(least: number): void {
    const larger = new Uint32Array(Math.max(this.ids.length * 2, this.count + least));
    larger.set(this.ids);
    this.ids = larger;
  }
}

/** The way back: terms by place in one list, which an index turns into its own numbers without looking at them. */
export class TermNames {
  private readonly names: string[] = [];

  name(notes: readonly CountedNote[], ids: Uint32Array, added: readonly string[]): IndexedNote[] {
    const { names } = this;
    for (const name of added) names.push(name);
    let at = 0;
    const next = (count: number): TermList => {
      const places = ids.subarray(at, at + count);
      at += count;
      return { names, places };
    };
    return notes.map((note): IndexedNote => {
      const head = { ...note.head } as Record<string, unknown>;
      for (const field of HEAD_FIELDS) head[field] = next(note.head[field]);
      return {
        ...note,
        head: head as NoteHead,
        passages: note.passages.map((passage) => ({
          ...passage,
          headingTerms: next(passage.headingTerms),
          bodyTerms: next(passage.bodyTerms),
        })),
      };
    });
  }
}
