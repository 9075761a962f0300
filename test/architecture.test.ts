/** Who may import whom: the table of docs/architecture.md as a constant, held against all imports in src. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../scripts/bundle.mjs';
import { findViolations, type LayerRule } from './architecture/find-violations.js';
import { readSources } from './architecture/read-sources.js';
import { temporaryFolder } from './surfaces/run-memory.js';

/** The first row whose folder holds the file counts. `own` is the file's own folder below the row's. */
const LAYERS: readonly LayerRule[] = [
  { folder: 'core', mayImport: ['core'], thirdParty: ['yaml'], builtins: false, pure: true },
  {
    folder: 'adapters/*',
    mayImport: ['core', 'own'],
    thirdParty: ['@huggingface/transformers', 'better-sqlite3', 'ignore', 'jsonc-parser', 'proper-lockfile'],
    builtins: true,
  },
  { folder: 'operations', mayImport: ['core', 'operations'], thirdParty: ['zod/mini'], builtins: false },
  {
    folder: 'surfaces/mcp',
    mayImport: ['operations', 'own'],
    typesFrom: ['core'],
    valuesFrom: ['core/errors'],
    thirdParty: ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio'],
    builtins: true,
  },
  {
    folder: 'surfaces/*',
    mayImport: ['operations', 'own'],
    typesFrom: ['core'],
    valuesFrom: ['core/errors'],
    thirdParty: [],
    builtins: true,
  },
  { folder: 'app', mayImport: ['adapters', 'core', 'app'], thirdParty: [], builtins: true },
  { folder: 'programs', mayImport: ['*'], thirdParty: [], builtins: true },
  { folder: '', mayImport: ['*'], thirdParty: [], builtins: true },
];

test('src keeps to the table, has no cycles and no default exports, and core is pure', () => {
  const sources = readSources(join(root, 'src'));
  expect(sources.length).toBeGreaterThan(30);
  expect(findViolations(sources, LAYERS)).toEqual([]);
});

describe('findViolations() catches', () => {
  test.each<[string, Record<string, string>, string]>([
    [
      'a value import upwards',
      { 'core/a.ts': `import { b } from '../app/b.js';`, 'app/b.ts': 'export const b = 1;' },
      'core/a.ts imports app/b.ts',
    ],
    [
      'a type import upwards',
      { 'core/a.ts': `import type { B } from '../app/b.js';`, 'app/b.ts': 'export type B = 1;' },
      'core/a.ts imports app/b.ts',
    ],
    [
      'a dynamic import upwards',
      { 'core/a.ts': `export const a = () => import('../app/b.js');`, 'app/b.ts': 'export const b = 1;' },
      'core/a.ts imports app/b.ts',
    ],
    [
      'an import for its side effects',
      { 'core/a.ts': `import '../app/b.js';`, 'app/b.ts': 'export const b = 1;' },
      'core/a.ts imports app/b.ts',
    ],
    [
      'a re-export',
      { 'core/a.ts': `export { b } from '../app/b.js';`, 'app/b.ts': 'export const b = 1;' },
      'core/a.ts imports app/b.ts',
    ],
    [
      'a type taken by import()',
      { 'core/a.ts': `export type A = import('../app/b.js').B;`, 'app/b.ts': 'export type B = 1;' },
      'core/a.ts imports app/b.ts',
    ],
    [
      'a sibling adapter',
      {
        'adapters/one/a.ts': `import { b } from '../two/b.js';`,
        'adapters/two/b.ts': 'export const b = 1;',
      },
      'adapters/one/a.ts imports adapters/two/b.ts',
    ],
    [
      'a sibling surface',
      { 'surfaces/cli/a.ts': `import { b } from '../rpc/b.js';`, 'surfaces/rpc/b.ts': 'export const b = 1;' },
      'surfaces/cli/a.ts imports surfaces/rpc/b.ts',
    ],
    [
      'a value of core in a surface',
      { 'surfaces/cli/a.ts': `import { b } from '../../core/b.js';`, 'core/b.ts': 'export const b = 1;' },
      'surfaces/cli/a.ts imports core/b.ts',
    ],
    [
      'the SDK of one surface in another',
      {
        'surfaces/cli/a.ts': `import { Server } from '@modelcontextprotocol/server';\nexport const a = Server;`,
      },
      'surfaces/cli/a.ts imports @modelcontextprotocol/server',
    ],
    ['node: in core', { 'core/a.ts': `import { join } from 'node:path';` }, 'core/a.ts imports node:path'],
    ['a bare builtin in core', { 'core/a.ts': `import { join } from 'path';` }, 'core/a.ts imports path'],
    [
      'a dynamic node: in operations',
      { 'operations/a.ts': `export const a = () => import('node:fs');` },
      'operations/a.ts imports node:fs',
    ],
    [
      'a foreign package',
      { 'adapters/one/a.ts': `import x from 'left-pad';\nexport const a = x;` },
      'adapters/one/a.ts imports left-pad',
    ],
    [
      'another part of zod',
      { 'operations/a.ts': `import * as z from 'zod';` },
      'operations/a.ts imports zod',
    ],
    [
      'an import whose name is computed',
      { 'app/a.ts': `export const a = (name: string) => import(name);` },
      'app/a.ts imports something computed',
    ],
    ['require()', { 'app/a.ts': `export const a = () => require('left-pad');` }, 'app/a.ts imports left-pad'],
    [
      'a cycle',
      {
        'app/a.ts': `import { b } from './b.js';\nexport const a = b;`,
        'app/b.ts': `import { c } from './c.js';\nexport const b = c;`,
        'app/c.ts': `import { a } from './a.js';\nexport const c = a;`,
      },
      'cycle: app/a.ts > app/b.ts > app/c.ts > app/a.ts',
    ],
    ['a default export', { 'app/a.ts': 'export default 1;' }, 'app/a.ts has a default export'],
    [
      'a default export by name',
      { 'app/a.ts': 'const a = 1;\nexport { a as default };' },
      'app/a.ts has a default export',
    ],
    ['a clock in core', { 'core/a.ts': 'export const a = () => Date.now();' }, 'core/a.ts uses Date.now'],
    ['the time in core', { 'core/a.ts': 'export const a = () => new Date();' }, 'core/a.ts uses new Date()'],
    [
      'chance in core',
      { 'core/a.ts': 'export const a = () => Math.random();' },
      'core/a.ts uses Math.random',
    ],
    ['the process in core', { 'core/a.ts': 'export const a = process.env;' }, 'core/a.ts uses process'],
  ])('%s', (_, files, violation) => {
    const folder = temporaryFolder();
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    expect(findViolations(readSources(folder), LAYERS)).toEqual([violation]);
  });

  test('and nothing in what is allowed', () => {
    const folder = temporaryFolder();
    const files = {
      'core/errors.ts': 'export class MemoryError extends Error {}',
      'core/note.ts': `import type { A } from './a.js';\nexport type Note = A;\nexport const day = (ms: number) => new Date(ms);`,
      'core/a.ts': `import type { Note } from './note.js';\nexport type A = Note | 1;\nexport const o = { process: 1 }.process;`,
      'surfaces/cli/a.ts': `import { MemoryError } from '../../core/errors.js';\nimport type { A } from '../../core/a.js';\nexport const a = (x: A) => [x, MemoryError];`,
      'main.ts': `import { join } from 'node:path';\nexport const run = async () => [join, await import('./surfaces/cli/a.js')];`,
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    expect(findViolations(readSources(folder), LAYERS)).toEqual([]);
  });
});
