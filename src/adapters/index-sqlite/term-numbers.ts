/** From terms to the numbers that an index knows them by. */

import type { TermList } from '../../core/note/indexed-note.js';
import { termsOf } from '../../core/text/terms.js';

export class TermNumbers {
  /** By list of names: the number of each, 0 where it was not asked for yet. */
  private readonly ofNames = new WeakMap<readonly string[], Uint32Array>();

  /** `numberOf` gives new terms the next number, from 1. */
  constructor(private readonly numberOf: (term: string) => number) {}

  of(terms: TermList): Uint32Array {
    if ('names' in terms) return this.translate(terms.names, terms.places);
    const list = 'text' in terms ? termsOf(terms.text) : terms;
    const numbers = new Uint32Array(list.length);
    for (let at = 0; at < list.length; at += 1) numbers[at] = this.numberOf(list[at]!);
    return numbers;
  }

  private translate(names: readonly string[], places: Uint32Array): Uint32Array {
    const known = this.knownOf(names);
    const numbers = new Uint32Array(places.length);
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at]!;
      if (known[place] === 0) known[place] = this.numberOf(names[place]!);
      numbers[at] = known[place]!;
    }
    return numbers;
  }

  private knownOf(names: readonly string[]): Uint32Array {
    const known = this.ofNames.get(names);
    if (known && known.length >= names.length) return known;
    const larger = new Uint32Array(2 * names.length);
    if (known) larger.set(known);
    this.ofNames.set(names, larger);
    return larger;
  }
}
