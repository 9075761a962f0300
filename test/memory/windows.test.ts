/** How a passage is cut into the texts that are embedded. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { windowsOf } from '../../src/core/memory/windows.js';

const passage = (text: string) => ({ vectorKey: 'k', context: 'Title', text });

test('windowsOf() keeps a short passage whole, and any passage where no length is asked for', () => {
  expect(windowsOf(passage('short text'), 400)).toEqual([{ vectorKey: 'k', text: 'Title\nshort text' }]);
  expect(windowsOf(passage('word '.repeat(500)), undefined)).toHaveLength(1);
  expect(windowsOf(passage(''), 400)).toHaveLength(1);
});

test('windowsOf() cuts between words, loses nothing, and puts the context before each', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 3_000 }), fc.integer({ min: 20, max: 500 }), (text, chars) => {
      const windows = windowsOf(passage(text), chars);
      expect(windows.map((window) => window.text.slice('Title\n'.length)).join('')).toBe(text);
      for (const window of windows) expect(window.text.length).toBeLessThan(1.5 * chars + 60);
    }),
  );
  const windows = windowsOf(passage('abcdefghi '.repeat(100)), 250);
  expect(windows).toHaveLength(4);
  for (const { text } of windows)
    expect(
      text
        .slice(6)
        .trim()
        .split(' ')
        .every((word) => word === 'abcdefghi'),
    ).toBe(true);
});
