import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASKS, type Ask, INPUTS, type Inputs } from '../../src/domain/ask.js';
import { canonicalText } from '../../src/domain/fingerprint.js';
import { normaliseInput } from '../../src/domain/normalise.js';
import { registrableDomain } from '../../src/identity/registrable-domain.js';

const asks = fc.subarray([...ASKS], { minLength: 1 });
const word = fc.stringMatching(/^[a-zäéñ]{1,8}$/);
const words = fc.array(word, { minLength: 1, maxLength: 3 });

function textOf(inputs: Inputs, ask: readonly Ask[] = ['find_email'], account = 'acc'): string {
  return canonicalText({ ask, inputs }, account);
}

function urlOf(text: string): string {
  const normalised = normaliseInput('socialUrl', text, registrableDomain);
  return normalised.kind === 'value' ? normalised.value : '';
}

describe('two spellings of one lead', () => {
  it('are one payment whatever their case and white space', () => {
    const spelling = fc.record({
      gap: fc.constantFrom('  ', '\t', '\u00a0', ' \u2003 '),
      isUpper: fc.boolean(),
      form: fc.constantFrom('NFC', 'NFD'),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...INPUTS),
        words,
        spelling,
        (input, parts, { gap, isUpper, form }) => {
          const cased = isUpper ? parts.map((part) => part.toUpperCase()) : parts;
          const variant = cased.join(gap).normalize(form);
          expect(textOf({ [input]: variant })).toBe(textOf({ [input]: parts.join(' ') }));
        },
      ),
    );
  });

  it.each([
    'http://social.example/in/ada',
    'https://www.social.example/in/ada',
    'HTTP://WWW.social.example/in/ADA/',
    'www.social.example/in/ada?utm_source=x',
    'social.example/in/ada#about',
    'social.example./in/ada',
  ])('are one payment for the profile URL %s', (text) => {
    const socialUrl = urlOf('https://social.example/in/ada');
    expect(textOf({ socialUrl: urlOf(text) })).toBe(textOf({ socialUrl }));
  });

  it('are one payment whatever the order of the asks', () => {
    fc.assert(
      fc.property(asks, (ask) => {
        const inputs = { email: 'ada@example.com' };
        expect(textOf(inputs, ask.toReversed())).toBe(textOf(inputs, ask));
        expect(textOf(inputs, [...ask, ...ask])).toBe(textOf(inputs, ask));
      }),
    );
  });
});

describe('two payments', () => {
  it('are made for different values, inputs, asks or accounts, and only for those', () => {
    const account = fc.constantFrom('a', 'b', '["a"]', 'a","b');
    const value = fc.constantFrom('x', 'y', 'x y', 'x","y', '["x"]', 'null', '\\', '"');
    const inputs = fc.dictionary(fc.constantFrom(...INPUTS), value, { maxKeys: 3 });
    const request = fc.tuple(inputs, asks, account);
    fc.assert(
      fc.property(request, request, (a, b) => {
        const isSame = JSON.stringify(a.map(sorted)) === JSON.stringify(b.map(sorted));
        expect(textOf(...a) === textOf(...b)).toBe(isSame);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each<[string, Inputs, Inputs]>([
    [
      'first and last name swapped',
      { firstName: 'a', lastName: 'b' },
      { firstName: 'b', lastName: 'a' },
    ],
    ['a value under another input', { companyName: 'a' }, { companyDomain: 'a' }],
    ['a value and none', { firstName: 'a' }, {}],
    ['an accent', { firstName: 'Jose' }, { firstName: 'José' }],
    ['a space', { firstName: 'Mary Ann' }, { firstName: 'MaryAnn' }],
    ['another host', { socialUrl: 'https://a.example/x' }, { socialUrl: 'https://b.example/x' }],
    ['a scheme in a company name', { companyName: 'https://a' }, { companyName: 'a' }],
  ])('are made for %s', (_, a, b) => {
    expect(textOf(a)).not.toBe(textOf(b));
  });
});

it('the canonical text stays what it is, for results are paid for under its digest', () => {
  const inputs = { firstName: ' Ada  MARIA', socialUrl: 'https://www.social.example/in/Ada' };
  expect(textOf(inputs, ['find_phone', 'find_email'], 'acc')).toBe(
    '[1,"acc",["find_email","find_phone"],[null,"social.example/in/ada"," ada maria",null,null,null]]',
  );
});

/** Keys in one order, so that equal objects are equal texts. */
function sorted(part: Inputs | readonly Ask[] | string): unknown {
  return typeof part === 'object' && !Array.isArray(part)
    ? Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))
    : part;
}
