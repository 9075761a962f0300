/** The model of a process: what AGENT_MEMORY_MODEL names, else the one in the package. Opened when first asked for. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Embedder } from '../core/ports.js';

type Environment = Readonly<Record<string, string | undefined>>;

export function modelOpener(environment: Environment): () => Promise<Embedder | undefined> {
  let opened: Promise<Embedder | undefined> | undefined;
  return () => {
    opened ??= import('../adapters/embedders/open-embedder.js').then(({ openEmbedder }) =>
      openEmbedder(environment['AGENT_MEMORY_MODEL'], { modelsFolder: modelsFolder() }),
    );
    // What failed may be mended before the next call of a long process.
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
}

/** `models` of the package: beside dist/ in the bundle, beside src/ in the sources. */
function modelsFolder(): string {
  const here = import.meta.dirname;
  for (const up of ['..', '../..', '../../..']) {
    const folder = join(here, up, 'models');
    if (existsSync(folder)) return folder;
  }
  return join(here, '..', 'models');
}
