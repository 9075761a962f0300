/** The vault's own golden questions: kept in `.memory/eval.jsonl`, measured on the live index. */

import { MemoryError } from '../errors.js';
import { compare, type JudgedQuery, measure, runQueries } from '../evaluation/evaluate.js';
import { profileNamed } from '../retrieval/profiles.js';
import { findNote } from './find-note.js';
import { refreshBefore } from './freshness.js';
import type { CallOptions } from './memory.js';
import { NoteTexts } from './note-texts.js';
import type { Places } from './places.js';
import type { EvalInput, EvalOutput } from './search-types.js';

/** Under `.memory`, which is synced with the notes. */
const FILE = 'eval.jsonl';

type GoldenQuestion = { readonly query: string; readonly note: string };

export async function evaluateVault(
  places: Places,
  input: EvalInput,
  options: CallOptions = {},
): Promise<EvalOutput> {
  await refreshBefore(places, 'auto', options);
  if (input.add !== undefined) await addQuestion(places, input.add, input.note);
  const queries = await readQuestions(places);
  if (queries.length === 0) {
    throw new MemoryError('not_found', 'This vault has no golden questions yet', {
      hint: 'Record one: memory eval --add "why is the model lazy loaded" --note decisions/lazy-model.md',
    });
  }
  const ranking = { ...places, texts: new NoteTexts(places.vault) };
  const results = await runQueries(ranking, queries, profileNamed(input.profile), options);
  const other =
    input.compare === undefined
      ? undefined
      : await runQueries(ranking, queries, profileNamed(input.compare), options);
  return {
    collection: places.vault.root,
    documents: (await places.index.shape()).noteCount,
    profile: input.profile,
    ...measure(results),
    ...(other ? { comparison: { profile: input.compare!, ...compare(results, other, input.limit) } } : {}),
  };
}

async function addQuestion(places: Places, query: string, named: string | undefined): Promise<void> {
  if (named === undefined) {
    throw new MemoryError('invalid_input', '--add needs the note that answers the question', {
      hint: `memory eval --add ${JSON.stringify(query)} --note <path>`,
    });
  }
  const { path } = await findNote(places, named);
  const known = await places.vault.readSetting(FILE);
  const question: GoldenQuestion = { query, note: path };
  const line = JSON.stringify(question);
  if (known?.split('\n').includes(line)) return;
  await places.vault.appendSetting(
    FILE,
    `${known === undefined || known.endsWith('\n') || known === '' ? '' : '\n'}${line}\n`,
  );
}

/** Several lines with one question: several notes answer it. */
async function readQuestions({ vault }: Places): Promise<readonly JudgedQuery[]> {
  const text = await vault.readSetting(FILE);
  const answers = new Map<string, Map<string, number>>();
  for (const [at, line] of (text ?? '').split('\n').entries()) {
    if (line.trim() === '') continue;
    const { query, note } = parseQuestion(line, at + 1);
    const known = answers.get(query);
    if (known) known.set(note, 1);
    else answers.set(query, new Map([[note, 1]]));
  }
  return [...answers].map(([query, judgements]) => ({ id: query, text: query, judgements }));
}

function parseQuestion(line: string, number: number): GoldenQuestion {
  try {
    const { query, note } = JSON.parse(line) as Partial<GoldenQuestion>;
    if (typeof query === 'string' && typeof note === 'string') return { query, note };
  } catch {
    // Told below, with the line.
  }
  throw new MemoryError('invalid_input', `.memory/${FILE}:${number} is no golden question`, {
    hint: 'A line is {"query": "…", "note": "path.md"}.',
  });
}
