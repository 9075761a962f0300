/** docs/ranking.md and the profile say the same. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RANKING_CONSTANTS } from '../../src/core/retrieval/profile.js';

test('docs/ranking.md lists every constant with its value and reason', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/ranking.md'), 'utf8');
  const rows = page.slice(page.indexOf('## Constants')).match(/^\| `.*$/gm);
  const expected = Object.entries(RANKING_CONSTANTS).map(
    ([name, { value, reason }]) => `| \`${name}\` | ${value} | ${reason} |`,
  );
  expect(rows).toEqual(expected);
});
