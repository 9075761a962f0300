/**
 * What the scanner (scan.ts) says of one note. Offsets are UTF-16 units into `text`, `end` exclusive; lines are
 * counted from 1, `endLine` inclusive. Arrays stand in the order of the text.
 */

export type ScannedNote = {
  readonly text: string;
  /** The text starts with U+FEFF; offsets count it. */
  readonly hasBom: boolean;
  /** Offset of each line's first character; `lineStarts[line - 1]`. */
  readonly lineStarts: Uint32Array;
  /** Where the body begins: after the property block and its line ending, or after the BOM. */
  readonly bodyStart: number;
  readonly properties: PropertyBlock | undefined;
  readonly headings: readonly Heading[];
  /** The top-level blocks of the body without gaps of meaning: what no block covers is blank. */
  readonly blocks: readonly Block[];
  /** Code, math, HTML, comments, quotes and tables, nested ones too, by rising start. */
  readonly regions: readonly Region[];
  readonly items: readonly Item[];
  readonly tasks: readonly Task[];
  readonly links: readonly Link[];
  /** Inline tags only; those of the properties: note/aliases-and-tags.ts. */
  readonly tags: readonly Tag[];
  readonly fields: readonly Field[];
  readonly blockIds: readonly BlockId[];
  readonly callouts: readonly Callout[];
  /** Complete sets of git conflict markers. */
  readonly conflicts: readonly Conflict[];
};

export type PropertyBlock = {
  /** From the first character of the opening fence to the end of the closing one, line ending excluded. */
  readonly start: number;
  readonly end: number;
  readonly kind: 'yaml' | 'json';
  readonly entries: readonly PropertyEntry[];
  readonly problems: readonly PropertyProblem[];
};

export type PropertyEntry = {
  /** As written, without quotes. A nested map gives one entry per leaf, its keys joined by `.`. */
  readonly key: string;
  /** Scalars as the text written; an empty value gives no value. */
  readonly values: readonly string[];
  readonly isList: boolean;
  /** The value as it stands in the text: all of a list, quotes included. Empty span where there is none. */
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly line: number;
  /** The links in the values, also among `ScannedNote.links`. */
  readonly links: readonly Link[];
};

export type PropertyProblem = { readonly line: number; readonly message: string };

export type Heading = {
  readonly level: number;
  /** Plain text: emphasis, code signs and link syntax reduced, block id left out. */
  readonly text: string;
  readonly setext: boolean;
  /** The whole construct, from `#` or the text to the end of its last line. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly endLine: number;
  /** The raw text between the signs. */
  readonly contentStart: number;
  readonly contentEnd: number;
  /** Index of the heading above it in the path, -1 at the top. Nested headings are nobody's parent. */
  readonly parent: number;
  /** Stands inside a list item, quote or footnote: no part of the note's outline. */
  readonly nested: boolean;
};

export type BlockKind =
  | 'heading'
  | 'paragraph'
  | 'list'
  | 'quote'
  | 'table'
  | 'code'
  | 'math'
  | 'html'
  | 'comment'
  | 'footnote'
  | 'definition'
  | 'break';

export type Block = {
  readonly kind: BlockKind;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly endLine: number;
};

export type RegionKind =
  | 'fence'
  | 'indented-code'
  | 'math'
  | 'html'
  /** `%%…%%`: links and fields count, the text is not searched. */
  | 'comment'
  /** `<!-- -->`: nothing counts, the text is not searched. */
  | 'html-comment'
  | 'quote'
  | 'table';

export type Region = {
  readonly kind: RegionKind;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly endLine: number;
  /** First word after a fence's opening signs, empty otherwise. */
  readonly language: string;
  /** A fence that its container's end closed, not a line of its own, is open. */
  readonly closed: boolean;
};

export type Item = {
  /** From the marker to the end of the last line that belongs to the item, nested items included. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly endLine: number;
  /** `-`, `*`, `+`, `7.` or `7)`. */
  readonly marker: string;
  /** Columns before the marker, counted from the start of the line, and before the text. */
  readonly indent: number;
  readonly contentIndent: number;
  /** 0 for a top-level item. */
  readonly depth: number;
  /** Index of the item around it, -1 at the top. */
  readonly parent: number;
  /** How many quotes or callouts stand around it. */
  readonly quotes: number;
  /** Index of the heading it stands under, -1 before the first. */
  readonly heading: number;
  /** The first paragraph, after the task mark, block id included; empty span where there is none. */
  readonly textStart: number;
  readonly textEnd: number;
  readonly textLine: number;
  readonly textEndLine: number;
  /** The one character between the brackets of a task, undefined for other items. */
  readonly task: string | undefined;
  readonly blockId: string | undefined;
};

export type Task = {
  readonly item: number;
  readonly mark: string;
  /** Offset of the mark itself. */
  readonly start: number;
  readonly line: number;
};

export type Link = {
  readonly kind: 'link' | 'embed';
  readonly form: 'wiki' | 'markdown' | 'reference' | 'property';
  /** Decoded, without heading and block part; empty for a link within the note. */
  readonly target: string;
  /** `H1#H2` for a path of headings, as written, decoded. */
  readonly heading: string;
  readonly block: string;
  /** Text after the pipe or between the brackets, raw; empty where none is given. */
  readonly shown: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
};

export type Tag = {
  /** As written, without `#`. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
};

export type Field = {
  /** Lower-cased, spaces as `-`, emphasis signs dropped. */
  readonly key: string;
  readonly value: string;
  readonly form: 'bracket' | 'paren' | 'line';
  readonly start: number;
  readonly end: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly line: number;
  /** Index of the list item it stands in, -1 outside lists. */
  readonly item: number;
  /** A line of its own under an item's first line: an outliner's property of that item. */
  readonly outliner: boolean;
};

export type BlockId = {
  readonly id: string;
  /** From `^` to the end of the id. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly of: 'paragraph' | 'item' | 'heading' | 'block';
  /** The lines of what it names. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Index of the item it names, -1 for others. */
  readonly item: number;
};

export type Callout = {
  /** Lower-cased word between `[!` and `]`. */
  readonly type: string;
  readonly title: string;
  readonly fold: '' | '+' | '-';
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly endLine: number;
};

export type Conflict = {
  readonly startLine: number;
  readonly middleLine: number;
  readonly endLine: number;
};
