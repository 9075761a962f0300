/**
 * Moves a note that 1,000 others link to, in a git work tree, and counts what git sees.
 *
 *   node bench/move.mjs [rounds]
 *
 * `measureMove` is for bench/run.mjs. The vault is made anew for each round, so nothing is shared but the machine.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const program = fileURLToPath(new URL('../bin/memory.js', import.meta.url));

/** One form after the other: with another text, to a heading, to a block, embedded, in a table, relative, in properties. */
const FORMS = [
  '[[Hub]]',
  '[[Hub|the hub]]',
  '[[Hub#Part]]',
  '![[Hub#^one]]',
  '| a | [[Hub\\|hub]] |',
  '[hub](../Hub.md#part)',
  '[hub][ref]\n\n[ref]: ../Hub.md',
];

function makeVault(links) {
  const vault = mkdtempSync(join(tmpdir(), 'agent-memory-move-'));
  mkdirSync(join(vault, 'notes'));
  writeFileSync(join(vault, '.gitignore'), '.vectors/\n.memory/\n');
  writeFileSync(join(vault, 'Hub.md'), '# Hub\n\n## Part\n\nA paragraph. ^one\n');
  for (let at = 0; at < links; at += 1) {
    const form = FORMS[at % FORMS.length];
    const property = at % 10 === 9;
    const head = property ? '---\nup: "[[Hub]]"\n---\n' : '';
    const body = property ? 'Some words.' : `Some words.\n\n${form}`;
    writeFileSync(join(vault, 'notes', `note-${at}.md`), `${head}# Note ${at}\n\n${body}\n\nMore words.\n`);
  }
  return vault;
}

/** Milliseconds of the whole process, and the differences that git counts. The median of some rounds. */
export function measureMove({ links = 1_000, rounds = 3 } = {}) {
  const measured = Array.from({ length: rounds }, () => measureOnce(links));
  measured.sort((a, b) => a.ms - b.ms);
  return measured[Math.floor(rounds / 2)];
}

function measureOnce(links) {
  const vault = makeVault(links);
  try {
    const git = (...args) =>
      execFileSync(
        'git',
        ['-C', vault, '-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args],
        {
          encoding: 'utf8',
          maxBuffer: 100_000_000,
        },
      );
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'before');
    run('reindex', '--quiet', '--vault', vault);
    const startMs = performance.now();
    const reply = JSON.parse(run('move', 'Hub', 'places/Centre.md', '--json', '--vault', vault));
    const ms = Math.round(performance.now() - startMs);
    git('add', '.');
    const changes = git('diff', '--cached', '-M', '--numstat', 'HEAD').trim().split('\n');
    const oneLine = changes.filter((line) => /^1\t1\t/.test(line)).length;
    const renamed = changes.filter((line) => /^0\t0\t/.test(line)).length;
    return { links: reply.links, ms, changedFiles: changes.length, oneLineDiffs: oneLine, renamed };
  } finally {
    rmSync(vault, { recursive: true, force: true });
  }
}

function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`memory ${args.join(' ')}: ${stderr}`);
  return stdout;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(JSON.stringify(measureMove({ rounds: Number(process.argv[2] ?? 3) })));
}
