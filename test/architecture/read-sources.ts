/** Reads a folder of TypeScript into what its files import, export and use. find-violations.ts judges it. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

export type SourceImport = {
  /** Path below the folder for an own file, else the specifier; undefined when it is computed. */
  readonly target: string | undefined;
  readonly isOwn: boolean;
  /** Gone when the program runs. */
  readonly isTypeOnly: boolean;
};

export type Source = {
  /** Below the folder, with `/`. */
  readonly path: string;
  readonly imports: readonly SourceImport[];
  readonly hasDefaultExport: boolean;
  /** Clocks, randomness and the process, as written. */
  readonly impurities: readonly string[];
};

export function readSources(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.[mc]?tsx?$/.test(path))
    .sort()
    .map((path) => readSource(path, readFileSync(join(folder, path), 'utf8')));
}

function readSource(path: string, text: string): Source {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: SourceImport[] = [];
  const impurities = new Set<string>();
  let hasDefaultExport = false;
  const add = (specifier: ts.Node | undefined, isTypeOnly: boolean): void => {
    const name = specifier !== undefined && ts.isStringLiteralLike(specifier) ? specifier.text : undefined;
    const isOwn = name?.startsWith('.') ?? false;
    imports.push({ target: isOwn ? ownPath(path, name!) : name, isOwn, isTypeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node));
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier)
      add(node.moduleSpecifier, isTypeExport(node));
    else if (ts.isImportTypeNode(node)) add(literalOf(node.argument), true);
    else if (ts.isImportEqualsDeclaration(node)) add(undefined, false);
    else if (ts.isCallExpression(node) && isLoading(node.expression)) add(node.arguments[0], false);
    if (isDefaultExport(node)) hasDefaultExport = true;
    const impurity = impurityOf(node);
    if (impurity !== undefined) impurities.add(impurity);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { path, imports, hasDefaultExport, impurities: [...impurities] };
}

function ownPath(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
}

function literalOf(argument: ts.TypeNode): ts.Node | undefined {
  return ts.isLiteralTypeNode(argument) ? argument.literal : undefined;
}

function isTypeImport({ importClause }: ts.ImportDeclaration): boolean {
  if (importClause === undefined) return false;
  if (importClause.isTypeOnly) return true;
  const { name, namedBindings } = importClause;
  if (name !== undefined || namedBindings === undefined || !ts.isNamedImports(namedBindings)) return false;
  return namedBindings.elements.length > 0 && namedBindings.elements.every((element) => element.isTypeOnly);
}

function isTypeExport({ isTypeOnly, exportClause }: ts.ExportDeclaration): boolean {
  if (isTypeOnly) return true;
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) return false;
  return exportClause.elements.length > 0 && exportClause.elements.every((element) => element.isTypeOnly);
}

function isLoading(callee: ts.Expression): boolean {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true;
  return ts.isIdentifier(callee) && callee.text === 'require';
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportSpecifier(node)) return node.name.text === 'default';
  return ts.canHaveModifiers(node) && hasModifier(node, ts.SyntaxKind.DefaultKeyword);
}

function hasModifier(node: ts.HasModifiers, kind: ts.SyntaxKind): boolean {
  return ts.getModifiers(node)?.some((modifier) => modifier.kind === kind) ?? false;
}

const IMPURE_MEMBERS = new Set(['Date.now', 'Math.random']);
const IMPURE_GLOBALS = new Set([
  'process',
  'performance',
  'crypto',
  'Buffer',
  'setTimeout',
  'setInterval',
  'fetch',
]);

function impurityOf(node: ts.Node): string | undefined {
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) {
    return 'new Date()';
  }
  if (ts.isPropertyAccessExpression(node) && IMPURE_MEMBERS.has(node.getText())) return node.getText();
  if (!ts.isIdentifier(node) || !IMPURE_GLOBALS.has(node.text)) return undefined;
  const { parent } = node;
  const isUse =
    (ts.isPropertyAccessExpression(parent) && parent.expression === node) ||
    (ts.isCallExpression(parent) && parent.expression === node);
  return isUse ? node.text : undefined;
}
