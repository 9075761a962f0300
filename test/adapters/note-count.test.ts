/** The number of notes that is kept, and an index of before, which has none. */

import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { prepareOnce } from '../../src/adapters/index-sqlite/native.js';
import { changeNoteCount, noteCount, storeNoteCount } from '../../src/adapters/index-sqlite/note-count.js';
import { TABLES } from '../../src/adapters/index-sqlite/schema.js';

function emptyIndex() {
  const database = new Sqlite(':memory:');
  onTestFinished(() => void database.close());
  database.exec(TABLES);
  return { database, count: () => noteCount(prepareOnce(database)) };
}

test('what was stored is changed by what comes and goes', () => {
  const { database, count } = emptyIndex();
  storeNoteCount(database, 12);
  changeNoteCount(database, 3);
  changeNoteCount(database, 0);
  changeNoteCount(database, -1);
  expect(count()).toBe(14);
});

test('without a number the rows are counted, and a change makes none up', () => {
  const { database, count } = emptyIndex();
  changeNoteCount(database, 5);
  expect(count()).toBe(0);
  const insert = database.prepare(
    "INSERT INTO notes VALUES (?, ?, 0, 0, 0, 0, 0, x'', 0, 0, '', '[]', '', 0, 0, 'file', '', 0, 0, 'file')",
  );
  insert.run(1, 'a.md');
  insert.run(2, 'b.md');
  expect(count()).toBe(2);
});
