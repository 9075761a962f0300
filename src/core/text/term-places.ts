/**
 * The terms of many texts as places in one list of all of them. Each piece of text keeps the places of its terms, so that
 * most of what a vault holds is neither copied nor looked up as a string.
 */

import { type KnownPiece, keepable } from './known-pieces.js';
import { scanText } from './scan.js';
import { dateAt } from './terms.js';

const ROOM = 65_536;

export class TermPlaces {
  /** Only grows. */
  readonly names: string[] = [];
  private readonly placeOfTerm = new Map<string, number>();
  /** What was read last stands at its end; earlier readings are views of it, or of those before. */
  private room = new Uint32Array(ROOM);
  private used = 0;

  /** As `termsOf` finds them. */
  read(text: string): { readonly names: readonly string[]; readonly places: Uint32Array } {
    const scan = scanText(text);
    let start = this.used;
    for (let i = 0; i < scan.count; i++) {
      const piece = scan.pieces[i]!;
      if (piece.list !== this) this.adopt(piece);
      if (piece.isPlain && this.used < this.room.length) {
        this.room[this.used++] = piece.place;
        continue;
      }
      const date = piece.month > 0 || piece.number >= 1000 ? dateAt(scan, i) : undefined;
      if (this.used + piece.terms.length + 1 > this.room.length)
        start = this.moveOn(start, piece.terms.length);
      if (piece.places === undefined) {
        if (piece.terms.length > 0) this.room[this.used++] = piece.place;
      } else {
        for (let j = 0; j < piece.places.length; j++) this.room[this.used++] = piece.places[j]!;
      }
      if (date !== undefined) this.room[this.used++] = this.placeOf(date);
    }
    return { names: this.names, places: this.room.subarray(start, this.used) };
  }

  private adopt(piece: KnownPiece): void {
    const places = piece.terms.map((term) => this.placeOf(term));
    piece.list = this;
    piece.place = places[0] ?? 0;
    piece.places = places.length > 1 ? places : undefined;
  }

  private placeOf(term: string): number {
    const known = this.placeOfTerm.get(term);
    if (known !== undefined) return known;
    const place = this.names.length;
    const kept = keepable(term);
    this.placeOfTerm.set(kept, place);
    this.names.push(kept);
    return place;
  }

  /** To new room, with what was begun at `start`. Returns where that stands now. */
  private moveOn(start: number, more: number): number {
    const begun = this.room.subarray(start, this.used);
    this.room = new Uint32Array(Math.max(ROOM, 2 * begun.length + more + 1));
    this.room.set(begun);
    this.used = begun.length;
    return 0;
  }
}
