/**
 * The notes and folders of a new vault, as `memory init` makes them. What writes them, and leaves alone what
 * exists, is the vault's adapter. The texts become somebody's own notes, so they are short and say nothing twice.
 */

/** Vault-relative folders of a new vault. */
export const scaffoldFolders: readonly string[] = [
  'setups',
  'decisions',
  'projects',
  'research',
  'sessions',
  'daily',
  'assets',
];

export type ScaffoldFile = { readonly path: string; readonly text: string };

const INDEX = `---
type: index
tags: [index]
---
# Index

The way into this vault: what matters now, and links to the rest. About the person: [[profile]].

## Now

## Where things go

- \`setups/\`: machines, accounts and tools, and how they are configured
- \`decisions/\`: one note each: what was decided, why, and what follows
- \`projects/\`: one note each: goal, state, next step
- \`research/\`: what was looked into, with sources
- \`sessions/\`: work left for whoever comes next: where it stopped, the next step, how to verify
- \`daily/\`: one note a day, named \`YYYY-MM-DD.md\`
- \`assets/\`: pictures and other files
`;

const PROFILE = `---
type: profile
tags: [profile]
---
# Profile

What somebody who works with you should know beforehand. One statement a line, with its source where it is not you.

## Preferences

- Dates are written as YYYY-MM-DD, never "yesterday": notes are read long after they were written.

## Facts
`;

const MEMORY_IGNORE = `# Notes that are left out of every search: one pattern a line, in the syntax of .gitignore.
# Dot folders (.git, .obsidian, .trash) and node_modules are never looked at.
templates/
`;

/** Files of a new vault; folders first, then these. */
export const scaffoldFiles: readonly ScaffoldFile[] = [
  { path: '00-index.md', text: INDEX },
  { path: 'profile.md', text: PROFILE },
  { path: '.memoryignore', text: MEMORY_IGNORE },
];
