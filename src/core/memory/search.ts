/** Finds notes: plans the query, lets core/retrieval rank what the index holds, and shows each hit at its best place. */

import { localDay } from '../note/dates.js';
import { obsidianUri } from '../note/obsidian-uri.js';
import type { NoteCard } from '../note/stored-note.js';
import type { NoteIndex } from '../ports.js';
import { cutAtGap } from '../retrieval/cut.js';
import { packHits } from '../retrieval/pack.js';
import { planQuery } from '../retrieval/plan.js';
import { DEFAULT_PROFILE } from '../retrieval/profile.js';
import { type RankedNote, rankByWords } from '../retrieval/rank.js';
import type { Places } from './bring-up-to-date.js';
import { filterOf, noticeEmptyScope } from './filter-of.js';
import { refreshBefore } from './freshness.js';
import { HitPlaces } from './hit-places.js';
import { meaningOf } from './meaning-of.js';
import type { CallOptions, SearchHit, SearchInput, SearchOutput } from './memory.js';

const DEFAULT_LIMIT = 10;
/** Digits of a score that mean anything to a reader. */
const SCORE_DIGITS = 4;

export async function search(
  places: Places,
  input: SearchInput,
  options: CallOptions = {},
): Promise<SearchOutput> {
  const checkedAtMs = await refreshBefore(places, input.freshness ?? 'auto', options);
  const { index, vault, clock } = places;
  const plan = planQuery(input.query, DEFAULT_PROFILE);
  const filter = filterOf(input, 'created');
  const scope = await index.filter(filter);
  if (scope?.length === 0) await noticeEmptyScope(index, filter, options);
  const exclude = await numbersOf(index, input.exclude ?? []);
  const meaning = input.words ? undefined : await meaningOf(places, plan, options);
  const ranking = await rankByWords(plan, index, {
    limit: input.limit ?? DEFAULT_LIMIT,
    meaning,
    ...(scope ? { scope } : {}),
    exclude,
  });
  options.signal?.throwIfAborted();
  const kept = input.full ? ranking.hits : cutAtGap(ranking.hits, DEFAULT_PROFILE);
  const notes = await notesOf(index, kept);
  const hitPlaces = new HitPlaces(places, ranking.words);
  await hitPlaces.load(kept, notes);
  const hits: SearchHit[] = [];
  for (const ranked of kept) {
    const note = notes.get(ranked.note);
    // A note that another process removed since it was ranked is no hit.
    if (!note) continue;
    const { line, headings, snippet } = await hitPlaces.placeOf(ranked, note);
    hits.push({
      path: note.path,
      line,
      title: note.title,
      headings,
      snippet,
      score: Number(ranked.score.toPrecision(SCORE_DIGITS)),
      date: localDay(note.created.text),
      uri: obsidianUri(vault.root, note.path),
    });
  }
  return {
    hits: input.maxTokens === undefined ? hits : packHits(hits, input.maxTokens),
    checkedMsAgo: Math.max(0, Math.round(clock.nowMs() - checkedAtMs)),
    notes: (await index.shape()).noteCount,
    dropped: ranking.dropped,
    streams: meaning ? ['words', 'meaning'] : ['words'],
  };
}

async function numbersOf(index: NoteIndex, paths: readonly string[]): Promise<readonly number[]> {
  if (paths.length === 0) return [];
  return (await index.findNotes({ paths })).map((note) => note.number);
}

async function notesOf(
  index: NoteIndex,
  ranked: readonly RankedNote[],
): Promise<ReadonlyMap<number, NoteCard>> {
  const notes = await index.notes(ranked.map(({ note }) => note));
  return new Map(notes.map((note) => [note.number, note]));
}
