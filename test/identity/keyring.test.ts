import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyring } from '../../src/identity/keyring.js';
import type { CorrelationKey } from '../../src/model/correlation-key.js';
import { tries } from '../helpers/long.js';

const SIGNING_KEY = new Uint8Array(32).fill(7);
const keyring = createKeyring(SIGNING_KEY, 'the hook secret');
const scope = keyring.scopeOf('api.example.com ada');

const kinds = fc.constantFrom('enrichment', 'batch', 'hook' as const);
const anyKey: fc.Arbitrary<CorrelationKey> = fc.record({
  kind: kinds,
  scope: fc.string().map((account) => keyring.scopeOf(account)),
  id: fc.oneof(fc.maxSafeNat(), fc.nat(100), fc.constant(Number.MAX_SAFE_INTEGER)),
});
const URL_LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.');

describe('a correlation key', () => {
  it('opens to what was sealed', () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        expect(keyring.open(keyring.seal(key))).toEqual(key);
      }),
    );
  });

  it('is short, and needs no escaping in a URL', () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        expect(keyring.seal(key)).toMatch(/^[\w.-]{38,48}$/);
      }),
    );
  });

  it('is the same for ever: platforms hold keys that older versions sealed', () => {
    expect(scope).toBe('7a4196d7e218');
    expect(keyring.seal({ kind: 'enrichment', scope, id: 71 })).toBe(
      'e1z.7a4196d7e218.aODJojOJHk6n_Bk7vM0uww',
    );
    expect(keyring.seal({ kind: 'batch', scope, id: 0 })).toBe(
      'b0.7a4196d7e218.UQzeCNML7c9Z360Edz4fAg',
    );
    expect(keyring.seal({ kind: 'hook', scope, id: 0 })).toBe(
      'h0.7a4196d7e218.ltuulIZr8tkENuBKMRgMfw',
    );
  });

  it('does not open with any one character changed, added or left out', () => {
    fc.assert(
      fc.property(
        anyKey,
        fc.nat(),
        fc.oneof(fc.constantFrom(...URL_LETTERS), fc.string({ maxLength: 1, unit: 'binary' })),
        (key, where, letter) => {
          const text = keyring.seal(key);
          const at = where % text.length;
          const [before, after] = [text.slice(0, at), text.slice(at + 1)];
          for (const changed of [before + letter + after, `${before}${letter}${text.slice(at)}`]) {
            if (changed !== text) expect(keyring.open(changed)).toBeUndefined();
          }
        },
      ),
      { numRuns: tries(1000) },
    );
  });

  it('has one spelling', () => {
    const text = keyring.seal({ kind: 'enrichment', scope, id: 35 });
    const [first = '', , mac = ''] = text.split('.');
    expect(first).toBe('ez');
    expect(keyring.open(`e0z.${scope}.${mac}`)).toBeUndefined();
    expect(keyring.open(`eZ.${scope}.${mac}`)).toBeUndefined();
    expect(keyring.open(`ez.${scope.toUpperCase()}.${mac}`)).toBeUndefined();
    expect(keyring.open(`${text}=`)).toBeUndefined();
    expect(keyring.open(`${text}\n`)).toBeUndefined();
    // The last letter of 16 bytes in base64 carries two bits; the other four are to spare.
    const last = URL_LETTERS.indexOf(text.at(-1) ?? '');
    for (const letter of URL_LETTERS.slice(0, 64)) {
      const other = text.slice(0, -1) + letter;
      expect(keyring.open(other) === undefined).toBe(URL_LETTERS.indexOf(letter) !== last);
    }
  });

  it.each([
    '',
    '.',
    '..',
    'e1',
    'e1..',
    `e1.${'0'.repeat(12)}.${'A'.repeat(22)}`,
    'x'.repeat(100_000),
  ])('is not any other text: case %#', (text) => {
    expect(keyring.open(text)).toBeUndefined();
  });

  it('of another store does not open', () => {
    const other = createKeyring(new Uint8Array(32).fill(8), 'the hook secret');
    for (const kind of ['enrichment', 'batch', 'hook'] as const) {
      expect(other.open(keyring.seal({ kind, scope, id: 5 }))).toBeUndefined();
    }
  });

  it('of one kind is none of another', () => {
    const text = keyring.seal({ kind: 'batch', scope, id: 5 });
    expect(keyring.open(text.replace(/^b/, 'e'))).toBeUndefined();
    expect(keyring.open(text.replace(/^b/, 'h'))).toBeUndefined();
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 53])('is not made for the id %d', (id) => {
    expect(() => keyring.seal({ kind: 'enrichment', scope, id })).toThrow('cannot be sealed');
  });

  it.each(['', 'ABCDEF012345', 'abc', 'abcdef012345.'])('is not made for the scope %j', (wrong) => {
    expect(() => keyring.seal({ kind: 'hook', scope: wrong, id: 0 })).toThrow('cannot be sealed');
  });
});

describe('the secret of a hook', () => {
  const secrets = [undefined, '', 'a', 'b', 'a\n'];

  it('makes another address, and only of the hook', () => {
    for (const mine of secrets) {
      for (const theirs of secrets) {
        const [one, two] = [createKeyring(SIGNING_KEY, mine), createKeyring(SIGNING_KEY, theirs)];
        const hook = { kind: 'hook', scope, id: 0 } as const;
        expect(two.open(one.seal(hook))).toEqual(mine === theirs ? hook : undefined);
        for (const kind of ['enrichment', 'batch'] as const) {
          const key = { kind, scope, id: 9 };
          expect(two.open(one.seal(key))).toEqual(key);
        }
      }
    }
  });
});

describe('a scope', () => {
  it('is 12 hexadecimal digits, the same for the same account, and another for another', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        expect(keyring.scopeOf(a)).toMatch(/^[0-9a-f]{12}$/);
        expect(keyring.scopeOf(a) === keyring.scopeOf(b)).toBe(a === b);
      }),
    );
  });

  it('cannot be computed by who does not know the signing key', () => {
    const other = createKeyring(new Uint8Array(32).fill(8));
    expect(other.scopeOf('ada')).not.toBe(keyring.scopeOf('ada'));
  });
});
