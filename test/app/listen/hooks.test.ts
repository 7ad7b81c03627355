import { describe, expect, it } from 'vitest';
import { hookAddress, renewedAddress } from '../../../src/app/listen/hooks.js';
import { createKeyring } from '../../../src/identity/keyring.js';

const signingKey = new Uint8Array(32).fill(7);
const before = createKeyring(signingKey, 'a word');
const after = createKeyring(signingKey, 'another word');
const URL = 'https://leads.example.com/sluice';

describe('the address of a hook', () => {
  it('ends in a key by which the listener knows the account', () => {
    const address = hookAddress(URL, before, 'ada');
    const scope = before.scopeOf('ada');
    expect(address.startsWith(`${URL}/`)).toBe(true);
    const key = before.open(address.slice(URL.length + 1));
    expect(key).toEqual({ kind: 'hook', scope, id: 0 });
  });

  it('is made anew with a new secret', () => {
    const old = hookAddress(URL, before, 'ada');
    expect(renewedAddress(old, after, 'ada')).toBe(hookAddress(URL, after, 'ada'));
    expect(renewedAddress(old, before, 'ada')).toBe(old);
  });

  it.each([
    'https://crm.example.com/hook',
    'https://crm.example.com',
    hookAddress(URL, before, 'bob'),
    `${hookAddress(URL, before, 'ada')}/more`,
  ])('stays where it is not of this account: %s', (target) => {
    expect(renewedAddress(target, after, 'ada')).toBe(target);
  });
});
