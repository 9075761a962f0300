/** The search profiles: what each changes, and that what is told of them is what they do. */

import { describe, expect, test } from 'vitest';
import { DEFAULT_PROFILE, RANKING_CONSTANTS } from '../../src/core/retrieval/profile.js';
import { PROFILE_NAMES, SEARCH_PROFILE_NAMES } from '../../src/core/retrieval/profile-names.js';
import {
  describeProfile,
  listProfiles,
  profileFor,
  profileNamed,
} from '../../src/core/retrieval/profiles.js';

test('profileNamed() gives the constants of profile.ts under the name default', () => {
  expect(profileNamed('default')).toEqual({
    name: 'default',
    constants: DEFAULT_PROFILE,
    table: 'always',
    further: 'gate',
    reranks: false,
  });
});

test('profileNamed() lists the profiles for a name that is none', () => {
  for (const name of ['best', '', 'constructor', 'Default']) {
    expect(() => profileNamed(name)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        message: `There is no profile "${name}"`,
        hint: 'There are: default, precise, recent, code, words, meaning, plain, gated.',
      }),
    );
  }
});

test('listProfiles() has all of them, those to search with first', () => {
  expect(listProfiles().map(({ name }) => name)).toEqual([...PROFILE_NAMES]);
  expect(PROFILE_NAMES.slice(0, SEARCH_PROFILE_NAMES.length)).toEqual([...SEARCH_PROFILE_NAMES]);
});

describe.each(PROFILE_NAMES)('the profile %s', (name) => {
  const { constants, streams } = describeProfile(name);
  const profile = profileNamed(name);

  test('is described as it is', () => {
    const told = Object.fromEntries(constants.map((one) => [one.name, one.value]));
    expect(told).toEqual(profile.constants);
    const { table, further, reranks } = profile;
    expect(Object.fromEntries(streams.map((one) => [one.name, one.value]))).toEqual({
      table,
      further,
      reranks: reranks ? 'always' : 'never',
    });
  });

  test('says of each setting whether it is another than usual, those first, and why', () => {
    for (const settings of [constants, streams]) {
      const marks = settings.map(({ isChanged }) => isChanged);
      expect(marks).toEqual([...marks].sort((a, b) => Number(b) - Number(a)));
    }
    for (const one of [...constants, ...streams]) {
      expect(one.isChanged, one.name).toBe(one.value !== one.usual);
      expect(one.reason.length, one.name).toBeGreaterThan(10);
    }
    for (const { name: constant, usual } of constants) {
      expect(usual).toBe(RANKING_CONSTANTS[constant as keyof typeof RANKING_CONSTANTS].value);
    }
  });
});

test('profileFor() lets what is wished for one search win over the profile, words over semantic', () => {
  expect(profileFor({})).toEqual(profileNamed('default'));
  expect(profileFor({ profile: 'code' })).toEqual(profileNamed('code'));
  const alone = { table: 'never', further: 'never', reranks: false };
  expect(profileFor({ profile: 'precise', words: true })).toMatchObject(alone);
  expect(profileFor({ profile: 'meaning', words: true, semantic: true })).toMatchObject(alone);
  expect(profileFor({ profile: 'words', semantic: true })).toMatchObject({
    table: 'never',
    further: 'always',
  });
  expect(profileFor({ semantic: true })).toMatchObject({ table: 'always', further: 'always' });
});
