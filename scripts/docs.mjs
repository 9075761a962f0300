/** Writes docs/operations.md from the live registry. `--check` writes nothing and fails where the file is out of date. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './bundle.mjs';

const ENTRY = `
export { loadOperations } from './src/operations/index.ts';
export { readFields } from './src/operations/input-field.ts';
export { optionName } from './src/surfaces/cli/arguments.ts';
export { examples } from './src/surfaces/cli/examples.ts';
export { EXIT_CODES } from './src/surfaces/cli/failure.ts';
export { globalOptionHelp } from './src/surfaces/cli/global-options.ts';
export { fieldText, optionWord, positionalWord, usage } from './src/surfaces/cli/help.ts';
export { CODES } from './src/surfaces/rpc/message.ts';
export { toJSONSchema } from 'zod/mini';
`;

const EFFECTS = {
  read: 'reads notes and changes none',
  write: 'writes notes',
  'idempotent-write': 'writes notes; a second call changes nothing more',
  destructive: 'may take text out of notes',
};

const source = await loadSource();
const page = await render();
const target = join(root, 'docs/operations.md');
if (!process.argv.includes('--check')) {
  writeFileSync(target, page);
} else if (readOrEmpty(target) !== page) {
  process.stderr.write('docs/operations.md is out of date: npm run docs\n');
  process.exitCode = 1;
}

/** The registry as it is in the sources, without building the program. */
async function loadSource() {
  const folder = mkdtempSync(join(tmpdir(), 'memory-docs-'));
  try {
    const outfile = join(folder, 'source.mjs');
    await build({
      absWorkingDir: root,
      stdin: { contents: ENTRY, resolveDir: root, loader: 'ts' },
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      outfile,
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function render() {
  const operations = await source.loadOperations();
  const list = operations.map(({ name, summary }) => `- [${name}](#${name}): ${summary}`);
  return `${[
    '# Operations',
    'Made by `npm run docs` from `src/operations/`; do not edit.',
    'An operation has one name and one meaning everywhere: `memory search` on the command line, method `search` in JSON-RPC (`memory rpc`). Arguments and answers below are those of JSON; on the command line, `--json` gives the same answer.',
    list.join('\n'),
    ...operations.map(section),
    '## Options of every command',
    table(
      ['option', 'meaning'],
      source.globalOptionHelp.map(({ flag, description }) => [code(flag), description]),
    ),
    '## Errors',
    'An error has a `code`, a `message`, often a `hint` with the next step, and sometimes `details`. On the command line it goes to stderr, with `--json` as one JSON object. In JSON-RPC, `code`, `hint` and `details` are in `error.data`.',
    table(
      ['code', 'exit code', 'JSON-RPC'],
      Object.entries(source.EXIT_CODES).map(([name, exit]) => [code(name), exit, source.CODES[name]]),
    ),
    'Exit code 0 is success, also without hits; 130 means interrupted. For what is no proper request, JSON-RPC has its own codes: -32700, -32600, -32601.',
  ].join('\n\n')}\n`;
}

function section(operation) {
  const { name, summary, effect, input, output, positional } = operation;
  const fields = source.readFields(input);
  const parts = [
    `## ${name}`,
    `${summary}. It ${EFFECTS[effect]}.`,
    `\`memory ${source.usage(operation)}${fields.length > positional.length ? ' [options]' : ''}\``,
  ];
  if (fields.length > 0) {
    const rows = fields.map((field) => [
      code(field.name),
      code(
        positional.includes(field.name) ? source.positionalWord(field, name) : source.optionWord(field, name),
      ),
      kindText(field),
      source.fieldText({ ...field, defaultValue: undefined, minimum: undefined }, name) + defaultText(field),
    ]);
    parts.push(table(['argument', 'command line', 'kind', 'meaning'], rows));
  }
  const answer = propertyRows(source.toJSONSchema(output), '');
  parts.push('Answer:', table(['field', 'kind', 'meaning'], answer));
  const examples = source.examples[name] ?? [];
  const lines = examples.map(({ command, purpose }) => `# ${purpose}\n${command}`);
  if (lines.length > 0) parts.push(`\`\`\`sh\n${lines.join('\n')}\n\`\`\``);
  return parts.join('\n\n');
}

function kindText({ kind, required, minimum, maximum, values }) {
  const range =
    minimum === undefined ? '' : ` ${minimum}${maximum === undefined ? ' or more' : ` to ${maximum}`}`;
  const text = kind === 'enum' ? values.map(code).join(', ') : `${kind}${range}`;
  return required ? `${text}, required` : text;
}

function defaultText({ defaultValue }) {
  return defaultValue === undefined ? '' : ` (${code(JSON.stringify(defaultValue))} unless given)`;
}

/** One row for each field of an answer, those of nested objects too. */
function propertyRows(schema, prefix) {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const inner = property.type === 'array' ? property.items : property;
    const kind = property.type === 'array' ? `${inner.type}[]` : property.type;
    const below = propertyRows(inner, property.type === 'array' ? `${path}[].` : `${path}.`);
    return [[code(path), kind, property.description ?? ''], ...below];
  });
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replace(/\|/g, '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(text) {
  return `\`${text}\``;
}

function readOrEmpty(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
