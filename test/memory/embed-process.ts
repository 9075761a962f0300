/**
 * A process that indexes a vault and embeds it with a slow further model: `<vault> <log> <ms a text>`. Each text that
 * was embedded is a line of the log. The last line on stdout is the outcome.
 */

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareIndexFolder } from '../../src/adapters/index-sqlite/index-folder.js';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { systemClock } from '../../src/app/system-clock.js';
import { joinMemory } from '../../src/core/memory/join-memory.js';
import { furtherModel } from './further-embedder.js';

const [root, log, msEach] = process.argv.slice(2) as [string, string, string];
const { embedder } = furtherModel({
  beforeBatch: async (texts) => {
    await new Promise((resolve) => setTimeout(resolve, Number(msEach) * texts.length));
    appendFileSync(log, texts.map((text) => `${JSON.stringify(text)}\n`).join(''));
  },
});
const folder = join(root, '.vectors');
prepareIndexFolder(folder);
const index = await openSqliteIndex({ folder, clock: systemClock });
const memory = joinMemory({
  vault: openVault(root),
  index,
  clock: systemClock,
  further: async () => embedder,
});
const { embedded, pending } = await memory.reindex(
  {},
  { notice: (text) => process.stderr.write(`${text}\n`) },
);
await memory.close();
process.stdout.write(JSON.stringify({ embedded, pending }));
