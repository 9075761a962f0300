/** Reads a retrieval collection from a folder: docs.jsonl, queries.jsonl, qrels.tsv. */

import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { MemoryError } from '../../core/errors.js';
import type {
  CollectionDocument,
  CollectionQuery,
  RetrievalCollection,
} from '../../core/evaluation/collection.js';

const FORMAT =
  'A collection holds docs.jsonl (id, title, text), queries.jsonl (id, text) and qrels.tsv (query, document, relevance).';

/** Throws `not_found` for a folder without those files and `invalid_input` for a line that does not fit. */
export function readCollection(folder: string): RetrievalCollection {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new MemoryError('not_found', `There is no collection "${folder}"`, { hint: FORMAT });
  }
  const judgements = readJudgements(folder);
  const documents = readLines(
    folder,
    'docs.jsonl',
    (row): CollectionDocument => ({
      id: String(row['id']),
      title: String(row['title'] ?? ''),
      text: String(row['text'] ?? ''),
      conversation: String(row['conv'] ?? ''),
    }),
  );
  const queries = readLines(
    folder,
    'queries.jsonl',
    (row): CollectionQuery & { readonly abstain: boolean } => ({
      id: String(row['id']),
      text: String(row['text'] ?? ''),
      conversation: String(row['conv'] ?? ''),
      abstain: row['abstain'] === true,
    }),
  );
  return {
    name: basename(folder),
    documents,
    queries: queries
      .filter(
        ({ id, abstain }) => !abstain && [...(judgements.get(id)?.values() ?? [])].some((value) => value > 0),
      )
      .map(({ abstain: _, ...query }) => query),
    judgements,
  };
}

function readLines<T>(folder: string, name: string, read: (row: Record<string, unknown>) => T): readonly T[] {
  return readText(folder, name)
    .split('\n')
    .flatMap((line, at) => {
      if (line.trim() === '') return [];
      try {
        const row = JSON.parse(line) as Record<string, unknown>;
        if (typeof row['id'] === 'string' || typeof row['id'] === 'number') return [read(row)];
      } catch {
        // Told below, with the line.
      }
      throw new MemoryError('invalid_input', `${join(folder, name)}:${at + 1} is no JSON object with an id`, {
        hint: FORMAT,
      });
    });
}

function readJudgements(folder: string): Map<string, Map<string, number>> {
  const judgements = new Map<string, Map<string, number>>();
  readText(folder, 'qrels.tsv')
    .split('\n')
    .forEach((line, at) => {
      if (line.trim() === '') return;
      const [query, document, relevance] = line.trimEnd().split('\t');
      const value = Number(relevance);
      if (query === undefined || document === undefined || !Number.isFinite(value)) {
        throw new MemoryError('invalid_input', `${join(folder, 'qrels.tsv')}:${at + 1} is no judgement`, {
          hint: FORMAT,
        });
      }
      const known = judgements.get(query);
      if (known) known.set(document, value);
      else judgements.set(query, new Map([[document, value]]));
    });
  return judgements;
}

function readText(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch (error) {
    throw new MemoryError('not_found', `The collection "${folder}" has no ${name}`, {
      hint: FORMAT,
      cause: error,
    });
  }
}
