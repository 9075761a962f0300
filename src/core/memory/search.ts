/** Finds notes: plans the query, has it ranked (rank-query.ts), and shows each hit at its best place. */

import { localDay } from '../note/dates.js';
import { obsidianUri } from '../note/obsidian-uri.js';
import type { NoteCard } from '../note/stored-note.js';
import type { NoteIndex } from '../ports.js';
import { cutAtGap } from '../retrieval/cut.js';
import { packHits } from '../retrieval/pack.js';
import { planQuery } from '../retrieval/plan.js';
import type { RankingProfile } from '../retrieval/profile.js';
import { profileFor } from '../retrieval/profiles.js';
import type { RankedNote } from '../retrieval/rank.js';
import { filterOf, noticeEmptyScope } from './filter-of.js';
import { refreshBefore } from './freshness.js';
import { HitPlaces } from './hit-places.js';
import type { CallOptions } from './memory.js';
import { NoteTexts } from './note-texts.js';
import type { Places } from './places.js';
import { type RankedQuery, rankQuery } from './rank-query.js';
import type { SearchHit, SearchInput, SearchOutput } from './search-types.js';

const DEFAULT_LIMIT = 10;
/** Digits of a score that mean anything to a reader. */
const SCORE_DIGITS = 4;

export async function search(
  places: Places,
  input: SearchInput,
  options: CallOptions = {},
): Promise<SearchOutput> {
  const { index, vault, clock } = places;
  const startMs = clock.elapsedMs();
  const profile = profileFor(input);
  const checkedAtMs = await refreshBefore(places, input.freshness ?? 'auto', options);
  const rankMs = clock.elapsedMs();
  const plan = planQuery(input.query, profile.constants);
  const filter = filterOf(input, 'created');
  const scope = await index.filter(filter);
  if (scope?.length === 0) await noticeEmptyScope(index, filter, options);
  const exclude = await numbersOf(index, input.exclude ?? []);
  const ranked = await rankQuery(
    { ...places, texts: new NoteTexts(vault) },
    plan,
    profile,
    { limit: input.limit ?? DEFAULT_LIMIT, ...(scope ? { scope } : {}), exclude },
    options,
  );
  options.signal?.throwIfAborted();
  const { ranking, judgement } = ranked;
  const kept = keptOf(input, ranked, profile.constants);
  const endMs = clock.elapsedMs();
  const notes = await notesOf(index, kept);
  const hitPlaces = new HitPlaces(places, ranking.words);
  await hitPlaces.load(kept, notes);
  const hits: SearchHit[] = [];
  for (const hit of kept) {
    const note = notes.get(hit.note);
    // A note that another process removed since it was ranked is no hit.
    if (!note) continue;
    const { line, headings, snippet } = await hitPlaces.placeOf(hit, note);
    hits.push({
      path: note.path,
      line,
      title: note.title,
      headings,
      snippet,
      score: Number(hit.score.toPrecision(SCORE_DIGITS)),
      band: judgement.bandOfHit(hit),
      date: localDay(note.created.text),
      uri: obsidianUri(vault.root, note.path),
    });
  }
  return {
    hits: input.maxTokens === undefined ? hits : packHits(hits, input.maxTokens),
    checkedMsAgo: Math.max(0, Math.round(clock.nowMs() - checkedAtMs)),
    notes: (await index.shape()).noteCount,
    dropped: ranking.dropped,
    streams: ranked.streams,
    band: judgement.band,
    reason: judgement.reason,
    hint: judgement.hint,
    gate: gateText(ranked, input),
    ...(input.explain
      ? {
          explain: (await import('./explain-search.js')).explainSearch(plan, ranked, kept, {
            check: Math.round(rankMs - startMs),
            rank: Math.round(endMs - rankMs),
          }),
        }
      : {}),
  };
}

/** A query about nothing in the vault has no hits; who pages on, or asks for the nearest, knows what he gets. */
function keptOf(
  input: SearchInput,
  { ranking, judgement }: RankedQuery,
  constants: RankingProfile,
): readonly RankedNote[] {
  const isPaging = (input.exclude ?? []).length > 0;
  if (judgement.band === 'none' && !input.nearest && !isPaging) return [];
  return input.full || input.nearest ? ranking.hits : cutAtGap(ranking.hits, constants);
}

function gateText(ranked: RankedQuery, input: SearchInput): string {
  return [streamsText(ranked, input), rerankText(ranked)].filter((text) => text !== '').join('; ');
}

function rerankText({ reranking }: RankedQuery): string {
  if (!reranking) return '';
  const { scored, ms, lack } = reranking;
  return lack ?? `${scored} hits reranked in ${ms} ms`;
}

function streamsText({ gate, further }: RankedQuery, { semantic }: SearchInput): string {
  if (!gate) return '';
  const decided = `${gate.reason}, coverage ${gate.coverage.toFixed(2)}`;
  // Nobody misses a further model who chose none and did not ask for it.
  if (!further || (further.model === '' && !semantic)) return decided;
  const opened = further.openedMs > 0 ? [`model opened in ${further.openedMs} ms`] : [];
  return [decided, [...opened, ...(further.lack ? [further.lack] : [])].join(', ') || 'model at hand'].join(
    '; ',
  );
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
