/**
 * Queries for names in code on a manual of 9,751 notes: how often the note about one is the first hit, without the stream
 * `exact` and with it. Skipped where the vault is not at hand.
 */

import { beforeAll, expect, test } from 'vitest';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { systemClock } from '../../src/app/system-clock.js';
import { joinMemory } from '../../src/core/memory/join-memory.js';
import { NoteTexts } from '../../src/core/memory/note-texts.js';
import { rankQuery } from '../../src/core/memory/rank-query.js';
import { planQuery } from '../../src/core/retrieval/plan.js';
import { profileNamed } from '../../src/core/retrieval/profiles.js';
import { NO_VAULTS, sharedVault, sharedVaults } from '../shared-vaults.js';

const QUERIES: readonly (readonly [query: string, note: string])[] = [
  ['CWnd::Create', 'mfc/reference/cwnd-class.md'],
  ['std::vector', 'standard-library/vector-class.md'],
  ['/Zc:wchar_t', 'build/reference/zc-wchar-t-wchar-t-is-native-type.md'],
  ['C2440', 'error-messages/compiler-errors-1/compiler-error-c2440.md'],
  ['_CrtSetDbgFlag', 'c-runtime-library/reference/crtsetdbgflag.md'],
  ['LNK2019', 'error-messages/tool-errors/linker-tools-error-lnk2019.md'],
  ['__declspec', 'cpp/declspec.md'],
  ['std::unordered_map', 'standard-library/unordered-map-class.md'],
  ['C4996', 'error-messages/compiler-warnings/compiler-warning-level-3-c4996.md'],
  ['fopen_s', 'c-runtime-library/reference/fopen-s-wfopen-s.md'],
  ['_beginthreadex', 'c-runtime-library/reference/beginthread-beginthreadex.md'],
  ['__cpuid', 'intrinsics/cpuid-cpuidex.md'],
  ['COleDateTime::Format', 'atl-mfc-shared/reference/coledatetime-class.md'],
  ['/DELAYLOAD', 'build/reference/delayload-delay-load-import.md'],
  ['__uuidof', 'cpp/uuidof-operator.md'],
  ['weak_ptr', 'standard-library/weak-ptr-class.md'],
  ['_mm_stream_sd', 'intrinsics/mm-stream-sd.md'],
  ['_aligned_malloc', 'c-runtime-library/reference/aligned-malloc.md'],
  ['CArchive::Read', 'mfc/reference/carchive-class.md'],
  ['CStringT::Format', 'atl-mfc-shared/reference/cstringt-class.md'],
  ['fix LNK1104 cannot open file', 'error-messages/tool-errors/linker-tools-error-lnk1104.md'],
  ['how to use CWinApp::InitInstance', 'mfc/reference/cwinapp-class.md'],
  ['what does error C2440 mean.', 'error-messages/compiler-errors-1/compiler-error-c2440.md'],
  ['when does fopen_s fail?', 'c-runtime-library/reference/fopen-s-wfopen-s.md'],
];

const isAtHand = sharedVaults().includes('ms-cpp-docs');

beforeAll(() => {
  if (!isAtHand) process.stderr.write(`${NO_VAULTS}: queries for names in code are not tested\n`);
});

test.skipIf(!isAtHand)(
  'the note about a name in code is the first hit more often with the stream exact',
  async () => {
    const vault = openVault(sharedVault('ms-cpp-docs'));
    const index = await openSqliteIndex({ folder: undefined, clock: systemClock });
    const memory = joinMemory({ vault, index, clock: systemClock });
    await memory.reindex({});
    const words = profileNamed('words');
    const without = { ...words, constants: { ...words.constants, exactWeight: 0 } };
    const failing = async (profile: typeof words) => {
      const texts = new NoteTexts(vault);
      const missed: string[] = [];
      for (const [query, note] of QUERIES) {
        const plan = planQuery(query, profile.constants);
        const places = { index, clock: systemClock, texts };
        const { ranking } = await rankQuery(places, plan, profile, { limit: 10 }, {});
        if (ranking.hits[0]?.path !== `docs/${note}`) missed.push(query);
      }
      return missed;
    };
    expect(await failing(without)).toHaveLength(5);
    expect(await failing(words)).toEqual(['std::vector']);
    expect((await failing(profileNamed('code'))).length).toBeLessThanOrEqual(1);
    await memory.close();
  },
  240_000,
);
