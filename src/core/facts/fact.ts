/** What a fact and a relation are, as read from one list item of a note. Reading: parse-fact.ts, parse-relation.ts. */

export type FactState = 'active' | 'superseded' | 'retired';

/** Fields by their short names; absent where not written. Values as written. */
export type FactFields = {
  readonly src?: string;
  readonly by?: string;
  readonly occurred?: string;
  readonly from?: string;
  readonly until?: string;
  readonly importance?: string;
  readonly weight?: string;
  readonly kind?: string;
  readonly layer?: string;
  readonly evidence?: string;
  readonly recorded?: string;
  /** The successor. */
  readonly now?: string;
  readonly superseded?: string;
  readonly retired?: string;
  readonly why?: string;
  readonly trust?: string;
};

/** One statement: what the line of a list item says, without its address in a note. */
export type Statement = {
  readonly text: string;
  readonly fields: FactFields;
  /** Fields with other keys, in their order. */
  readonly others: readonly (readonly [key: string, value: string])[];
  /** `f-…`, or a block id that someone wrote; undefined without any. */
  readonly id: string | undefined;
  /** The whole text is struck through. */
  readonly struck: boolean;
};

export type Fact = Statement & {
  readonly state: FactState;
  /** Index of the item in `ScannedNote.items`. */
  readonly item: number;
  readonly line: number;
  /** Last line of its detail: nested items, further paragraphs. */
  readonly endLine: number;
  readonly start: number;
  readonly end: number;
};

export type RelationStatement = {
  readonly type: string;
  /** The target's link, as written. */
  readonly link: string;
  readonly context: string;
  readonly fields: FactFields;
  readonly others: readonly (readonly [key: string, value: string])[];
  /** `r-…`, or a block id that someone wrote. */
  readonly id: string | undefined;
  readonly struck: boolean;
};

export type Relation = RelationStatement & {
  readonly state: FactState;
  readonly item: number;
  readonly line: number;
  readonly start: number;
  readonly end: number;
};
