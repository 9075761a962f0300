/** Types of common-js.mjs, for its test. */

import type { Metafile } from 'esbuild';

export type Piece = { readonly head: string; readonly body: string; readonly exports: string };
export const NAMESPACE_OF: string;
export function toCommonJs(name: string, code: string): Piece;
export function refuseChangingExports(metafile: Metafile, root: string): void;
