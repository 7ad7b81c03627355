// The accounts whose runs a worker may make.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountOf } from '../../../src/app/platform/account.js';
import { environmentOf, openAccounts } from '../../../src/app/queue/accounts.js';
import { atRateOf } from '../../../src/app/run/waterfall/steps.js';
import { describeJob } from '../../../src/app/settings/describe-job.js';
import { type Environment, readEnvironment } from '../../../src/app/settings/environment.js';
import { NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import type { Store } from '../../../src/ports/store/store.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const store = { signingKey: async () => new Uint8Array(32) } as Partial<Store> as Store;
const OWN = readEnvironment({ SLUICE_USERNAME: 'own', SLUICE_PASSWORD: 'p' });

const folder = tempFolder();

function fileOf(text: string, mode = 0o600): string {
  const file = join(folder, 'accounts.yaml');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

const jobOf = (account?: string) => ({
  settings: describeJob('nightly', {
    input: 'a.csv',
    ask: ['find_email'],
    url: 'https://p.example',
    account,
  }),
  dialect: NEUTRAL_DIALECT,
});

const FILE = `accounts:
  acme: { username: ada, password: { variable: ACME } }
  other: { username: bob, password: plain }
`;

describe('the accounts of a worker', () => {
  it('are that of its environment and those of its file, by their names or by who pays', async () => {
    const accounts = await openAccounts(OWN, fileOf(FILE), { ACME: 'hidden' });
    expect(accounts.count).toBe(2);
    const named = await accounts.find(jobOf('acme'), 'any', store);
    expect(named?.environment.credentials('basic')).toEqual({
      username: 'ada',
      password: 'hidden',
    });
    for (const username of ['own', 'bob']) {
      const environment = readEnvironment({ SLUICE_USERNAME: username, SLUICE_PASSWORD: 'x' });
      const account = await accountOf({ ...jobOf(), environment }, store);
      const found = await accounts.find(jobOf(), account, store);
      expect(found?.environment.credentials('basic')).toMatchObject({ username });
    }
  });

  it.each([
    ['username', { username: '', password: 'k' }],
    ['password', { username: 'k', password: '' }],
  ])('may have an empty %s beside a key', async (_, credentials) => {
    const file = fileOf(`accounts:\n  acme: ${JSON.stringify(credentials)}\n`);
    const accounts = await openAccounts(OWN, file);
    const named = await accounts.find(jobOf('acme'), 'any', store);
    expect(named?.environment.credentials('basic')).toEqual(credentials);
    const environment = readEnvironment({
      SLUICE_USERNAME: credentials.username,
      SLUICE_PASSWORD: credentials.password,
    });
    const account = await accountOf({ ...jobOf(), environment }, store);
    const found = await accounts.find(jobOf(), account, store);
    expect(found?.environment.credentials('basic')).toEqual(credentials);
    const ofStep = await environmentOf(OWN, file);
    expect(ofStep('acme')?.credentials('basic')).toEqual(credentials);
  });

  it('have a key, or a name and a password', async () => {
    const file = fileOf("accounts: { acme: { username: '', password: '' } }");
    const held = await (await openAccounts(OWN, file)).find(jobOf('acme'), 'any', store);
    expect(() => held?.environment.credentials('basic')).toThrow('username and password');
    const none = fileOf("accounts: { acme: { api-key: '' } }");
    await expect(openAccounts(OWN, none)).rejects.toThrow('it is empty');
  });

  it('may state the limit of the account, under which a job that states none sends', async () => {
    const file = fileOf('accounts: { acme: { api-key: k, rate: [100/60s, 20/2s] } }');
    const held = await (await openAccounts(OWN, file)).find(jobOf('acme'), 'any', store);
    const environment = held?.environment as Environment;
    const rate = [
      { requests: 20, perMs: 2_000 },
      { requests: 100, perMs: 60_000 },
    ];
    expect(atRateOf(jobOf('acme').settings, environment).rate).toEqual(rate);
    const stated = { ...jobOf('acme').settings, rate: [] };
    expect(atRateOf(stated, environment).rate).toEqual([]);
    const wrong = fileOf('accounts: { acme: { api-key: k, rate: 20 per 2s } }');
    await expect(openAccounts(OWN, wrong)).rejects.toThrow('a rate is written like');
  });

  it('are no others', async () => {
    const accounts = await openAccounts(OWN, undefined);
    expect(await accounts.find(jobOf('acme'), 'any', store)).toBeUndefined();
    expect(await accounts.find(jobOf(), 'that of another', store)).toBeUndefined();
  });

  it('are not none, but for the sandbox', async () => {
    const half = readEnvironment({ SLUICE_USERNAME: 'own' });
    await expect(openAccounts(half, undefined)).rejects.toThrow('--credentials');
    expect((await openAccounts(half, fileOf(FILE), { ACME: 'x' })).count).toBe(2);
    for (const variables of [{ SLUICE_API_KEY: 'k' }, { SLUICE_URL: 'sandbox' }]) {
      expect((await openAccounts(readEnvironment(variables), undefined)).count).toBe(0);
    }
  });

  it('are not read from a file that others may read, or that lacks a secret', async () => {
    await expect(openAccounts(OWN, fileOf(FILE, 0o640), {})).rejects.toThrow('chmod 600');
    await expect(openAccounts(OWN, fileOf(FILE), {})).rejects.toThrow('the variable ACME');
    await expect(openAccounts(OWN, fileOf('accounts: { a: { key: x } }'))).rejects.toThrow('key');
  });
});
