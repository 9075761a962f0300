/** `profile`: the search profiles, and each constant with its reason. They are defined in core/retrieval/profiles.ts. */

import * as z from 'zod/mini';
import { PROFILE_NAMES, SEARCH_PROFILE_NAMES } from '../core/retrieval/profile-names.js';
import { describeProfile, listProfiles, type ProfileSetting } from '../core/retrieval/profiles.js';
import { described } from './described.js';
import { defineOperation, type Page } from './operation.js';

const ACTIONS = ['list', 'show'] as const;

const listed = z.strictObject({
  name: described('As --profile takes it', z.string()),
  about: described('What it is for', z.string()),
  searches: described('Whether search takes it; eval takes all', z.boolean()),
});

const stream = z.strictObject({
  name: described('The table, the further model, or the reranker', z.string()),
  value: described('When it runs: always, where the gate opens, or never', z.string()),
  usual: described('What the profile default has', z.string()),
  isChanged: described('Whether this profile sets it', z.boolean()),
  reason: described('Why', z.string()),
});

const constant = z.strictObject({
  name: described('As in docs/ranking.md', z.string()),
  value: described('In this profile', z.number()),
  usual: described('What the profile default has', z.number()),
  isChanged: described('Whether this profile sets it', z.boolean()),
  reason: described('What the value was derived from', z.string()),
});

export const profile = defineOperation({
  name: 'profile',
  summary: 'List the search profiles, or show the constants of one with their reasons',
  effect: 'read',
  input: z.strictObject({
    action: z._default(described('list them, or show one', z.enum(ACTIONS)), 'list'),
    name: z._default(described('The profile to show', z.enum(PROFILE_NAMES)), 'default'),
  }),
  output: () =>
    z.strictObject({
      action: described('What was done', z.enum(ACTIONS)),
      profiles: described('All of them, or the one asked for', z.array(listed)),
      streams: described('With show: which ways of finding run beside words', z.array(stream)),
      constants: described('With show: those that the profile sets come first', z.array(constant)),
    }),
  positional: ['action', 'name'],
  run: async (_context, { action, name }) => {
    const all = listProfiles().map((one) => ({ ...one, searches: SEARCHES.has(one.name) }));
    if (action === 'list') return { action, profiles: all, streams: [], constants: [] };
    return { action, profiles: all.filter((one) => one.name === name), ...describeProfile(name) };
  },
  toText: ({ action, profiles, streams, constants }, page) => {
    if (action === 'list') return [...profiles.map(profileLine), page.faint(LIST_HINT)].join('\n');
    return [
      ...profiles.map(profileLine),
      '',
      ...settingLines(streams, page),
      '',
      ...settingLines(constants, page),
    ].join('\n');
  },
});

const SEARCHES: ReadonlySet<string> = new Set(SEARCH_PROFILE_NAMES);

const LIST_HINT =
  'memory profile show <name> tells their constants; --profile of search, explain and eval takes a name';

function profileLine({
  name,
  about,
  searches,
}: {
  readonly name: string;
  readonly about: string;
  readonly searches: boolean;
}): string {
  return `${name.padEnd(8)}  ${about}${searches ? '' : ' (only for eval)'}`;
}

function settingLines(settings: readonly ProfileSetting<string | number>[], page: Page): readonly string[] {
  const names = Math.max(...settings.map(({ name }) => name.length));
  const values = Math.max(...settings.map(({ value }) => String(value).length));
  return settings.map(({ name, value, usual, isChanged, reason }) => {
    const instead = isChanged ? `usually ${usual}. ` : '';
    const mark = isChanged ? '*' : ' ';
    return `${mark} ${name.padEnd(names)}  ${String(value).padEnd(values)}  ${page.faint(instead + reason)}`;
  });
}
