/** Which parts of a query are names in code, and how notes spell them. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { spellingIn } from '../../src/core/retrieval/exact-names.js';
import { identifiersOf } from '../../src/core/retrieval/identifiers.js';
import { planQuery } from '../../src/core/retrieval/plan.js';

const identifiersIn = (query: string) => identifiersOf(planQuery(query));
/** Signs and letters that names in code are made of, and any others. */
const someText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'aZé_:.-/\\\'"`([{<>)9 #@$~', 'getUserById', 'C2440'),
      fc.string({ unit: 'grapheme' }),
    ),
  )
  .map((parts) => parts.join(''));

const spellingsIn = (query: string) => identifiersIn(query).map(({ spelling }) => spelling);

describe('identifiersOf()', () => {
  test.each([
    ['getUserById', 'getuserbyid'],
    ['snake_case', 'snakecas'],
    ['CWnd::Create', 'cwnd::create'],
    ['/Zc:wchar_t', 'wchart'],
    ['C2440', 'c2440'],
    ['LNK2019', 'lnk2019'],
    ['DEC-0054', 'dec0054'],
    ['_CrtSetDbgFlag', 'crtsetdbgflag'],
    ['__declspec', 'declspec'],
    ['AFX_MANAGE_STATE', 'afxmanagest'],
    ['src/foo/bar.ts', 'src/foo/bar.ts'],
    ['README.md', 'readme.md'],
    ['v1.0.21', '1.0.21'],
    ['--flag', '--flag'],
    ['.NET', '.net'],
    ['user@example.com', 'user@example.com'],
  ])('takes %s for one', (query, term) => {
    expect(identifiersIn(query)).toMatchObject([{ spelling: query, term }]);
  });

  test.each([
    ['where is std::vector.', 'std::vector'],
    ['(CWnd::Create())', 'CWnd::Create'],
    ['`snake_case`,', 'snake_case'],
    ['std::vector<int>', 'std::vector'],
    ['does printf() flush?', 'printf'],
    ['"index.ts"', 'index.ts'],
  ])('takes punctuation off: %s', (query, spelling) => {
    expect(spellingsIn(query)).toEqual([spelling]);
  });

  test.each([
    'what it is, and when it ends.',
    'e.g. the U.S. at 5 p.m.',
    'LeBron and/or McDonald',
    "well-known, 24-yard, 1990's",
    '3.5 litres, 1,000 times on 2024-01-05',
    'COM HWND README C++ c#',
    '小さなHydroMedusaの名前',
    'don’t',
    '',
  ])('takes nothing in prose for one: %s', (query) => {
    expect(spellingsIn(query)).toEqual([]);
  });

  test('leaves out what is excluded, and names each once', () => {
    expect(spellingsIn('getUserById -get_user_by_id getUserById')).toEqual(['getUserById']);
  });

  test('reads any text', () => {
    fc.assert(
      fc.property(someText, (text) => {
        for (const { spelling, term, terms } of identifiersIn(text)) {
          expect(text.normalize('NFC')).toContain(spelling);
          expect(terms).toContain(term);
          expect(() => spellingIn(text, spelling)).not.toThrow();
        }
      }),
    );
  });
});

describe('spellingIn()', () => {
  test.each([
    ['getUserById', 'calls getUserById(1)', 'getUserById', 'text'],
    ['getUserById', '# About getUserById\n\ntext', 'getUserById', 'heading'],
    ['getUserById', '---\ntitle: getUserById\n---\ntext', 'getUserById', 'heading'],
    ['getUserById', 'getUserById\n\n## `getUserById`\n', 'getUserById', 'heading'],
    ['getUserById', 'calls get_user_by_id', 'get_user_by_id', 'other'],
    ['getUserById', 'calls GetUserByID', 'GetUserByID', 'other'],
    ['get_user_by_id', 'calls getUserById', 'getUserById', 'other'],
    ['_CrtSetDbgFlag', 'the function \\_CrtSetDbgFlag', '_CrtSetDbgFlag', 'text'],
    ['_CrtSetDbgFlag', 'crtsetdbgflag.md', 'crtsetdbgflag', 'other'],
    ['std::vector', 'a std::vector::iterator', 'std::vector', 'text'],
    ['std::vector', 'a Std::Vector', 'Std::Vector', 'other'],
    ['C2440', 'Compiler Error C2440', 'C2440', 'text'],
    ['C2440', 'c-2440', 'c-2440', 'other'],
    ['LNK2019', 'lnk2019', 'lnk2019', 'other'],
    ['.NET', 'ASP.NET', 'NET', 'other'],
    ['/Zc:wchar_t', 'use /Zc:wchar_t-', '/Zc:wchar_t', 'text'],
    ['größe_max', 'die gro\u0308ße_max', 'größe_max', 'text'],
    ['größe_max', 'ÜGRÖSSE_MAX, GröSSe-max, GRÖßE-MAX', 'GRÖßE-MAX', 'other'],
    ['getUserById', 'éGetUserById, “get_user_by_id”', 'get_user_by_id', 'other'],
    ['getUserById', 'getUserByIdé: getUserById…', 'getUserById', 'text'],
    ['𝒜b_c', 'x𝒜b_c 𝒜𝒜b-c 𝒜B-C', '𝒜B-C', 'other'],
  ])('of %s in "%s"', (name, text, spelling, place) => {
    expect(spellingIn(text.replaceAll('\\_', '_'), name)).toEqual({ spelling, place });
  });

  test.each([
    ['getUserById', 'forgetUserById, getUserByIds and get user by id'],
    ['C2440', 'C24401 AC2440 C2440_1'],
    ['std::vector', 'mystd::vectors'],
    ['getUserById', ''],
  ])('of %s is none in "%s"', (name, text) => {
    expect(spellingIn(text, name)).toBeUndefined();
  });
});
