/** Types of bundle.mjs, for the tests. */

import type { Metafile, Plugin } from 'esbuild';

export const root: string;
export const manifest: {
  readonly name: string;
  readonly version: string;
  readonly scripts: Record<string, string>;
};
export type Bundle = { readonly metafile: Metafile; readonly files: readonly string[] };
export function bundleLibrary(outdir: string): Promise<Bundle>;
export function bundleProgram(outdir: string, plugins?: readonly Plugin[]): Promise<Bundle>;
