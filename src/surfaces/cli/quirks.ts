/** What only the command line does with some operations, by their names. */

/** Words after the last positional belong to it: `memory search why is the model lazy`. */
export const joinsWords: ReadonlySet<string> = new Set(['search']);

/** Operations whose text shows which words of which input were found. */
export const highlightedInput: Readonly<Record<string, string>> = { search: 'query' };

/** What stands for a value in help, by the name of the input. */
export const valueWords: Readonly<Record<string, string>> = {
  after: 'date',
  before: 'date',
  below: 'tag',
  block: 'id',
  dir: 'folder',
  exclude: 'note',
  lines: 'from-to',
  section: 'heading',
  where: 'key=value',
};

/** What a shell can offer for a value, by the name of the input. */
export const completedAs: Readonly<Record<string, 'note' | 'vault-folder' | 'folder'>> = {
  note: 'note',
  exclude: 'note',
  folder: 'vault-folder',
  dir: 'folder',
};
