/** A vault that keeps changing in all the ways files change, with a known random order. */

import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Random } from '../random.js';

const WORDS = 'alpha beta gamma delta epsilon zeta walking walks index search note vault links passage'.split(
  ' ',
);
const PATHS = Array.from({ length: 60 }, (_, at) => `${['', 'a/', 'a/b/', 'ü/', '笔记/'][at % 5]}n${at}.md`);

export const CHAOS_TERMS = [
  ...WORDS.map((word) => word.replace(/(ing|s)$/, '')),
  'walk',
  'round',
  'linkto',
  'n7',
  '笔记',
];

export class ChaosVault {
  private readonly saved = new Map<string, { readonly text: string; readonly mtimeMs: number }>();

  constructor(
    readonly root: string,
    private readonly random: Random,
  ) {
    for (const path of PATHS.slice(0, 40)) this.write(path, this.text());
  }

  change(): void {
    const path = this.random.pick(PATHS);
    const full = join(this.root, path);
    const exists = existsSync(full);
    switch (this.random.below(8)) {
      case 0:
      case 1:
        this.save(path);
        this.write(path, this.text());
        return;
      case 2:
        if (exists) this.write(path, `${readFileSync(full, 'utf8')}\n${this.text()}`);
        return;
      case 3:
        this.save(path);
        rmSync(full, { force: true });
        return;
      case 4: {
        const to = this.random.pick(PATHS);
        if (exists && to !== path) {
          mkdirSync(dirname(join(this.root, to)), { recursive: true });
          renameSync(full, join(this.root, to));
        }
        return;
      }
      case 5:
        this.restore(path);
        return;
      case 6:
        if (exists) this.sameSizeEdit(full);
        return;
      default:
        if (exists) this.replaceByRename(full);
    }
  }

  private text(): string {
    const { random } = this;
    const lines = [
      `---\ntags: [${random.pick(WORDS)}/${random.pick(WORDS)}]\ntype: ${random.pick(WORDS)}\n---\n# ${random.pick(WORDS)} ${random.below(99)}`,
    ];
    for (let line = random.below(20); line > 0; line -= 1) {
      const words = Array.from({ length: random.below(40) }, () => random.pick(WORDS)).join(' ');
      lines.push(
        random.pick([
          words,
          `## ${words.slice(0, 30)}`,
          `- ${words} [[n${random.below(60)}]]`,
          `[${words.slice(0, 9)}](n${random.below(60)}.md) #${random.pick(WORDS)}`,
          '',
        ]),
      );
    }
    return `${lines.join('\n')}\n`;
  }

  private write(path: string, text: string): void {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  }

  private save(path: string): void {
    const full = join(this.root, path);
    if (existsSync(full))
      this.saved.set(path, { text: readFileSync(full, 'utf8'), mtimeMs: statSync(full).mtimeMs });
  }

  /** As backup programs do: old content, old times. */
  private restore(path: string): void {
    const old = this.saved.get(path);
    if (!old) return;
    this.write(path, old.text);
    utimesSync(join(this.root, path), old.mtimeMs / 1000, old.mtimeMs / 1000);
  }

  /** Same size, and the same times as far as they can be set. */
  private sameSizeEdit(full: string): void {
    const { mtimeMs } = statSync(full);
    const text = readFileSync(full, 'utf8');
    writeFileSync(full, text.replace('alpha', 'gamma').replace('delta', 'alpha'));
    utimesSync(full, mtimeMs / 1000, mtimeMs / 1000);
  }

  private replaceByRename(full: string): void {
    writeFileSync(`${full}.tmp`, `${readFileSync(full, 'utf8')}zeta\n`);
    renameSync(`${full}.tmp`, full);
  }
}
