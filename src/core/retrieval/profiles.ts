/**
 * The search profiles: the constants of profile.ts with a few changed, and which streams run. docs/ranking.md has what
 * they gain and cost.
 */

import { MemoryError } from '../errors.js';
import { profileWith, RANKING_CONSTANTS, type RankingProfile } from './profile.js';
import { PROFILE_NAMES, type ProfileName } from './profile-names.js';
import type { RankingConstant } from './ranking-constant.js';

/** Whether a stream runs: on every query, where the gate (gate.ts) opens, or on none. */
export type StreamUse = 'always' | 'gate' | 'never';

export type SearchProfile = {
  readonly name: ProfileName;
  readonly constants: RankingProfile;
  /** The built-in table. */
  readonly table: StreamUse;
  /** The further model, where there is one. */
  readonly further: StreamUse;
  /** The first hits are read once more by a reranker, where there is one. */
  readonly reranks: boolean;
};

type Streams = Pick<SearchProfile, 'table' | 'further' | 'reranks'>;

type Choice<T> = { readonly value: T; readonly reason: string };

type StreamChoices = { readonly [name in keyof Streams]: Choice<Streams[name]> };

type ProfileChanges = {
  readonly about: string;
  readonly constants?: { readonly [name in keyof RankingProfile]?: RankingConstant };
  readonly streams?: Partial<StreamChoices>;
};

const USUAL_STREAMS: StreamChoices = {
  table: {
    value: 'always',
    reason:
      'It comes with the package and costs milliseconds, some twenty of them once in a process; +.0124 on English collections.',
  },
  further: {
    value: 'gate',
    reason: 'It takes a fifth of a second or longer to open, and words are enough for most queries.',
  },
  reranks: {
    value: false,
    reason: 'It reads the first hits again, which takes long, and what it gains has not been measured.',
  },
};

const NO_MODEL: Partial<StreamChoices> = {
  table: { value: 'never', reason: 'By words alone.' },
  further: { value: 'never', reason: 'By words alone.' },
};

const NO_PLACE_FOR = 'Left out of BM25 over weighted fields.';

const PROFILES: Readonly<Record<ProfileName, ProfileChanges>> = {
  default: { about: 'for any query' },
  precise: {
    about: 'reads the first hits once more with a reranker, where one is chosen: slower',
    streams: { reranks: { value: true, reason: 'Who asks for it has the time.' } },
  },
  recent: {
    about: 'of notes that fit alike, the newer first',
    constants: {
      recencyWeight: {
        value: 0.5,
        reason:
          'A note of today comes before an old one that fits up to half better. No collection judges this: it is what `recent` promises, and a new note that hardly fits stays behind.',
      },
    },
  },
  code: {
    about: 'identifiers first and as they are spelled, the words around them after',
    constants: {
      identifierWholeWeight: {
        value: 3,
        reason: 'An identifier outweighs the words around it: `where is parseQuery called` asks for one.',
      },
      wholeAboveParts: {
        value: 1,
        reason: 'Its parts, however often they stand there, never make up for the whole.',
      },
      exactWeight: {
        value: 3,
        reason: 'Another spelling is another name in code, title or not.',
      },
      shortenedShare: {
        value: 0,
        reason: 'Names are not inflected: no shortened forms.',
      },
      meaningWeight: {
        value: 0.03,
        reason: 'To a model of words an identifier says next to nothing: it decides between equals.',
      },
      furtherWeight: { value: 0.03, reason: 'As `meaningWeight`.' },
    },
  },
  words: { about: 'by words alone, no model is opened', streams: NO_MODEL },
  meaning: {
    about: 'meaning before words; a larger model, where one is chosen, is asked each time',
    constants: {
      meaningWeight: {
        value: 0.5,
        reason: 'Two deviations weigh as much as the best note has by words.',
      },
      furtherWeight: { value: 0.5, reason: 'As `meaningWeight`.' },
    },
    streams: { further: { value: 'always', reason: 'Asking for meaning is asking for it.' } },
  },
  plain: {
    about: 'BM25 over fields and nothing else: what each addition is measured against',
    constants: {
      prefixWeight: { value: 0, reason: NO_PLACE_FOR },
      coverageWeight: { value: 0, reason: NO_PLACE_FOR },
      adjacencyWeight: { value: 0, reason: NO_PLACE_FOR },
      bestPassageShare: { value: 0, reason: NO_PLACE_FOR },
      exactTitleLift: { value: 0, reason: NO_PLACE_FOR },
      exactHeadingLift: { value: 0, reason: NO_PLACE_FOR },
      exactWeight: { value: 0, reason: NO_PLACE_FOR },
    },
    streams: NO_MODEL,
  },
  gated: {
    about: 'what the gate costs and saves, with the built-in table in the place of a larger model',
    streams: {
      table: { value: 'gate', reason: 'It stands in for a larger model.' },
      further: { value: 'never', reason: 'The table stands in for it.' },
    },
  },
};

/** Throws `invalid_input` for a name that is none. */
export function profileNamed(name: string): SearchProfile {
  if (!isProfileName(name)) {
    throw new MemoryError('invalid_input', `There is no profile "${name}"`, {
      hint: `There are: ${PROFILE_NAMES.join(', ')}.`,
    });
  }
  const { constants = {}, streams = {} } = PROFILES[name];
  const { table, further, reranks } = { ...USUAL_STREAMS, ...streams };
  const changed = Object.entries(constants).map(([key, { value }]) => [key, value]);
  return {
    name,
    constants: profileWith(Object.fromEntries(changed) as Partial<RankingProfile>),
    table: table.value,
    further: further.value,
    reranks: reranks.value,
  };
}

/** What is wished for a single search wins over its profile; `words` over `semantic`. */
export function profileFor(input: {
  readonly profile?: string | undefined;
  readonly words?: boolean | undefined;
  readonly semantic?: boolean | undefined;
}): SearchProfile {
  const profile = profileNamed(input.profile ?? 'default');
  if (input.words) return { ...profile, table: 'never', further: 'never', reranks: false };
  return input.semantic ? { ...profile, further: 'always' } : profile;
}

export type ProfileSummary = { readonly name: ProfileName; readonly about: string };

export function listProfiles(): readonly ProfileSummary[] {
  return PROFILE_NAMES.map((name) => ({ name, about: PROFILES[name].about }));
}

/** A constant or stream of a profile, against what it is in the profile `default`. */
export type ProfileSetting<T> = {
  readonly name: string;
  readonly value: T;
  readonly usual: T;
  readonly isChanged: boolean;
  readonly reason: string;
};

/** All of them, those that the profile changes first. */
export function describeProfile(name: ProfileName): {
  readonly streams: readonly ProfileSetting<string>[];
  readonly constants: readonly ProfileSetting<number>[];
} {
  const { constants = {}, streams = {} } = PROFILES[name];
  return {
    streams: settingsOf<StreamUse | boolean>(USUAL_STREAMS, streams).map(({ value, usual, ...setting }) => ({
      ...setting,
      value: worded(value),
      usual: worded(usual),
    })),
    constants: settingsOf<number>(RANKING_CONSTANTS, constants),
  };
}

function settingsOf<T>(
  usual: Readonly<Record<string, Choice<T>>>,
  changes: Readonly<Record<string, Choice<T> | undefined>>,
): readonly ProfileSetting<T>[] {
  const settings = Object.entries(usual).map(([name, { value, reason }]) => ({
    name,
    value: changes[name]?.value ?? value,
    usual: value,
    isChanged: changes[name] !== undefined,
    reason: changes[name]?.reason ?? reason,
  }));
  return [...settings.filter(({ isChanged }) => isChanged), ...settings.filter((one) => !one.isChanged)];
}

function worded(use: StreamUse | boolean): string {
  return typeof use === 'string' ? use : use ? 'always' : 'never';
}

function isProfileName(name: string): name is ProfileName {
  return (PROFILE_NAMES as readonly string[]).includes(name);
}
