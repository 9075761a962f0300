/** How many notes there are, kept as a number: counting the rows reads a hundred pages, which a search would notice. */

import type { Database, Statement } from './native.js';

const KEY = 'note count';

export function noteCount(prepare: (sql: string) => Statement): number {
  const kept = prepare('SELECT value FROM meta WHERE key = ?').pluck().get(KEY) as number | undefined;
  // An index of an earlier version has no such number until it is built anew.
  return kept ?? (prepare('SELECT count(*) FROM notes').pluck().get() as number);
}

/** In the transaction that changes the notes. */
export function storeNoteCount(database: Database, count: number): void {
  database.prepare('INSERT INTO meta VALUES (?, ?)').run(KEY, count);
}

/** In the transaction that changes the notes. */
export function changeNoteCount(database: Database, by: number): void {
  if (by !== 0) database.prepare('UPDATE meta SET value = value + ? WHERE key = ?').run(by, KEY);
}
