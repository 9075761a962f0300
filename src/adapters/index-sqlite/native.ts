/** Loads better-sqlite3 when first needed, and turns a broken native binding into an error a person can mend. */

import type BetterSqlite3 from 'better-sqlite3';
import { MemoryError } from '../../core/errors.js';

export type Database = BetterSqlite3.Database;
export type Statement = BetterSqlite3.Statement<unknown[], unknown>;
export type DatabaseConstructor = typeof BetterSqlite3;

/** How long a statement waits for a lock, which only recovery after a crash takes. */
export const BUSY_MS = 1_000;

/** Prepares each statement when it is first asked for. */
export function prepareOnce(database: Database): (sql: string) => Statement {
  const statements = new Map<string, Statement>();
  return (sql) => {
    let statement = statements.get(sql);
    if (!statement) statements.set(sql, (statement = database.prepare(sql) as Statement));
    return statement;
  };
}

let loaded: DatabaseConstructor | undefined;

export async function loadSqlite(): Promise<DatabaseConstructor> {
  if (loaded) return loaded;
  try {
    const Sqlite = (await import('better-sqlite3')).default as DatabaseConstructor;
    // The binding is loaded by the first database that is opened.
    new Sqlite(':memory:').close();
    loaded = Sqlite;
    return Sqlite;
  } catch (error) {
    throw new MemoryError('unavailable', `Cannot load the SQLite library: ${briefly(error)}`, {
      hint: 'Run `npm rebuild better-sqlite3` in the folder where agent-memory is installed.',
      cause: error,
    });
  }
}

/** The loader's message up to its stack of required files, on one line. */
function briefly(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [said = message] = message.split('\nRequire stack:', 1);
  return said.replace(/\s+/g, ' ').trim();
}
