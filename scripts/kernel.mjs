/**
 * Compiles kernel/ranking.ts to WebAssembly and writes it as text into src/core/retrieval/kernel-code.ts, where it is
 * committed: whoever builds the program needs no compiler for it, and core reads no file. A test holds the two equal.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import asc from 'assemblyscript/asc';
import { root } from './bundle.mjs';

export const KERNEL_CODE = join(root, 'src/core/retrieval/kernel-code.ts');

/** The text of kernel-code.ts. Throws with what the compiler said. */
export async function compileKernel() {
  let binary;
  const { error, stderr } = await asc.main(
    [
      'kernel/ranking.ts',
      '--outFile=kernel.wasm',
      '-O3',
      '--converge',
      '--runtime=stub',
      '--noAssert',
      '--use=abort=',
      `--baseDir=${root}`,
    ],
    {
      writeFile: (name, contents) => {
        if (name === 'kernel.wasm') binary = contents;
      },
    },
  );
  if (error) throw new Error(stderr.toString());
  const text = Buffer.from(binary).toString('base64');
  return [
    '/** Generated from kernel/ranking.ts by `npm run kernel`: WebAssembly in base64. */',
    '',
    'export const KERNEL_CODE =',
    `  '${text}';`,
    '',
  ].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(KERNEL_CODE, await compileKernel());
}
