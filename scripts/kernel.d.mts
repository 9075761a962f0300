/** Types of kernel.mjs, for the tests. */

/** Path of the file that is generated. */
export const KERNEL_CODE: string;
export function compileKernel(): Promise<string>;
