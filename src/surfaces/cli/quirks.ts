/** What only the command line does with some operations, by their names. */

/** Words after the last positional belong to it: `memory search why is the model lazy`. */
export const joinsWords: ReadonlySet<string> = new Set(['search']);

/** Operations whose text shows which words of which input were found. */
export const highlightedInput: Readonly<Record<string, string>> = { search: 'query' };

/** Inputs for which the value `-` stands for the text of stdin. */
export const stdinTexts: Readonly<Record<string, readonly string[]>> = {
  add: ['content'],
  edit: ['append', 'prepend', 'replace', 'with', 'content', 'before', 'after'],
};

/** Commands that may ask for a yes, such as before a download; a search that nobody told to use a model never stops to ask. */
export const mayAsk: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => boolean>> = {
  model: () => true,
  reindex: () => true,
  search: ({ semantic, profile }) => semantic === true || profile === 'meaning' || profile === 'precise',
};

/** What stands for a value in help, by the name of the input, or of operation and input where they differ. */
export const valueWords: Readonly<Record<string, string>> = {
  addTag: 'tag',
  after: 'date',
  append: 'text',
  before: 'date',
  below: 'tag',
  block: 'id',
  'claim.by': 'name',
  'connect.client': 'client',
  content: 'text',
  dir: 'folder',
  'edit.after': 'text',
  'edit.before': 'text',
  exclude: 'note',
  ifHash: 'hash',
  lines: 'from-to',
  prepend: 'text',
  removeTag: 'tag',
  replace: 'text',
  section: 'heading',
  set: 'key=value',
  template: 'note',
  to: 'path',
  unset: 'key',
  where: 'key=value',
  with: 'text',
};

/** What a shell can offer for a value, by the name of the input. */
export const completedAs: Readonly<Record<string, 'note' | 'vault-folder' | 'folder'>> = {
  note: 'note',
  exclude: 'note',
  template: 'note',
  folder: 'vault-folder',
  dir: 'folder',
};
