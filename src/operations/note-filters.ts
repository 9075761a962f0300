/** The filters over notes that several operations share. Every given one must hold. */

import * as z from 'zod/mini';
import { described } from './described.js';

const day = z.regex(/^\d{4}(-\d{2}(-\d{2}([T ]\d{2}:\d{2}.*)?)?)?$/, 'must be a date such as 2026-01-31');

export const noteFilters = {
  folder: z.optional(described('Only notes in this folder, at any depth', z.string())),
  tag: z.optional(described('Only notes with this tag or one nested in it', z.string())),
  type: z.optional(described('Only notes whose property "type" is this', z.string())),
  where: z.optional(
    described(
      'Only notes with such a property or field: key=value (or !=, <, >=), or key alone: that it is set',
      z.array(z.string()),
    ),
  ),
  after: z.optional(described('Only notes dated on or after this day', z.string().check(day))),
  before: z.optional(described('Only notes dated before this day', z.string().check(day))),
};
