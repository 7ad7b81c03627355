import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeJob } from '../../src/app/describe-job.js';
import { readEnvironment } from '../../src/app/environment.js';
import { runJob } from '../../src/app/run-job.js';
import { serveMetrics } from '../../src/metrics/serve-metrics.js';
import { openSqliteStore } from '../../src/store/open-sqlite-store.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { csv, people } from '../helpers/workdir.js';

const folder = tempFolder();
const at = (name: string): string => join(folder, name);
const environment = readEnvironment({ SLUICE_USERNAME: 'u', SLUICE_PASSWORD: 'p' });
const store = openSqliteStore(at('state.db'));
const metrics = await serveMetrics(
  { host: '127.0.0.1', port: 0 },
  { contentType: 'text/plain', text: async () => '' },
);
afterAll(async () => {
  await metrics.close();
  await store.close();
});

describe('a job that serves metrics', () => {
  it('is busy while another process has it, and only then asks for the port, which that process has', async () => {
    writeFileSync(at('leads.csv'), csv(people(1)));
    const job = describeJob('nightly', {
      input: at('leads.csv'),
      out: at('out.csv'),
      ask: ['find_email'],
      url: 'http://127.0.0.1:9',
      state: at('state.db'),
      'metrics-listen': `127.0.0.1:${metrics.port}`,
    });
    const lock = await store.lockJob('nightly', { pid: 1, host: 'here', since: 0 });
    await expect(runJob(job, { environment })).rejects.toMatchObject({ code: 'busy' });
    if (lock.kind === 'taken') await lock.release();
    await expect(runJob(job, { environment })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('the port is taken'),
    });
    expect(await store.isLocked('nightly')).toBe(false);
    expect(await store.listRuns(1)).toEqual([]);
  });
});
