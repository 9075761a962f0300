/** Letters as the models' words have them: lower case, without marks. Used by static-table.ts. */

const MARKS = /[\u0300-\u036f]+/g;

export function foldLetters(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(MARKS, '');
}
