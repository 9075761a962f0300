/** The tables of README.md and docs/gate.md say what the newest recorded run of bench/gate.mjs found. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/bundle.mjs';

type Row = {
  readonly queries: number;
  readonly words: number;
  readonly always: number;
  readonly skip: number;
  readonly loss: number;
};
type Halves = Readonly<Record<'tune' | 'report', { readonly by: Readonly<Record<string, Row>> }>>;

const [newest] = readdirSync(join(root, 'bench/runs'))
  .filter((name) => name.endsWith('-gate.json'))
  .sort()
  .reverse();
const run = JSON.parse(readFileSync(join(root, 'bench/runs', newest!), 'utf8'));
const gate: Halves = run.gates.gate;
const afterTable: Halves = run.afterTable;
const collections = Object.entries(gate.report.by);

/** Three digits, without the zero before the point. */
function short(value: number): string {
  return value.toFixed(3).replace(/^0/, '');
}

function signed(value: number): string {
  return value
    .toFixed(4)
    .replace(/^(-?)0/, '$1')
    .replace('-', '−');
}

/** Rows of the one table with this head. */
function rowsUnder(page: string, head: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const lines = text.slice(text.indexOf(head)).split('\n').slice(2);
  expect(text.split(head), `${page} has one table "${head}"`).toHaveLength(2);
  return lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('|')),
  );
}

describe(`of ${newest}`, () => {
  test('README.md shows each collection with and without the gate', () => {
    expect(collections.length).toBeGreaterThanOrEqual(15);
    expect(rowsUnder('README.md', '| collection | always | with the gate | skipped |')).toEqual(
      collections.map(
        ([name, { always, loss, skip }]) =>
          `| ${name} | ${short(always)} | ${short(always - loss)} | ${short(skip)} |`,
      ),
    );
  });

  test('docs/gate.md shows them with all figures', () => {
    const head =
      '| collection | queries | words | always | gated | skipped | loss | loss on the tuning half | skipped after the table |';
    expect(rowsUnder('docs/gate.md', head)).toEqual(
      collections.map(([name, { queries, words, always, skip, loss }]) => {
        const figures = [words, always, always - loss, skip].map(short);
        const others = [
          signed(loss),
          signed(gate.tune.by[name]!.loss),
          short(afterTable.report.by[name]!.skip),
        ];
        return `| ${[name, queries, ...figures, ...others].join(' | ')} |`;
      }),
    );
  });
});
