import { expect, it } from 'vitest';
import { accountOf, checkAccount, checkPayer } from '../../../src/app/platform/account.js';
import { readEnvironment } from '../../../src/app/settings/environment.js';
import { dialectSchema, NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import { digestHex } from '../../../src/identity/digest.js';

const ADA = { SLUICE_USERNAME: 'ada', SLUICE_PASSWORD: 'pw' };
const KEYED = dialectSchema.parse({ auth: { header: 'X-API-Key' } });
const URL = 'https://api.example.com/v2';
const stateWith = (byte: number) => ({ signingKey: async () => new Uint8Array(32).fill(byte) });

interface Who {
  readonly account?: string;
  readonly url?: string;
  readonly variables?: NodeJS.ProcessEnv;
  readonly dialect?: typeof NEUTRAL_DIALECT;
  readonly state?: ReturnType<typeof stateWith>;
}

const accountFor = ({
  url = URL,
  account,
  variables = ADA,
  dialect = NEUTRAL_DIALECT,
  state,
}: Who) =>
  accountOf(
    { settings: { url, account }, dialect, environment: readEnvironment(variables) },
    state ?? stateWith(1),
  );

it('with a user name keeps the name that state files know it by', async () => {
  expect(await accountFor({})).toBe(digestHex(`${URL}\nada`));
  expect(await accountFor({ url: 'sandbox', variables: {} })).toBe(digestHex('sandbox'));
});

it('is the one of that id where the name is an id, at any address', async () => {
  const id = await accountFor({});
  expect(
    await accountFor({ account: `id-${id}`, variables: { ...ADA, SLUICE_USERNAME: 'x' } }),
  ).toBe(id);
  expect(await accountFor({ account: `id-${id}0` })).toBe(digestHex(`${URL}\nid-${id}0`));
});

it('is one, however its address is spelled', async () => {
  const spellings = [URL, 'HTTPS://API.example.com:443/v2/'];
  const accounts = await Promise.all(spellings.map((url) => accountFor({ url })));
  expect(new Set(accounts).size).toBe(1);
});

it('on this machine is one by each of its names, and another one at another port or scheme', async () => {
  const hosts = ['localhost', 'LOCALHOST', '127.0.0.1', '127.1', '[::1]', '[0:0:0:0:0:0:0:1]'];
  const accounts = await Promise.all(
    hosts.map((host) => accountFor({ url: `http://${host}:8080/v2/` })),
  );
  expect(new Set(accounts).size).toBe(1);
  const others = [
    'http://localhost:8081/v2',
    'https://localhost:8080/v2',
    'http://10.0.0.1:8080/v2',
  ];
  for (const url of others) expect(await accountFor({ url })).not.toBe(accounts[0]);
});

it('is another one at another address or path, or for another user; the password is no part of it', async () => {
  const own = await accountFor({});
  const others = await Promise.all([
    accountFor({ url: 'https://api.example.org/v2' }),
    accountFor({ url: 'https://api.example.com/v3' }),
    accountFor({ variables: { ...ADA, SLUICE_USERNAME: 'bob' } }),
  ]);
  expect(others).not.toContain(own);
  expect(await accountFor({ variables: { ...ADA, SLUICE_PASSWORD: 'other' } })).toBe(own);
});

it('of a key is one for each key, address and state file', async () => {
  const variables = { SLUICE_API_KEY: 'k1' };
  const keyed = { dialect: KEYED, variables };
  const accounts = await Promise.all([
    accountFor(keyed),
    accountFor({ ...keyed, variables: { SLUICE_API_KEY: 'k2' } }),
    accountFor({ ...keyed, url: 'https://api.example.org' }),
    // Without the signing key of the state file, no guess of the key can be tested.
    accountFor({ ...keyed, state: stateWith(2) }),
  ]);
  expect(new Set(accounts).size).toBe(accounts.length);
  expect(await accountFor(keyed)).toBe(accounts[0]);
});

it.each([
  { SLUICE_USERNAME: '', SLUICE_PASSWORD: 'k1' },
  { SLUICE_USERNAME: 'k1', SLUICE_PASSWORD: '' },
])('of Basic with one half alone, %j, is that of a key', async (variables) => {
  const account = await accountFor({ variables });
  expect(account).toBe(await accountFor({ dialect: KEYED, variables: { SLUICE_API_KEY: 'k1' } }));
  expect(account).not.toBe(digestHex(`${URL}\n${variables.SLUICE_USERNAME}`));
});

it('of any name keeps it over every key, and is that of the user of this name', async () => {
  const keyed = { dialect: KEYED, account: 'ada' };
  const accounts = await Promise.all([
    accountFor({ ...keyed, variables: { SLUICE_API_KEY: 'k1' } }),
    accountFor({ ...keyed, variables: { SLUICE_API_KEY: 'k2' }, state: stateWith(2) }),
    accountFor({ account: 'ada', variables: { ...ADA, SLUICE_USERNAME: 'bob' } }),
    accountFor({}),
  ]);
  expect(new Set(accounts).size).toBe(1);
  expect(await accountFor({ account: 'bob' })).not.toBe(accounts[0]);
});

it('tells an address that is none before the credentials that are missing', () => {
  const check = (url: string, dialect = NEUTRAL_DIALECT) =>
    checkAccount({
      settings: { url, account: undefined },
      dialect,
      environment: readEnvironment({}),
    });
  expect(() => check('ftp://api.example.com')).toThrow('is neither http nor https');
  expect(() => check(URL)).toThrow('credentials are missing');
  expect(() => check(URL, KEYED)).toThrow('key is missing: set SLUICE_API_KEY');
  expect(() => check('sandbox')).not.toThrow();
});

it('needs no password to be named, unless there is no user name; paying needs it', async () => {
  const source = (variables: NodeJS.ProcessEnv, account?: string) => ({
    settings: { url: URL, account },
    dialect: NEUTRAL_DIALECT,
    environment: readEnvironment(variables),
  });
  const nameAlone = { SLUICE_USERNAME: 'ada' };
  expect(await accountFor({ variables: nameAlone })).toBe(await accountFor({}));
  expect(() => checkPayer(source(nameAlone))).not.toThrow();
  expect(() => checkAccount(source(nameAlone))).toThrow('SLUICE_PASSWORD');
  expect(() => checkPayer(source({}))).toThrow('SLUICE_USERNAME');
  expect(() => checkPayer(source({}, 'acme'))).not.toThrow();
  expect(() => checkAccount(source({}, 'acme'))).toThrow('SLUICE_USERNAME');
  // Set to nothing on purpose, it says that the user name is a key.
  const key = { SLUICE_USERNAME: 'ada', SLUICE_PASSWORD: '' };
  expect(await accountFor({ variables: key })).not.toBe(await accountFor({}));
});
