/** What doctor looks for, in the order of its report: what keeps a note out of search first, matters of taste last. */
export const FINDING_KINDS = [
  'skipped',
  'settings',
  'encoding',
  'conflict-markers',
  'properties',
  'conflict-copy',
  'twins',
  'duplicate-block',
  'broken-link',
  'missing-part',
  'ambiguous-link',
  'inferred-link',
  'ignored',
] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];
