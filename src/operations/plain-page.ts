/** The page for pipes, agents and files: no colours, no links, no columns. */

import type { Page } from './operation.js';

const asIs = (text: string): string => text;

export const plainPage: Page = {
  columns: undefined,
  elapsedMs: undefined,
  path: asIs,
  found: asIs,
  faint: asIs,
};
