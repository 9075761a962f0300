/** One pass over the folder of a vault: the stamp of every note, and what was ignored or skipped and why. Rules: ignore-rules.ts. */

import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { ListOptions, SkippedFile, VaultListing } from '../../core/ports.js';
import { FileStamps } from './file-stamps.js';
import { codeOf, readRoot, reasonOf } from './files.js';
import { hiddenNameRule, type IgnoreRules, readIgnoreRules } from './ignore-rules.js';
import { statsReader } from './read-stats.js';

/** Work between two yields to the event loop. */
const SLICE_MS = 80;

export async function walkVault(root: string, options: ListOptions = {}): Promise<VaultListing> {
  const walk = new Walk(root, options);
  await walk.run();
  const { files } = walk;
  return {
    count: files.count,
    stampAt: (index) => files.stampAt(index),
    young: files.young,
    marks: files.fingerprint.marks,
    fingerprint: files.fingerprint.toString(),
    ignored: walk.ignored,
    skipped: walk.skipped,
    unreadable: walk.unreadable,
    bare: walk.isBare,
    ignoredFiles: walk.ignoredFiles,
    ruleProblems: walk.rules.problems,
  };
}

class Walk {
  readonly files: FileStamps;
  readonly skipped: SkippedFile[] = [];
  readonly unreadable: string[] = [];
  ignored = 0;
  isBare = false;
  readonly ignoredFiles: SkippedFile[] = [];
  readonly rules: IgnoreRules;
  private readonly pending: { readonly folder: string; readonly ignoredBy: string | undefined }[] = [];
  private realRoot: string | undefined;

  constructor(
    private readonly root: string,
    private readonly options: ListOptions,
  ) {
    this.rules = readIgnoreRules(root);
    this.files = new FileStamps(statsReader(root), options.youngFromMs);
  }

  async run(): Promise<void> {
    const entries = readRoot(this.root);
    this.isBare = entries.length === 0;
    let sliceStart = Date.now();
    this.visit('', entries, undefined);
    for (let next = this.pending.pop(); next; next = this.pending.pop()) {
      const below = this.open(next.folder, next.ignoredBy !== undefined);
      if (below) this.visit(`${next.folder}/`, below, next.ignoredBy);
      if (Date.now() - sliceStart > SLICE_MS) {
        await new Promise((resolve) => setImmediate(resolve));
        this.options.signal?.throwIfAborted();
        sliceStart = Date.now();
      }
    }
  }

  private open(folder: string, isIgnored: boolean): Dirent[] | undefined {
    try {
      return readdirSync(join(this.root, folder), { withFileTypes: true });
    } catch (error) {
      if (!isIgnored) {
        this.skipped.push({ path: `${folder}/`, reason: `folder cannot be read: ${reasonOf(error)}` });
        this.unreadable.push(`${folder}/`);
      }
      return undefined;
    }
  }

  /** `prefix` is empty or ends in a slash. */
  private visit(prefix: string, entries: readonly Dirent[], ignoredBy: string | undefined): void {
    const folder = this.root + sep + prefix;
    this.files.enter(prefix);
    for (const entry of entries) {
      const name = entry.name;
      const path = prefix + name;
      if (entry.isDirectory()) {
        const rule = ignoredBy ?? hiddenNameRule(name) ?? this.rules.ruleFor(path, true);
        if (rule !== undefined && (!this.options.countIgnored || path === '.vectors')) continue;
        this.pending.push({ folder: path, ignoredBy: rule });
        continue;
      }
      const isNote = isNoteName(name);
      if (!isNote && !entry.isSymbolicLink()) continue;
      const rule = ignoredBy ?? hiddenNameRule(name) ?? this.rules.ruleFor(path, false);
      if (rule !== undefined) {
        if (isNote) this.ignore(path, rule);
      } else if (entry.isFile()) this.stampFile(folder, name, path);
      else if (!entry.isSymbolicLink()) {
        this.skipped.push({ path, reason: `not a regular file but a ${kindOf(entry)}` });
      } else if (isNote || this.leadsToFolder(path)) this.skipLink(path);
    }
  }

  private ignore(path: string, rule: string): void {
    this.ignored += 1;
    if (this.options.nameIgnored) this.ignoredFiles.push({ path, reason: rule });
  }

  private stampFile(folder: string, name: string, path: string): void {
    try {
      this.files.add(name, folder + name);
    } catch (error) {
      const isUndecodable = path.includes('\uFFFD') && codeOf(error) === 'ENOENT';
      this.skipped.push({
        path,
        reason: isUndecodable ? 'its name is not valid UTF-8' : `cannot be read: ${reasonOf(error)}`,
      });
    }
  }

  private leadsToFolder(path: string): boolean {
    try {
      return statSync(join(this.root, path)).isDirectory();
    } catch {
      return false;
    }
  }

  /** Links inside the vault would show one note twice, links to the outside would let it grow without bound. */
  private skipLink(path: string): void {
    try {
      this.realRoot ??= realpathSync(this.root);
      const target = realpathSync(join(this.root, path));
      if (target === this.realRoot || target.startsWith(this.realRoot + sep)) {
        const inside = target
          .slice(this.realRoot.length + 1)
          .split(sep)
          .join('/');
        this.skipped.push({ path, reason: `link to "${inside || '.'}", which is read in its own place` });
      } else {
        this.skipped.push({ path, reason: 'link that leads outside the vault' });
      }
    } catch (error) {
      const isCircle = codeOf(error) === 'ELOOP';
      this.skipped.push({
        path,
        reason: isCircle ? 'link that leads in a circle' : 'link that leads nowhere',
      });
    }
  }
}

export function isNoteName(name: string): boolean {
  const length = name.length;
  return (
    length > 3 &&
    name.charCodeAt(length - 3) === 46 &&
    (name.charCodeAt(length - 2) | 32) === 109 &&
    (name.charCodeAt(length - 1) | 32) === 100
  );
}

function kindOf(entry: Dirent): string {
  if (entry.isFIFO()) return 'pipe';
  if (entry.isSocket()) return 'socket';
  return 'device';
}
