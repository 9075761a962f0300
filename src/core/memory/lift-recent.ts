/** Looks up the dates of the first candidates, for profiles that lift new notes (retrieval/recency.ts). */

import { localDay } from '../note/dates.js';
import type { NoteDate } from '../note/indexed-note.js';
import type { Clock, NoteIndex } from '../ports.js';
import type { RankingProfile } from '../retrieval/profile.js';
import type { NoteLift } from '../retrieval/rank.js';
import { dateForAge, recencyShare } from '../retrieval/recency.js';
import type { Contribution } from '../retrieval/score.js';

export function liftRecent(
  index: Pick<NoteIndex, 'findNotes'>,
  clock: Pick<Clock, 'nowMs'>,
  { candidateWindow }: Pick<RankingProfile, 'candidateWindow'>,
): NoteLift {
  // One moment for all rankings of a query.
  const nowMs = clock.nowMs();
  return {
    depth: candidateWindow,
    liftsOf: async (candidates, { profile, pathsOf }) => {
      const paths = await pathsOf(candidates.map(({ note }) => note));
      const notes = await index.findNotes({ paths: [...paths.values()] });
      const dates = new Map(
        notes.map(({ number, created, updated }) => [number, dateForAge(created, updated)]),
      );
      return new Map(
        candidates.map(({ note, score }) => [note, recencyLift(score, dates.get(note), nowMs, profile)]),
      );
    },
  };
}

function recencyLift(
  score: number,
  date: NoteDate | undefined,
  nowMs: number,
  profile: RankingProfile,
): readonly Contribution[] {
  const amount = date === undefined ? 0 : score * recencyShare(date, nowMs, profile);
  return amount > 0 ? [{ kind: 'recency', text: localDay(date!.text), amount }] : [];
}
