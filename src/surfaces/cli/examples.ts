/** Command lines that help and docs show for each operation. A test holds that every operation has some and that all are read. */

import type { Example } from './host.js';

export const examples: Readonly<Record<string, readonly Example[]>> = {
  init: [
    { command: 'memory init ~/notes', purpose: 'make a vault, or add what a folder of notes lacks' },
    { command: 'memory init', purpose: 'the same in the folder where you are' },
  ],
  reindex: [
    { command: 'memory reindex', purpose: 'take in what changed since the last time' },
    { command: 'memory reindex --verify', purpose: 'compare contents, after a clock or a disk has lied' },
    {
      command: 'memory reindex --vault ~/notes --json',
      purpose: 'as JSON, every skipped file with its reason',
    },
  ],
  search: [
    { command: 'memory search "why is the model lazy loaded"', purpose: 'ask in words of your own' },
    { command: 'memory search deploy --folder decisions --after 2026-01-01', purpose: 'only some notes' },
    { command: 'memory search postgres --tag project/billing --limit 3', purpose: 'by tag, nested ones too' },
    { command: 'memory search release --type project --where "status=open"', purpose: 'by properties' },
    { command: 'memory search "what did we decide" --profile recent', purpose: 'the newer first' },
    { command: 'memory search backup --json | jq -r ".hits[].path"', purpose: 'for another program' },
  ],
  show: [
    { command: 'memory show decisions/lazy-model.md', purpose: 'a note by its path' },
    { command: 'memory show "Lazy model"', purpose: 'or by its title' },
    {
      command: 'memory show decisions/lazy-model.md --section Why --max-tokens 500',
      purpose: 'a part of it',
    },
    { command: 'memory show decisions/lazy-model.md:12', purpose: 'from a line on, as search prints it' },
  ],
  add: [
    {
      command: 'memory add "Lazy model" "Loaded when first asked." --folder decisions --type decision',
      purpose: 'a new note',
    },
    { command: 'memory add "Finish the importer" --handoff --tag import', purpose: 'work left for the next' },
    { command: 'memory add "Release notes" - --folder projects', purpose: 'its text from stdin' },
  ],
  edit: [
    { command: 'memory edit profile --append "- Prefers short mails"', purpose: 'a line at the end' },
    {
      command: 'memory edit decisions/lazy-model.md --section Why --append "One more reason."',
      purpose: 'at the end of a section',
    },
    {
      command: 'memory edit profile --replace "short mails" --with "no mails"',
      purpose: 'exact text by other',
    },
    {
      command: 'memory edit "Lazy model" --set status=done --dry-run',
      purpose: 'a property; only show the difference',
    },
  ],
  move: [
    { command: 'memory move "Lazy model" archive/', purpose: 'into another folder, under its name' },
    {
      command: 'memory move "Lazy model" decisions/lazy-loading.md --dry-run',
      purpose: 'show what it would change',
    },
  ],
  delete: [
    { command: 'memory delete drafts/unfinished.md --dry-run', purpose: 'tell which links would break' },
    { command: 'memory delete profile', purpose: 'into .trash/ of the vault' },
  ],
  undo: [
    { command: 'memory undo', purpose: 'take back the last write' },
    { command: 'memory undo --dry-run', purpose: 'show what that would change' },
  ],
  links: [
    { command: 'memory links decisions/lazy-model.md', purpose: 'what it links to and what links to it' },
    {
      command: 'memory links "Lazy model" --json | jq -r ".back[].path"',
      purpose: 'the notes that link to it',
    },
  ],
  tags: [
    { command: 'memory tags', purpose: 'all tags, as a tree' },
    { command: 'memory tags project --sort count', purpose: 'those nested in one, the commonest first' },
  ],
  recent: [
    { command: 'memory recent', purpose: 'what changed last' },
    { command: 'memory recent --folder projects --after 2026-01-01 --limit 50', purpose: 'only some notes' },
    {
      command: 'memory recent --by created --where "due<2026-02-01"',
      purpose: 'what was made last, by a property',
    },
  ],
  open: [
    { command: 'memory open', purpose: 'work that others left, newest first' },
    { command: 'memory open --tag import --limit 5', purpose: 'only some of it' },
  ],
  claim: [
    {
      command: 'memory claim "Finish the importer" --by Mira',
      purpose: 'take it; the next caller is refused',
    },
    { command: 'memory claim --next --tag import', purpose: 'take the newest one of its kind' },
  ],
  status: [
    { command: 'memory status', purpose: 'what is indexed, and how fresh it is' },
    { command: 'memory status --json', purpose: 'as JSON, every skipped file with its reason' },
  ],
  explain: [
    {
      command: 'memory explain "lazy model" words-first',
      purpose: 'what its score is made of, and what is before it',
    },
    {
      command: 'memory explain "green tea" profile --folder people',
      purpose: 'why a note is no hit',
    },
  ],
  calibrate: [
    { command: 'memory calibrate', purpose: 'set the bands of confidence by what this vault holds' },
    { command: 'memory calibrate --json', purpose: 'as JSON, with the figures of each kind of query' },
  ],
  doctor: [
    { command: 'memory doctor', purpose: 'what to mend in the vault, and how' },
    { command: 'memory doctor projects/billing.md', purpose: 'in one note' },
    { command: 'memory doctor --limit 1000 --json', purpose: 'as JSON, for a script that mends it' },
  ],
  eval: [
    {
      command: 'memory eval --add "why is the model lazy loaded" --note decisions/lazy-model.md',
      purpose: 'record a question with the note that answers it, and measure',
    },
    { command: 'memory eval', purpose: 'measure on the questions recorded so far' },
    {
      command: 'memory eval ../collections/cranfield --compare plain',
      purpose: 'on a public collection, against BM25 alone, query by query',
    },
  ],
  profile: [
    { command: 'memory profile', purpose: 'which there are' },
    { command: 'memory profile show code', purpose: 'what one changes, and why, then all constants' },
  ],
  model: [
    { command: 'memory model', purpose: 'which models there are, and which is in use' },
    { command: 'memory model show bge-small-en-v1.5', purpose: 'what is known of one' },
    { command: 'memory model pull bge-small-en-v1.5', purpose: 'download it' },
    {
      command: 'memory model use bge-small-en-v1.5',
      purpose: 'choose it, and make the vectors of this vault',
    },
    { command: 'memory model check', purpose: 'try the one in use' },
    {
      command: 'memory model use ms-marco-MiniLM-L-6-v2',
      purpose: 'choose a reranker, for search --profile precise',
    },
    {
      command: 'memory model use http://127.0.0.1:11434#nomic-embed-text',
      purpose: 'one that a server runs',
    },
    { command: 'memory model use static', purpose: 'back to the built-in one alone' },
  ],
  connect: [
    { command: 'memory connect claude-code --vault ~/notes', purpose: 'show what would be changed' },
    { command: 'memory connect claude-code --vault ~/notes --write', purpose: 'change it' },
    { command: 'memory connect cursor --folder ~/code/shop --write', purpose: 'for one project alone' },
    { command: 'memory connect claude-code --remove', purpose: 'as it was before' },
    { command: 'memory connect --list', purpose: 'where clients are set up' },
    { command: 'memory connect git --write', purpose: 'merge notes of two branches fact by fact' },
  ],
};

/** The commands that `memory` alone shows, in the order in which one needs them. */
export const firstCommands: readonly string[] = ['init', 'reindex', 'search', 'show', 'status'];
