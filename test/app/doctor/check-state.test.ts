import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CheckContext } from '../../../src/app/doctor/check-context.js';
import { checkState } from '../../../src/app/doctor/check-state.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { sqliteExaminer } from '../../../src/store/sqlite/state-checkup.js';
import { plantSize } from '../../helpers/state.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const DAY = 86_400_000;
const NOW = 1_700_000_000_000;

async function lookAt(path: string) {
  const clock = { now: () => NOW, sleep: () => Promise.resolve() };
  const context = { examiner: sqliteExaminer, state: path, clock } as unknown as CheckContext;
  const finding = await checkState(context);
  await context.checkup?.close();
  return finding;
}

it('a state file that grows is said to, and one that soon fills the disk is warned of', async () => {
  const path = join(tempFolder(), 'state.db');
  const store = openSqliteStore(path);
  await store.noteSize(NOW - 2 * DAY);
  await store.close();
  expect(await lookAt(path)).toMatchObject({
    verdict: 'ok',
    says: expect.not.stringContaining('growing'),
  });
  await plantSize(path, 0);
  const grows = await lookAt(path);
  expect(grows).toMatchObject({
    verdict: 'ok',
    says: expect.stringMatching(
      /state\.db: [\d.]+ KB.*, growing by [\d.]+ KB a day, schema \d+\.$/,
    ),
  });
  // As if it had come from far below: no disk has room for two days of this.
  await plantSize(path, -1e18);
  const fills = await lookAt(path);
  expect(fills).toMatchObject({
    verdict: 'warn',
    says: expect.stringMatching(/enough for 0 days\.$/),
    advice: expect.stringContaining('keep'),
  });
});
