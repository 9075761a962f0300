/**
 * Turns a piece that esbuild split off, an ES module, into CommonJS whose names are plain variables. What esbuild makes
 * of it itself reaches every name of another piece through two getters, each a function that has to be made first: a
 * third of the functions that a search ran were such.
 *
 * It relies on what is exported never being assigned again, which `refuseChangingExports` makes sure of, and on pieces
 * not importing each other in a circle, which esbuild never makes them do.
 */

import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * As `import()` gives what was written as CommonJS. Pieces of the program are given as they are. Names are inherited, not
 * copied: copying asks for each, which makes Node load half of its own modules for `node:crypto`.
 */
export const NAMESPACE_OF = `function namespaceOf(module) {
  return module.__esModule ? module : Object.create(module, { default: { value: module } });
}
`;

/**
 * Around what bin/memory.js loads, as Node puts it around a module: joining it there would copy half a megabyte,
 * which makes V8 collect garbage once more.
 */
export const MODULE_START = '(function (exports, require, module, __filename, __dirname) {';
export const MODULE_END = '})';

/** A piece's code in; out: `head` with its requires, `body`, and `exports`, the source of an object. */
export function toCommonJs(name, code) {
  const file = ts.createSourceFile(name, code, ts.ScriptTarget.ES2022, false, ts.ScriptKind.JS);
  const heads = [];
  const exported = [];
  const edits = [];
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) heads.push(requireOf(statement));
    else if (ts.isExportDeclaration(statement)) exported.push(...exportsOf(name, statement));
    else if (ts.isExportAssignment(statement)) exported.push(`default:${textOf(statement.expression, code)}`);
    else {
      edits.push(...dynamicImports(statement, code));
      continue;
    }
    edits.push({ start: statement.getStart(file), end: statement.end, text: '' });
  }
  return { head: heads.join(''), body: edited(code, edits), exports: `{${exported.join(',')}}` };
}

function requireOf({ importClause, moduleSpecifier }) {
  const module = `require(${JSON.stringify(asPiece(moduleSpecifier.text))})`;
  if (!importClause) return `${module};`;
  const { name, namedBindings } = importClause;
  const isOwn = moduleSpecifier.text.startsWith('.');
  const all = namedBindings && ts.isNamespaceImport(namedBindings) ? namedBindings.name.text : undefined;
  const named = namedBindings && !all ? namedBindings.elements : [];
  if (moduleSpecifier.text === 'node:os') return named.map(lateOsFunction).join('');
  const parts = named.map(({ propertyName, name: local }) =>
    propertyName ? `${nameOf(propertyName)}:${local.text}` : local.text,
  );
  const whole = isOwn || !all ? module : `namespaceOf(${module})`;
  return [
    name ? `const ${name.text}=${isOwn ? `${module}.default` : `namespaceOf(${module}).default`};` : '',
    all ? `const ${all}=${whole};` : '',
    parts.length > 0 ? `const{${parts.join(',')}}=${module};` : '',
  ].join('');
}

/** Node takes half a millisecond to load this module, and most calls need none of its functions. */
function lateOsFunction({ propertyName, name }) {
  const called = (propertyName ?? name).text;
  if (typeof os[called] !== 'function') throw new Error(`node:os: ${called} is no function`);
  return `const ${name.text}=(...given)=>require("node:os").${called}(...given);`;
}

function exportsOf(name, { exportClause, moduleSpecifier }) {
  if (!exportClause || moduleSpecifier) throw new Error(`${name}: exports from another module`);
  return exportClause.elements.map((one) =>
    one.propertyName ? `${nameOf(one.name)}:${one.propertyName.text}` : one.name.text,
  );
}

function nameOf(name) {
  return ts.isStringLiteral(name) ? JSON.stringify(name.text) : name.text;
}

function dynamicImports(statement, code) {
  const edits = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      const path = ts.isStringLiteralLike(argument) ? argument.text : undefined;
      const module = `require(${path === undefined ? textOf(argument, code) : JSON.stringify(asPiece(path))})`;
      const given = path?.startsWith('.') ? module : `namespaceOf(${module})`;
      edits.push({
        start: skipSpace(code, node.pos),
        end: node.end,
        text: `Promise.resolve().then(()=>${given})`,
      });
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return edits;
}

/** The name that a piece has as a file of CommonJS. */
function asPiece(path) {
  return path.startsWith('.') ? path.replace(/\.js$/, '.cjs') : path;
}

function textOf(node, code) {
  return code.slice(skipSpace(code, node.pos), node.end);
}

function skipSpace(code, at) {
  let start = at;
  while (/\s/.test(code[start])) start += 1;
  return start;
}

function edited(code, edits) {
  const parts = [];
  let at = 0;
  for (const { start, end, text } of edits.sort((a, b) => a.start - b.start)) {
    parts.push(code.slice(at, start), text);
    at = end;
  }
  return [...parts, code.slice(at)].join('');
}

/** TypeScript's enums are written as variables, but have their value as soon as they are there. */
const CHANGING_EXPORT = /^export (?:let|var) (\w+)(?!\w|;\s*\(function \(\1\))/m;

/** Throws where one of the sources in esbuild's metafile exports what gets its value later, or another one. */
export function refuseChangingExports({ inputs }, root) {
  for (const [path, { imports }] of Object.entries(inputs)) {
    for (const { kind, path: required } of imports) {
      if (kind === 'require-call' && inputs[required]?.format === 'esm') {
        throw new Error(
          `${required}: is set up when ${path} first requires it; until then its exports have no value`,
        );
      }
    }
    const file = join(root, path);
    if (existsSync(file) && CHANGING_EXPORT.test(readFileSync(file, 'utf8'))) {
      throw new Error(`${path}: exports a variable; other pieces would keep its first value`);
    }
  }
}
