/** Why one note ranks where it does for a query, or does not at all, and what would bring it up. */

import { MemoryError } from '../errors.js';
import type { StoredNote } from '../note/stored-note.js';
import { cutAtGap } from '../retrieval/cut.js';
import { planQuery } from '../retrieval/plan.js';
import type { RankingProfile } from '../retrieval/profile.js';
import { profileFor } from '../retrieval/profiles.js';
import { explainSearch, type SearchExplanation } from './explain-search.js';
import { filterOf } from './filter-of.js';
import { findNote } from './find-note.js';
import { refreshBefore } from './freshness.js';
import type { CallOptions } from './memory.js';
import { NoteTexts } from './note-texts.js';
import type { Places } from './places.js';
import { type RankedQuery, rankQuery } from './rank-query.js';
import type { ExplainInput, ExplainOutput } from './search-types.js';

const DEFAULT_LIMIT = 10;
/** How far down a rank is counted. */
const DEPTH = 1_000;
const FILTERS = ['folder', 'tag', 'type', 'where', 'after', 'before'] as const;

export async function explain(
  places: Places,
  input: ExplainInput,
  options: CallOptions = {},
): Promise<ExplainOutput> {
  const profile = profileFor(input);
  await refreshBefore(places, 'auto', options);
  const note = await findOrIgnored(places, input.note);
  if ('rule' in note) {
    return without(
      note.path,
      'ignored',
      `It is not indexed: ${note.rule}.`,
      'Change that rule, or move the note.',
    );
  }
  const filtered = await filteredBy(places, note, input);
  if (filtered !== undefined) {
    const why = `The filter --${filtered} leaves it out.`;
    return without(note.path, 'filtered', why, `Search without --${filtered}.`);
  }
  const plan = planQuery(input.query, profile.constants);
  const { index, vault } = places;
  const ranking = { ...places, texts: new NoteTexts(vault) };
  const scope = await index.filter(filterOf(input, 'created'));
  const limits = { limit: DEPTH, exclude: [], ...(scope ? { scope } : {}) };
  const all = await rankQuery(ranking, plan, profile, limits, options);
  const at = all.ranking.hits.findIndex((hit) => hit.note === note.number);
  if (at >= 0) {
    const [described] = explainSearch(plan, all, [all.ranking.hits[at]!], NO_TIMES).hits;
    return placed(all, at, described!, input, profile.constants);
  }
  const alone = { ...limits, limit: 1, scope: Uint32Array.of(note.number) };
  const ranked = await rankQuery(ranking, plan, profile, alone, options);
  const [hit] = explainSearch(plan, ranked, ranked.ranking.hits, NO_TIMES).hits;
  if (hit) {
    const why = `More than ${DEPTH} notes rank before it.`;
    return { ...without(note.path, 'ranked', why, bringUp(hit.lacks)), ...figuresOf(hit) };
  }
  const lacks = plan.words.map(({ text }) => text);
  const why =
    plan.without.length > 0
      ? 'It holds no word of the query, is not near its meaning, or holds a word that the query excludes.'
      : 'It holds no word of the query and is not near its meaning.';
  return { ...without(note.path, 'no match', why, bringUp(lacks)), lacks };
}

const NO_TIMES = { check: 0, rank: 0 };

async function findOrIgnored(
  places: Places,
  named: string,
): Promise<StoredNote | { readonly path: string; readonly rule: string }> {
  try {
    return await findNote(places, named);
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'not_found') throw error;
    const rule = await places.vault.ignoredBy(named);
    if (rule === undefined || !(await places.vault.exist([named])).has(named)) throw error;
    return { path: named, rule };
  }
}

async function filteredBy(
  { index }: Places,
  { number }: StoredNote,
  input: ExplainInput,
): Promise<string | undefined> {
  for (const name of FILTERS) {
    if (input[name] === undefined) continue;
    const scope = await index.filter(filterOf({ [name]: input[name] }, 'created'));
    if (scope && !scope.includes(number)) return name;
  }
  return undefined;
}

function placed(
  { ranking, judgement }: RankedQuery,
  at: number,
  hit: SearchExplanation['hits'][number],
  { limit = DEFAULT_LIMIT }: ExplainInput,
  constants: RankingProfile,
): ExplainOutput {
  const rank = at + 1;
  const within = (why: string, verdict: ExplainOutput['verdict'], advice: string): ExplainOutput => ({
    path: hit.path,
    verdict,
    rank,
    why,
    advice,
    ...figuresOf(hit),
  });
  if (judgement.band === 'none') {
    const why = `It would rank ${rank}, but the query has no hits: ${judgement.reason}.`;
    return within(why, 'abstained', judgement.hint);
  }
  if (rank > limit) {
    return within(
      `It ranks ${rank}, behind the limit of ${limit}.`,
      'ranked',
      `Use --limit ${rank}, or: ${bringUp(hit.lacks)}`,
    );
  }
  const shown = cutAtGap(ranking.hits.slice(0, limit), constants);
  if (rank > shown.length) {
    const best = ranking.hits[0]!.score;
    const why = `It ranks ${rank}, below the gap in the scores: ${hit.score.toFixed(3)} against ${best.toFixed(3)} of the best.`;
    return within(why, 'cut', `Use --full, or: ${bringUp(hit.lacks)}`);
  }
  return within(`It is hit ${rank} of ${shown.length}.`, 'shown', rank === 1 ? '' : bringUp(hit.lacks));
}

function figuresOf(hit: Pick<SearchExplanation['hits'][number], 'score' | 'contributions' | 'lacks'>) {
  return { score: hit.score, contributions: hit.contributions, lacks: hit.lacks };
}

function bringUp(lacks: readonly string[]): string {
  if (lacks.length === 0) return 'A title or alias equal to the query brings a note to the top.';
  const words = lacks.map((word) => `"${word}"`).join(', ');
  return `A mention of ${words} in its title, aliases or text would bring it up.`;
}

function without(
  path: string,
  verdict: ExplainOutput['verdict'],
  why: string,
  advice: string,
): ExplainOutput {
  return { path, verdict, rank: 0, score: 0, contributions: [], lacks: [], why, advice };
}
