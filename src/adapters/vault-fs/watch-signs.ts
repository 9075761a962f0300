/** Which events of the file system may concern notes, by the rules of the walk. The watchers themselves: watch-folders.ts, watch-tree.ts. */

import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { hiddenNameRule, type IgnoreRules, readIgnoreRules } from './ignore-rules.js';
import { isNoteName } from './walk.js';

const OBSIDIAN = '.obsidian';
/** What these files say decides which notes are looked at. */
const RULE_FILES: ReadonlySet<string> = new Set(['.memoryignore', `${OBSIDIAN}/app.json`]);

export class NoteSigns {
  private rules: IgnoreRules | undefined;
  /** Counts how often the rules may have changed: other folders may have to be watched since. */
  ruleChanges = 0;

  constructor(
    private readonly root: string,
    /** Called for every event that may concern a note. */
    readonly sign: () => void,
  ) {}

  /** Whether notes may lie in the folder, or one of the files with the rules. */
  isWatched(folder: string): boolean {
    return folder === OBSIDIAN || !this.isIgnored(folder, true);
  }

  /** Takes an event in a folder that is watched. Returns what is there where that may be a folder, else undefined. */
  take(path: string): Stats | 'gone' | undefined {
    if (RULE_FILES.has(path)) this.changeRules();
    if (RULE_FILES.has(path) || path.startsWith(`${OBSIDIAN}/`)) return undefined;
    const stats = this.statsOf(path);
    if (path === OBSIDIAN) {
      this.changeRules();
      return stats ?? 'gone';
    }
    if (this.isIgnored(path, stats?.isDirectory() ?? false)) return undefined;
    // Other files are written too, some of them all the time.
    if (stats?.isFile()) {
      if (isNoteName(path)) this.sign();
      return undefined;
    }
    this.sign();
    return stats ?? 'gone';
  }

  private changeRules(): void {
    this.rules = undefined;
    this.ruleChanges += 1;
    this.sign();
  }

  /** The walk asks about each folder on its way; an event may come from far below. */
  private isIgnored(path: string, isFolder: boolean): boolean {
    if (path === '') return false;
    const parts = path.split('/');
    if (parts.some((part) => hiddenNameRule(part) !== undefined)) return true;
    this.rules ??= readIgnoreRules(this.root);
    const { rules } = this;
    return parts.some((_, at) => {
      const isLast = at === parts.length - 1;
      return rules.ruleFor(parts.slice(0, at + 1).join('/'), isFolder || !isLast) !== undefined;
    });
  }

  private statsOf(path: string): Stats | undefined {
    try {
      return lstatSync(join(this.root, path));
    } catch {
      return undefined;
    }
  }
}
