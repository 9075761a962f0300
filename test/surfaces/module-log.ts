/** Which modules the processes of the built program ask for: given to them with NODE_OPTIONS, read when they have run. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './run-memory.js';

export type ModuleLog = {
  /** The file that writes the log, itself loaded by every process. */
  readonly hook: string;
  readonly environment: { readonly NODE_OPTIONS: string };
  /** As they were asked for, in order. */
  readonly asked: () => readonly string[];
};

/** `_load` sees every `require`, `_resolveFilename` also what is imported; native bindings are seen by either. */
export function startModuleLog(method: '_load' | '_resolveFilename'): ModuleLog {
  const folder = temporaryFolder();
  const log = join(folder, 'loaded.txt');
  const hook = join(folder, 'hook.cjs');
  writeFileSync(log, '');
  writeFileSync(
    hook,
    `const Module = require('node:module');
const fs = require('node:fs');
const { dlopen } = process;
const original = Module.${method};
const tell = (path) => fs.appendFileSync(${JSON.stringify(log)}, path + '\\n');
Module.${method} = function (path, ...rest) {
  tell(path);
  return original.call(this, path, ...rest);
};
process.dlopen = function (module, path, ...rest) {
  tell(path);
  return dlopen.call(this, module, path, ...rest);
};`,
  );
  return {
    hook,
    environment: { NODE_OPTIONS: `--require ${hook}` },
    asked: () => readFileSync(log, 'utf8').split('\n').filter(Boolean),
  };
}
