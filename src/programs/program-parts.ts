/** What main.ts gives to the programs. */

import type { ContextSettings, OpenContext } from '../surfaces/cli/host.js';
import type { Signals } from './signals.js';

export type ProgramParts = {
  readonly signals: Signals;
  readonly openContext: (settings: ContextSettings) => OpenContext;
  readonly version: string;
};

/** An option or argument that need not be given and may be anything of its kind. */
export const plainField = {
  defaultValue: undefined,
  required: false,
  values: [],
  minimum: undefined,
  maximum: undefined,
} as const;
