/**
 * Compiles the AssemblyScript in kernel/ to WebAssembly and writes it as text into the sources that use it, where it is
 * committed: whoever builds the program needs no compiler for it, and core reads no file. A test holds the two equal.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import asc from 'assemblyscript/asc';
import { root } from './bundle.mjs';

/** Sources, and the files their code goes to, relative to the project. */
export const KERNELS = [
  { source: 'kernel/search.ts', code: 'src/core/retrieval/kernel-code.ts' },
  { source: 'kernel/embedding.ts', code: 'src/adapters/embedders/kernel-code.ts' },
  { source: 'kernel/sha-256.ts', code: 'src/adapters/vault-fs/sha-256-code.ts' },
];

/** The text of the code file. Throws with what the compiler said. */
export async function compileKernel(source) {
  let binary;
  const { error, stderr } = await asc.main(
    [
      source,
      '--outFile=kernel.wasm',
      '-O3',
      '--converge',
      '--runtime=stub',
      '--noAssert',
      '--enable=simd',
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
  const words = new Int32Array(Math.ceil(binary.length / 4));
  new Uint8Array(words.buffer).set(binary);
  return [
    `/** Generated from ${source} by \`npm run kernel\`: WebAssembly as little-endian numbers of 32 bits. */`,
    '',
    '// biome-ignore format: a line each would be thousands',
    `const WORDS = [${words.join(',')}];`,
    '',
    'export function kernelCode(): Uint8Array {',
    `  return new Uint8Array(new Int32Array(WORDS).buffer, 0, ${binary.length});`,
    '}',
    '',
  ].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const { source, code } of KERNELS) writeFileSync(join(root, code), await compileKernel(source));
}
