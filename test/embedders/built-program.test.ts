/** Encoders in the built program: what is loaded when, and that nothing needs what is optional. */

import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/bundle.mjs';
import { startModuleLog } from '../surfaces/module-log.js';
import { bin, type Finished, runCommand, runMemory, temporaryFolder } from '../surfaces/run-memory.js';
import { hasTransformers, tinyEncoder } from './tiny-encoder.js';

const vault = join(root, 'examples/vault');

/** A vault of its own, and folders for settings and caches. */
function place(): { readonly environment: Record<string, string>; readonly args: readonly string[] } {
  const folder = temporaryFolder();
  cpSync(vault, join(folder, 'vault'), { recursive: true });
  return {
    environment: { XDG_CONFIG_HOME: join(folder, 'config'), XDG_CACHE_HOME: join(folder, 'cache') },
    args: ['--vault', join(folder, 'vault')],
  };
}

/** Modules that were asked for, by every process of the program. */
async function modulesOf(
  run: (environment: Record<string, string>) => Promise<Finished>,
  environment: Record<string, string>,
): Promise<readonly string[]> {
  const log = startModuleLog('_resolveFilename');
  const { code } = await run({ ...environment, ...log.environment });
  expect(code).toBe(0);
  return log.asked();
}

const OF_ENCODERS = /transformers|onnx|encoder|row-embedder|rerank/;

test('a search without a further model looks for nothing of encoders', async () => {
  const { environment, args } = place();
  for (const again of [false, true]) {
    const modules = await modulesOf(
      (all) => runMemory(['search', 'lazy', 'model', ...args], { environment: all }),
      environment,
    );
    expect(modules.length, String(again)).toBeGreaterThan(0);
    expect(modules.filter((path) => OF_ENCODERS.test(path))).toEqual([]);
  }
});

describe.skipIf(!hasTransformers)('the built program', () => {
  test('finds the package from where it lies, and embeds with a folder', async () => {
    const { environment, args } = place();
    const all = { ...environment, AGENT_MEMORY_MODEL: tinyEncoder() };
    const { code, stdout, stderr } = await runMemory(['model', 'check', '--json', ...args], {
      environment: all,
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ check: expect.objectContaining({ dimensions: 64 }) });
  });

  test('installed without the package, it searches without it and says what is missing', async () => {
    const { environment, args } = place();
    const installed = join(temporaryFolder(), 'node_modules');
    const own = join(installed, 'agent-memory');
    for (const part of ['bin', 'dist', 'models', 'package.json'])
      cpSync(join(root, part), join(own, part), { recursive: true });
    symlinkSync(join(root, 'node_modules/better-sqlite3'), join(installed, 'better-sqlite3'));
    const program = join(own, bin.slice(root.length));
    const all = { ...environment, AGENT_MEMORY_MODEL: tinyEncoder() };
    const run = (...words: string[]) =>
      runCommand(process.execPath, [program, ...words, ...args], { environment: all });

    const checked = await run('model', 'check');
    expect(checked.code).toBe(5);
    expect(checked.stderr).toContain(
      'The package @huggingface/transformers, which runs models, cannot be loaded',
    );
    expect(checked.stderr).toContain('npm install --global @huggingface/transformers');

    const reindexed = await run('reindex');
    expect(reindexed.code).toBe(0);
    const found = await run('search', 'lazy', 'model');
    expect(found.code).toBe(0);
    expect(found.stdout).toMatch(/\d hits? in \d+ notes/);
  });
});
