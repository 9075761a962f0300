/** Types of kernel.mjs, for the tests. */

export const KERNELS: readonly { readonly source: string; readonly code: string }[];
export function compileKernel(source: string): Promise<string>;
