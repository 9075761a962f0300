/** Which paths of a vault are not looked at: fixed names, `.memoryignore`, Obsidian's excluded files. The walk is walk.ts. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ignore from 'ignore';

export type IgnoreRules = {
  /** By what a path is ignored, undefined when it is not. Vault-relative with `/`; patterns may ask for folders only. */
  ruleFor(path: string, isFolder: boolean): string | undefined;
  /** Rules that could not be read, for doctor. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
};

const MAX_PATTERN_LENGTH = 500;

/** By what a name is never looked at, wherever it stands. */
export function hiddenNameRule(name: string): string | undefined {
  if (name.charCodeAt(0) === 46) return 'its name or folder begins with a dot';
  return name === 'node_modules' ? 'it lies in node_modules' : undefined;
}

export function readIgnoreRules(root: string): IgnoreRules {
  const problems: { path: string; message: string }[] = [];
  const tests: { readonly rule: string; readonly fits: (path: string, isFolder: boolean) => boolean }[] = [];

  const memoryIgnore = readText(join(root, '.memoryignore'));
  if (memoryIgnore !== undefined && memoryIgnore.trim() !== '') {
    const matcher = ignore({ allowRelativePaths: true }).add(memoryIgnore.replace(/^\uFEFF/, ''));
    tests.push({
      rule: 'a pattern in .memoryignore',
      fits: (path, isFolder) => matcher.ignores(isFolder ? `${path}/` : path),
    });
  }

  for (const filter of readObsidianFilters(root, problems)) {
    const fits = obsidianFilter(filter, problems);
    if (fits) tests.push({ rule: `Obsidian's excluded files: ${filter}`, fits });
  }

  if (tests.length === 0) return { ruleFor: () => undefined, problems };
  return {
    ruleFor: (path, isFolder) => tests.find((test) => test.fits(path, isFolder))?.rule,
    problems,
  };
}

function obsidianFilter(filter: string, problems: { path: string; message: string }[]) {
  const isPattern = filter.length > 2 && filter.startsWith('/') && filter.endsWith('/');
  if (!isPattern) {
    const prefix = filter.toLowerCase();
    return (path: string, isFolder: boolean) =>
      (isFolder ? `${path}/` : path).toLowerCase().startsWith(prefix);
  }
  if (filter.length > MAX_PATTERN_LENGTH) {
    problems.push({
      path: '.obsidian/app.json',
      message: `excluded-files pattern is longer than ${MAX_PATTERN_LENGTH} characters`,
    });
    return undefined;
  }
  try {
    const pattern = new RegExp(filter.slice(1, -1), 'i');
    return (path: string) => pattern.test(path);
  } catch (error) {
    problems.push({
      path: '.obsidian/app.json',
      message: `excluded-files pattern ${filter}: ${String(error)}`,
    });
    return undefined;
  }
}

function readObsidianFilters(root: string, problems: { path: string; message: string }[]): readonly string[] {
  const text = readText(join(root, '.obsidian', 'app.json'));
  if (text === undefined) return [];
  try {
    const filters = (JSON.parse(text) as { userIgnoreFilters?: unknown } | null)?.userIgnoreFilters;
    if (!Array.isArray(filters)) return [];
    return filters.filter((filter): filter is string => typeof filter === 'string' && filter !== '');
  } catch {
    problems.push({
      path: '.obsidian/app.json',
      message: 'is not valid JSON; its excluded files are not known',
    });
    return [];
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
