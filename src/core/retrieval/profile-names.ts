/** Names of the profiles, alone: schemas need them before anything is ranked. What they are: profiles.ts. */

/** Those to search with. */
export const SEARCH_PROFILE_NAMES = ['default', 'precise', 'recent', 'code', 'words', 'meaning'] as const;

/** With those that only `eval` compares with. */
export const PROFILE_NAMES = [...SEARCH_PROFILE_NAMES, 'plain', 'gated'] as const;

export type ProfileName = (typeof PROFILE_NAMES)[number];
