import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../../../src/app/settings/environment.js';
import { resolveJobSettings } from '../../../src/app/settings/job-settings.js';
import { jobOfFlags } from '../../../src/cli/job-flags.js';
import { JOB_DEFAULTS, type JobFile } from '../../../src/config/job-schema.js';
import { shapeOf } from '../../../src/model/columns/positions.js';
import { problemOf } from '../../platform/test-server.js';

const EMPTY = readEnvironment({});
const LEAST: JobFile = { input: 'leads.csv', ask: ['find_email'], url: 'sandbox' };

function resolve(stated: Partial<JobFile>, variables: NodeJS.ProcessEnv = {}) {
  return resolveJobSettings('nightly', { ...LEAST, ...stated }, readEnvironment(variables));
}

describe('the settings of a job', () => {
  it('are the defaults where nothing is stated', () => {
    expect(resolve({})).toMatchObject({
      job: 'nightly',
      input: ['leads.csv'],
      ask: ['find_email'],
      verify: 'open',
      onUnavailable: 'wait',
      onUncertain: 'wait',
      url: 'sandbox',
      concurrency: 20,
      positions: 'current',
      freshForMs: 30 * 86_400_000,
      seed: 1,
      deadlineMs: 7_200_000,
      collect: 'poll',
      listen: { host: '127.0.0.1', port: 8640 },
      callback: 'request',
      claimWaitMs: 60_000,
      submit: 'auto',
      firstBatch: 50,
      timezone: 'UTC',
      catchUp: 'one',
      state: 'data/sluice.db',
      acceptRejects: 0.1,
      formulaGuard: true,
    });
  });

  it('are what the job states, whatever the defaults are', () => {
    const stated: JobFile = {
      input: ['a.csv', 'b.csv'],
      out: { people: 'out.csv', companies: 'companies.csv' },
      ask: ['find_phone'],
      map: { email: 'mail' },
      url: 'https://p.example',
      dialect: 'acme.yaml',
      sandbox: true,
      account: 'team A',
      concurrency: 3,
      rate: '5/1s',
      positions: 'long',
      'fresh-for': '2h',
      keep: '3h',
      'keep-deliveries': '7d',
      limit: 9,
      where: 'a = b',
      'only-missing': true,
      sample: 50,
      seed: 7,
      fill: { email: 'Mail' },
      deadline: '10s',
      collect: 'webhook',
      listen: '[::1]:9000',
      'public-url': 'https://hooks.example/sluice',
      callback: 'hook',
      'claim-wait': '5m',
      submit: 'single',
      budget: 0,
      prices: { find_email: 0.5 },
      'first-batch': 9,
      'same-person': 'exact',
      'pay-anew': true,
      schedule: '0 2 * * *',
      timezone: 'Europe/Vienna',
      'catch-up': 'none',
      state: 's.db',
      format: 'ndjson',
      sheet: 'Leads',
      delimiter: ';',
      encoding: 'utf-16le',
      'accept-rejects': '50%',
      'delimiter-out': '|',
      key: ['id', 'team', 'id'],
      bom: true,
      excel: true,
      'formula-guard': false,
      'fail-on': ['uncertain'],
      'visible-only': true,
    };
    const changed = new Set(['out', 'rate', 'keep', 'deadline', 'listen', 'schedule', 'key']);
    const same = Object.fromEntries(
      Object.entries(stated).filter(([key]) => !key.includes('-') && !changed.has(key)),
    );
    expect(resolve(stated)).toEqual({
      ...same,
      stated,
      schedule: '0 2 * * *',
      catchUp: 'none',
      job: 'nightly',
      out: 'out.csv',
      further: { companies: 'companies.csv' },
      key: ['id', 'team'],
      rate: [{ requests: 5, perMs: 1_000 }],
      freshForMs: 7_200_000,
      keepMs: 10_800_000,
      keepDeliveriesMs: 7 * 86_400_000,
      deadlineMs: 10_000,
      listen: { host: '::1', port: 9_000 },
      publicUrl: 'https://hooks.example/sluice',
      claimWaitMs: 300_000,
      firstBatch: 9,
      acceptRejects: 0.5,
      delimiterOut: '|',
      accept: {},
      verify: 'open',
      onUnavailable: 'wait',
      onUncertain: 'wait',
      samePerson: 'exact',
      payAnew: true,
      onlyMissing: true,
      formulaGuard: false,
      failOn: [{ kind: 'uncertain', abovePercent: 0 }],
      visibleOnly: true,
    });
    expect(resolve({ rate: 'off' }).rate).toEqual([]);
  });

  it('have the keep of SLUICE_KEEP where the job states none', async () => {
    expect(resolve({}, { SLUICE_KEEP: '90d' }).keepMs).toBe(90 * 86_400_000);
    expect(resolve({ keep: '60d' }, { SLUICE_KEEP: '90d' }).keepMs).toBe(60 * 86_400_000);
    expect(resolve({}, { SLUICE_KEEP: '' }).keepMs).toBeUndefined();
    const problem = await problemOf(() => resolve({}, { SLUICE_KEEP: 'soon' }));
    expect(problem).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('SLUICE_KEEP'),
    });
  });

  it('keep the default where a value is undefined', () => {
    const undefinedEverywhere = Object.fromEntries(
      Object.keys(JOB_DEFAULTS).map((key) => [key, undefined]),
    );
    expect(resolve(undefinedEverywhere)).toEqual(resolve({}));
  });

  it.each<[JobFile['collect'], Partial<JobFile>]>([
    ['poll', {}],
    ['poll', { callback: 'hook', 'claim-wait': '2m' }],
    ['hybrid', { 'public-url': 'https://hooks.example' }],
    ['hybrid', { listen: '9000' }],
    ['poll', { 'public-url': 'https://hooks.example', collect: 'poll' }],
    ['webhook', { listen: '9000', collect: 'webhook' }],
  ])('collect by %s where the job says %j', (collect, stated) => {
    expect(resolve(stated).collect).toBe(collect);
  });

  it('take a public URL without the slashes at its end, so that a key follows after one', () => {
    expect(resolve({ 'public-url': 'https://hooks.example/a//' }).publicUrl).toBe(
      'https://hooks.example/a',
    );
  });

  it('have caps in money where the steps of a waterfall say what a credit costs', async () => {
    const step = { url: 'sandbox', credit: '0.05 EUR' };
    const caps = { month: '6 EUR' };
    expect(resolve({ caps, waterfall: [step] }).caps).toMatchObject({ month: 120 });
    const unpriced = { caps, waterfall: [{ url: 'sandbox' }] };
    expect(() => resolve(unpriced)).toThrow(/^A cap of 6 EUR is money/);
  });

  it('have a budget in credits also where it is money', async () => {
    expect(resolve({ budget: '6 EUR', credit: '0.05 EUR' })).toMatchObject({ budget: 120 });
    for (const [stated, says] of [
      [{ budget: '6 EUR' }, /^A budget of 6 EUR is money, and what a credit costs is not stated: /],
      [
        { budget: '6 EUR', credit: '1 USD' },
        /^A budget of 6 EUR is in EUR, and a credit is priced/,
      ],
      [{ budget: '0.01 EUR', credit: '999999 EUR' }, /^A budget of 0\.01 EUR buys no credit\.$/],
      [
        { budget: '-6 EUR' },
        /^budget: a budget is a number of credits, .* or money like 40 EUR\.$/,
      ],
    ] as const) {
      expect(await problemOf(() => resolve(stated))).toMatchObject({
        code: 'usage',
        message: expect.stringMatching(says),
      });
    }
    // Over all steps of a waterfall it stays money: each step has a price of its own.
    expect(resolve({ budget: '6 EUR', waterfall: [{ url: 'https://a.example' }] })).toMatchObject({
      budget: undefined,
      moneyBudget: { millionths: 6_000_000, currency: 'EUR' },
    });
  });

  it('name an ask once, so that its price counts once', () => {
    const ask = ['find_phone', 'find_email', 'find_phone'] as const;
    expect(resolve({ ask }).ask).toEqual(['find_phone', 'find_email']);
  });
});

describe('what is said twice', () => {
  const VARIABLES = { SLUICE_URL: 'https://environment.example', SLUICE_STATE: 'environment.db' };
  const JOB = { url: 'https://job.example', state: 'job.db', concurrency: 2 };
  const FLAGS = { url: 'https://flag.example', state: 'flag.db', set: ['concurrency=1'] };

  it.each([
    ['flags over everything', FLAGS, JOB, VARIABLES, 'https://flag.example', 'flag.db', 1],
    ['the job over the environment', {}, JOB, VARIABLES, 'https://job.example', 'job.db', 2],
    [
      'the environment over the defaults',
      {},
      {},
      VARIABLES,
      'https://environment.example',
      'environment.db',
      20,
    ],
    ['flags over the environment', FLAGS, {}, VARIABLES, 'https://flag.example', 'flag.db', 1],
    ['the job over the defaults', {}, JOB, {}, 'https://job.example', 'job.db', 2],
  ])('goes by %s', (_, flags, job, variables, url, state, concurrency) => {
    const base: JobFile = { input: 'leads.csv', ask: ['find_email'], ...job };
    const settings = resolveJobSettings(
      'nightly',
      jobOfFlags(flags, base),
      readEnvironment(variables),
    );
    expect(settings).toMatchObject({ url, state, concurrency });
  });

  it('goes by the flag also where it switches off', () => {
    const base: JobFile = { ...LEAST, excel: true, 'formula-guard': true };
    const stated = jobOfFlags({ excel: false, set: ['formula-guard=false'] }, base);
    expect(resolveJobSettings('nightly', stated, EMPTY)).toMatchObject({
      excel: false,
      formulaGuard: false,
    });
  });
});

describe('what has no default', () => {
  it.each<['url' | 'ask', JobFile]>([
    ['url', { input: 'leads.csv', ask: ['find_email'] }],
    ['ask', { input: 'leads.csv', url: 'sandbox' }],
  ])('%s is asked for, by flag and by key', async (key, stated) => {
    const problem = await problemOf(() => resolveJobSettings('nightly', stated, EMPTY));
    expect(problem).toMatchObject({ code: 'usage', message: expect.stringContaining(key) });
    expect(problem.message).toContain(`give --${key}, or ${key}: in the job`);
  });
});

it('a shape of positions that no job can have is a bug, not a usage error', () => {
  expect(shapeOf('wide:3')).toEqual({ kind: 'wide', count: 3 });
  expect(() => shapeOf('tall')).toThrow(/unknown shape of positions: tall/);
});
