/**
 * Notes on their way between two threads (note-thread.ts, read-aside.ts): terms as numbers, since copying each of some
 * millions of strings would cost more than the second thread saves.
 */

import type { IndexedNote, IndexedPassage, NoteHead, TermList } from '../../core/note/indexed-note.js';
import { keepable } from '../../core/text/known-pieces.js';

const HEAD_FIELDS = ['titleTerms', 'aliasTerms', 'tagTerms', 'nameTerms', 'propertyTerms'] as const;

type Counted<T, Fields extends keyof T> = Omit<T, Fields> & { readonly [field in Fields]: number };

/** A note with the counts of its terms in their places. */
export type CountedNote = Omit<IndexedNote, 'head' | 'passages'> & {
  readonly head: Counted<NoteHead, (typeof HEAD_FIELDS)[number]>;
  readonly passages: readonly Counted<IndexedPassage, 'headingTerms' | 'bodyTerms'>[];
};

/** Gives terms numbers, the same as long as it lives. */
export class TermNumbering {
  private readonly numbers = new Map<string, number>();
  /** Since the last `takeTerms`, in the order of the notes. */
  private ids = new Uint32Array(65_536);
  private count = 0;
  private added: string[] = [];

  number(note: IndexedNote): CountedNote {
    const head = { ...note.head } as Record<string, unknown>;
    for (const field of HEAD_FIELDS) head[field] = this.take(note.head[field]);
    const passages = note.passages.map((passage) => ({
      ...passage,
      headingTerms: this.take(passage.headingTerms),
      bodyTerms: this.take(passage.bodyTerms),
    }));
    return { ...note, head: head as CountedNote['head'], passages };
  }

  /** The terms of the notes that were numbered since the last call, and those terms that are new. */
  takeTerms(): { readonly ids: Uint32Array<ArrayBuffer>; readonly added: readonly string[] } {
    const taken = { ids: this.ids.slice(0, this.count), added: this.added };
    this.count = 0;
    this.added = [];
    return taken;
  }

  private take(terms: TermList): number {
    if ('names' in terms) throw new TypeError('terms that are numbers already');
    if (this.count + terms.length > this.ids.length) this.grow(terms.length);
    for (const term of terms) {
      let id = this.numbers.get(term);
      if (id === undefined) {
        id = this.numbers.size;
        this.numbers.set(keepable(term), id);
        this.added.push(term);
      }
      this.ids[this.count++] = id;
    }
    return terms.length;
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
