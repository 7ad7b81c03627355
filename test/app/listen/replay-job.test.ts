import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replayJob } from '../../../src/app/listen/replay-job.js';
import { accountOf } from '../../../src/app/platform/account.js';
import { describeJob } from '../../../src/app/settings/describe-job.js';
import { readEnvironment } from '../../../src/app/settings/environment.js';
import { openKeyring } from '../../../src/app/state/state-file.js';
import { NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { atCall } from '../../helpers/around.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const folder = tempFolder();

it('counts the deliveries of its account alone, while a listener keeps others', async () => {
  const environment = readEnvironment({ SLUICE_USERNAME: 'u', SLUICE_PASSWORD: 'p' });
  const job = describeJob('nightly', {
    input: 'leads.csv',
    ask: ['find_email'],
    url: 'https://platform.example',
    state: join(folder, 'state.db'),
  });
  const store = openSqliteStore(job.state);
  const source = { settings: job, dialect: NEUTRAL_DIALECT, environment };
  const scope = (await openKeyring(store)).scopeOf(await accountOf(source, store));
  let kept = 0;
  const keep = (whose: string, count: number) =>
    store.keepArrivals(
      Array.from({ length: count }, () => ({
        scope: whose,
        enrichmentId: null,
        callId: null,
        receivedAt: 0,
        body: `{"n":${(kept += 1)}}`,
      })),
    );
  await keep(scope, 2);
  await keep('another', 1);
  const meanwhile = atCall(store, 'handleDeliveries', 1, async (handle) => {
    const changed = await handle();
    await keep('another', 5);
    return changed;
  });
  expect(await replayJob(meanwhile, job, { environment })).toEqual({
    deliveries: 2,
    changed: 0,
    withoutBody: 0,
  });
  expect(await replayJob(store, job, { environment, all: true })).toEqual({
    deliveries: 2,
    changed: 0,
    withoutBody: 0,
  });
  await store.close();
});
