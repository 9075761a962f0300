/** Holds sources against the table of layers. */

import { isBuiltin } from 'node:module';
import type { Source, SourceImport } from './read-sources.js';

export type LayerRule = {
  /** Folder below src; `*` stands for one folder name, the empty one for files at the top. */
  readonly folder: string;
  /** Folders; `own` is the file's own layer, `*` everything. */
  readonly mayImport: readonly string[];
  /** Folders from which types alone may come. */
  readonly typesFrom?: readonly string[];
  /** Modules from which values may come beside `mayImport`, without extension. */
  readonly valuesFrom?: readonly string[];
  readonly thirdParty: readonly string[];
  readonly builtins: boolean;
  /** No clock, no randomness, no process. */
  readonly pure?: boolean;
};

/** All violations in words, in the order of the files. */
export function findViolations(sources: readonly Source[], layers: readonly LayerRule[]): string[] {
  const violations: string[] = [];
  for (const source of sources) {
    const { path } = source;
    const rule = layers.find((layer) => ownLayer(layer, path) !== undefined);
    if (rule === undefined) {
      violations.push(`${path} is in no layer`);
      continue;
    }
    for (const imported of source.imports) {
      if (!isAllowed(rule, path, imported)) {
        violations.push(`${path} imports ${imported.target ?? 'something computed'}`);
      }
    }
    if (source.hasDefaultExport) violations.push(`${path} has a default export`);
    if (rule.pure) violations.push(...source.impurities.map((use) => `${path} uses ${use}`));
  }
  return [...violations, ...findCycles(sources)];
}

/** The folder of the layer that holds the file, with its own name for `*`. */
function ownLayer({ folder }: LayerRule, path: string): string | undefined {
  if (folder === '') return path.includes('/') ? undefined : '';
  const pattern = new RegExp(`^${folder.replace('*', '[^/]+')}(?=/)`);
  return pattern.exec(path)?.[0];
}

function isAllowed(rule: LayerRule, path: string, { target, isOwn, isTypeOnly }: SourceImport): boolean {
  if (target === undefined) return false;
  if (!isOwn) return isBuiltin(target) ? rule.builtins : rule.thirdParty.includes(target);
  const lies = (folder: string): boolean => target.startsWith(`${folder}/`);
  if (rule.mayImport.includes('*')) return true;
  if (rule.mayImport.some((folder) => lies(folder === 'own' ? ownLayer(rule, path)! : folder))) return true;
  if (rule.valuesFrom?.some((module) => target === `${module}.ts`)) return true;
  return isTypeOnly && (rule.typesFrom?.some(lies) ?? false);
}

/** Cycles of imports that remain when the program runs, each once. */
function findCycles(sources: readonly Source[]): string[] {
  const targets = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.filter(({ isOwn, isTypeOnly }) => isOwn && !isTypeOnly).map(({ target }) => target!),
    ]),
  );
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      cycles.push(`cycle: ${[...trail.slice(start), path].join(' > ')}`);
      return;
    }
    if (done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return cycles;
}
