/** A process that writes to a vault, for tests of several at once and of sudden deaths. Its job is its second argument. */

import { openMemory } from '../../src/app/open-memory.js';
import { MemoryError } from '../../src/core/errors.js';
import { seededRandom } from '../random.js';

export type Job =
  /** Appends `count` lines, each with the mark, to the notes in turn. */
  | {
      readonly kind: 'appends';
      readonly notes: readonly string[];
      readonly count: number;
      readonly mark: string;
    }
  /** Edits and moves notes until it is killed. */
  | { readonly kind: 'endless'; readonly seed: number };

const [vault, job] = [process.argv[2]!, JSON.parse(process.argv[3]!) as Job];
const memory = await openMemory(vault);
if (job.kind === 'appends') {
  for (let i = 0; i < job.count; i += 1) {
    await memory.edit({ note: job.notes[i % job.notes.length]!, append: `${job.mark} ${i}` });
  }
} else {
  const random = seededRandom(job.seed);
  process.stdout.write('ready\n');
  for (let round = 0; ; round += 1) {
    const { notes } = await memory.recent({ limit: 1_000 });
    const { path } = random.pick(notes);
    try {
      if (random.chance(0.5)) {
        await memory.edit({ note: path, append: `line ${job.seed}-${round}` });
        process.stdout.write(`line ${job.seed}-${round}\n`);
      } else
        await memory.move({ note: path, to: `${random.pick(['', 'x/', 'y/z/'])}n${job.seed}-${round}.md` });
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code === 'internal') throw error;
    }
  }
}
await memory.close();
