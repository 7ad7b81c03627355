// What a task brings, and what of it counts on a machine that states other things, or nothing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refuseUnstated, type Stated, type StatedHere } from '../../../src/app/queue/stated.js';
import { readTask, type TaskJob, writeTask } from '../../../src/app/queue/task.js';
import { describeJob } from '../../../src/app/settings/describe-job.js';
import type { JobFile } from '../../../src/config/job-schema.js';
import { loadJobDialect, readyMadeDialects } from '../../../src/config/load-dialect.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { problemOf } from '../../platform/test-server.js';

const OURS = 'https://p.example';
const folder = tempFolder();
const dialectFile = join(folder, 'mine.yaml');
writeFileSync(dialectFile, 'prefix: /v9\nprices: { find_email: 3 }\n');
const [readyMade = ''] = readyMadeDialects();

function jobOf(changes: Partial<JobFile> = {}) {
  return describeJob('nightly', {
    input: 'a.csv',
    out: 'b.csv',
    ask: ['find_email'],
    url: OURS,
    ...changes,
  });
}

/** As a worker reads it. */
async function taskOf(changes: Partial<JobFile> = {}): Promise<TaskJob> {
  const settings = jobOf(changes);
  const text = writeTask({ settings, dialect: await loadJobDialect(settings) });
  return readTask(text, 'nightly', 's.db');
}

function here({ worker = { url: OURS }, account = {}, own }: Partial<StatedHere>): StatedHere {
  return { worker, account, own };
}

async function unstatedKey(changes: Partial<JobFile>, stated: Partial<StatedHere>) {
  const problem = await problemOf(async () => refuseUnstated(await taskOf(changes), here(stated)));
  expect(problem.message).toMatch(/states: by .* Another worker may make the run\.$/);
  return problem.facts['unstated'];
}

describe('an address in a task', () => {
  it.each([
    'https://evil.example',
    'http://p.example',
    'https://p.example:8443',
    'https://p.example.',
    'https://p.example.evil.example',
    'https://sub.p.example',
    'https://evil.example/https://p.example',
    'https://evil.example\\@p.example',
    'https://p。example.evil.example',
    'https://p.ex\u0430mple',
    'http://127.0.0.1',
  ])('gets no credentials where the machine states another one: %s', async (url) => {
    expect(await unstatedKey({ url }, {})).toBe('url');
  });

  it.each(['https://me:pw@p.example', 'ftp://p.example', 'https://p.example?x=1', 'file:///etc/x'])(
    'that is none is refused, whatever is stated: %s',
    async (url) => {
      const task = await taskOf();
      const odd = { ...task, settings: { ...task.settings, url } };
      const problem = await problemOf(() => refuseUnstated(odd, here({ worker: { url: OURS } })));
      expect(problem).toMatchObject({ code: 'usage' });
    },
  );

  it.each(['https://P.Example', 'https://p.example:443/', 'https://p.example/v2/', 'sandbox'])(
    'may be another way to write the one that is stated, or its sandbox: %s',
    async (url) => {
      await refuseUnstated(await taskOf({ url }), here({}));
    },
  );

  it('is refused where nothing is stated', async () => {
    expect(await unstatedKey({}, { worker: {} })).toBe('url');
    expect(await unstatedKey({}, { worker: { url: 'sandbox' } })).toBe('url');
  });

  it('of an account is bound by the credentials file, whatever else is stated', async () => {
    const account = { url: 'https://other.example/api' };
    const own = jobOf();
    expect(await unstatedKey({}, { account, own })).toBe('url');
    await refuseUnstated(await taskOf({ url: 'https://other.example' }), here({ account, own }));
  });

  it("is stated by the job's own file, for the account that the file names", async () => {
    await refuseUnstated(await taskOf(), here({ worker: {}, own: jobOf() }));
    const own = jobOf({ account: 'acme' });
    expect(await unstatedKey({}, { worker: {}, own })).toBe('url');
    expect(await unstatedKey({ account: 'other' }, { worker: {}, own })).toBe('url');
    await refuseUnstated(await taskOf({ account: 'acme' }), here({ worker: {}, own }));
  });
});

describe('a dialect in a task', () => {
  it('counts where it comes with Sluice', async () => {
    await refuseUnstated(await taskOf({ dialect: readyMade }), here({}));
  });

  it.each([
    ['the worker', (stated: Stated) => ({ worker: { url: OURS, ...stated } })],
    ['the account', (account: Stated) => ({ account })],
    ["the job's own file", (stated: Stated) => ({ own: jobOf(stated as Partial<JobFile>) })],
  ])('and its prices count where %s states the same', async (_, state) => {
    const stated = { dialect: dialectFile };
    expect(await unstatedKey(stated, {})).toBe('dialect');
    await refuseUnstated(await taskOf(stated), here(state(stated)));
    const prices = { find_email: 0.5 };
    expect(await unstatedKey({ prices }, {})).toBe('prices');
    expect(await unstatedKey({ ...stated, prices }, state(stated))).toBe('prices');
    await refuseUnstated(await taskOf({ prices }), here(state({ prices })));
    await refuseUnstated(await taskOf({ ...stated, prices }), here(state({ ...stated, prices })));
  });
});

describe('a way back in a task', () => {
  const WEBHOOK = { collect: 'webhook', 'public-url': 'https://hooks.example/in' } as const;

  it('counts where the machine states the same', async () => {
    expect(await unstatedKey(WEBHOOK, {})).toBe('public-url');
    expect(await unstatedKey({ ...WEBHOOK, url: 'sandbox' }, {})).toBe('public-url');
    const other = { worker: { url: OURS, 'public-url': 'https://hooks.example' } };
    expect(await unstatedKey(WEBHOOK, other)).toBe('public-url');
    const same = { worker: { url: OURS, 'public-url': 'https://hooks.example/in/' } };
    await refuseUnstated(await taskOf(WEBHOOK), here(same));
    await refuseUnstated(await taskOf(WEBHOOK), here({ own: jobOf(WEBHOOK) }));
  });

  it('is this machine without one, and not another host that is to be listened on', async () => {
    await refuseUnstated(await taskOf({ collect: 'webhook' }), here({}));
    const listen = 'evil.example:80';
    expect(await unstatedKey({ collect: 'hybrid', listen, url: 'sandbox' }, {})).toBe('public-url');
  });

  it('does not matter where results are asked for', async () => {
    await refuseUnstated(await taskOf({ ...WEBHOOK, collect: 'poll' }), here({}));
  });
});
