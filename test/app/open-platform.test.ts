import { expect, it } from 'vitest';
import { readEnvironment } from '../../src/app/environment.js';
import { resolveJobSettings } from '../../src/app/job-settings.js';
import { accountText } from '../../src/app/open-platform.js';

const ENVIRONMENT = readEnvironment({ SLUICE_USERNAME: 'ada', SLUICE_PASSWORD: 'pw' });

function accountAt(url: string, environment = ENVIRONMENT): string {
  const job = { input: 'a.csv', ask: ['find_email' as const], url };
  return accountText(resolveJobSettings('a', job, environment), environment);
}

it('one platform is one account, however its address is spelled', () => {
  const spellings = ['https://api.example.com/v2', 'HTTPS://API.example.com:443/v2/'];
  expect(new Set(spellings.map((url) => accountAt(url))).size).toBe(1);
});

it('another address, another path or another user is another account; the password is not part of it', () => {
  const bob = readEnvironment({ SLUICE_USERNAME: 'bob', SLUICE_PASSWORD: 'pw' });
  const newPassword = readEnvironment({ SLUICE_USERNAME: 'ada', SLUICE_PASSWORD: 'other' });
  const url = 'https://api.example.com/v2';
  const others = [
    accountAt('https://api.example.org/v2'),
    accountAt('https://api.example.com/v3'),
    accountAt(url, bob),
  ];
  for (const other of others) expect(other).not.toBe(accountAt(url));
  expect(accountAt(url, newPassword)).toBe(accountAt(url));
  expect(accountAt('sandbox')).toBe('sandbox');
});

it('an address that is none is told before the credentials that are missing', () => {
  const nobody = readEnvironment({});
  expect(() => accountAt('ftp://api.example.com', nobody)).toThrow('is neither http nor https');
  expect(() => accountAt('https://api.example.com', nobody)).toThrow('credentials are missing');
});
