import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registrableDomain } from '../../src/identity/registrable-domain.js';
import { ASKS, type Ask, INPUTS, type Inputs } from '../../src/model/ask.js';
import { canonicalText } from '../../src/model/fingerprint.js';
import { normaliseInput } from '../../src/model/normalise.js';
import { isLong, tries } from '../helpers/long.js';

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

  it.each([
    ['uk.linkedin.com/in/ada-lovelace', 'm.linkedin.com/in/Ada-Lovelace/'],
    ['linkedin.com/in/ada-lovelace/en', 'linkedin.com/in/ada-lovelace/details/experience/'],
    ['linkedin.com/mwlite/in/ada-lovelace', 'linkedin.com/in/ada-lovelace?miniProfileUrn=urn%3Ali'],
    ['linkedin.com/in/jos\u00e9', 'linkedin.com/in/JOS%c3%89?locale=es'],
    ['linkedin.com/in/%zz', 'www.linkedin.com/in/%ZZ/fr'],
    [
      'linkedin.com/sales/lead/ACwAABcD,NAME_SEARCH,x1',
      'linkedin.com/sales/people/ACwAABcD,name,y2',
    ],
  ])('are one payment for the profiles %s and %s', (a, b) => {
    expect(urlOf(a)).not.toBe('');
    expect(textOf({ socialUrl: urlOf(a) })).toBe(textOf({ socialUrl: urlOf(b) }));
  });

  it.each([
    ['Acme', 'ACME, Inc.'],
    ['Acme', 'acme incorporated'],
    ['Acme', 'Acme Co., Ltd.'],
    ['Acme', 'Acme S. A. de C. V.'],
    ['Acme', 'Acme Sp. z o.o.'],
    ['Acme', 'Acme spol. s r.o.'],
    ['Acme', 'Acme A/S'],
    ['Acme', 'PT Acme Tbk'],
    ['Müller & Söhne', 'MÜLLER & SÖHNE GmbH & Co. KG'],
    ['Acme', 'Acme UG (haftungsbeschränkt)'],
    ['トヨタ', '株式会社トヨタ'],
    ['トヨタ', 'ﾄﾖﾀ㈱'],
    ['Coca-Cola', 'Coca Cola'],
    ["McDonald's", 'McDonald’s Corp'],
    ['Yahoo!', 'Yahoo'],
    ['A.P. Møller', 'AP Møller'],
    ['AG', 'A.G.'],
  ])('are one payment for the companies %s and %s', (a, b) => {
    expect(textOf({ companyName: a })).toBe(textOf({ companyName: b }));
  });

  it.each([
    ['an invisible joiner', 'می\u200cخواهم', 'میخواهم'],
    ['another joiner', 'علی\u200dرضا', 'علیرضا'],
    ['a joiner at the end', 'Ada \u200c', 'Ada'],
    ['a selector of variants', '葛\u{E0100}', '葛'],
    ['a filler', 'Kim\u3164', 'Kim'],
    ['curly apostrophes', 'O\u2019Brien', "O'Brien"],
    ['the hyphen that breaks no line', 'Meyer\u2011Lam', 'Meyer-Lam'],
    ['an opening quote for an apostrophe', 'O\u2018Brien', "O'Brien"],
    ['an accent for an apostrophe', 'O\u00b4Brien', "O'Brien"],
    ['a full-width apostrophe', 'O\uff07Brien', "O'Brien"],
    ['an apostrophe within a letter', '\u0149a', "'na"],
    ['full-width letters', '\uff21\uff44\uff41', 'Ada'],
    ['half-width kana', '\uff76\uff85', 'カナ'],
    ['an ideographic space', '株式会社\u3000ア', '株式会社 ア'],
    ['a ligature', '\ufb01rm', 'firm'],
    ['a sharp s', 'Strauß', 'STRAUSS'],
    ['a capital sharp s', 'STRAU\u1e9e', 'Strauß'],
    ['a final sigma', 'οδος', 'ΟΔΟΣ'],
    ['a sigma that is not final', 'οδοσ', 'οδος'],
  ])('are one payment for %s in a name', (_, a, b) => {
    for (const name of ['firstName', 'lastName', 'companyName'] as const) {
      expect(textOf({ [name]: a })).toBe(textOf({ [name]: b }));
    }
  });

  it('are so for every letter there is: what is folded once is folded for good', () => {
    const nameOf = (text: string) => JSON.parse(textOf({ lastName: text }))[3][3] as string;
    // Many in one text, since there are a million. Beyond these two planes no letter has a capital.
    const last = isLong ? 0x10ffff : 0x1ffff;
    for (let first = 0x20; first <= last; first += 1_000) {
      const points = Array.from({ length: Math.min(1_000, last + 1 - first) }, (_, n) => first + n);
      const letters = points.map((point) => `a${String.fromCodePoint(point)}b`);
      const text = letters.join(' ').toWellFormed();
      const once = nameOf(text);
      const where = `from U+${first.toString(16)} on`;
      if (nameOf(once) !== once) expect.fail(`something is folded twice ${where}`);
      if (nameOf(text.toUpperCase()) !== once)
        expect.fail(`something differs in capitals ${where}`);
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(nameOf(nameOf(text))).toBe(nameOf(text));
      }),
      { numRuns: tries(2_000) },
    );
  });

  it('are one payment where they differ in case, blanks and Unicode form alone', () => {
    const piece = fc.constantFrom(
      'ß',
      'SS',
      'İ',
      'ı',
      'ς',
      'Σ',
      "'",
      '’',
      ' ',
      '\u3000',
      'e\u0301',
      'É',
    );
    const name = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 2 })));
    const inputs = name.map((pieces) => ({ lastName: pieces.join('') }));
    fc.assert(
      fc.property(inputs, ({ lastName }) => {
        const plain = (text: string) => text.toLowerCase().normalize('NFC').replace(/\s+/gu, ' ');
        const variant = lastName.toLowerCase().normalize('NFD');
        fc.pre(plain(variant) === plain(lastName));
        expect(textOf({ lastName: variant })).toBe(textOf({ lastName }));
      }),
      { numRuns: tries(2_000) },
    );
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
    // Of a company, punctuation is no part.
    const names = INPUTS.filter((name) => name !== 'companyName');
    const inputs = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 });
    const request = fc.tuple(inputs, asks, account);
    fc.assert(
      fc.property(request, request, (a, b) => {
        const isSame = JSON.stringify(a.map(sorted)) === JSON.stringify(b.map(sorted));
        expect(textOf(...a) === textOf(...b)).toBe(isSame);
      }),
      { numRuns: tries(1_000) },
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
    ['an umlaut', { lastName: 'Müller' }, { lastName: 'Mueller' }],
    ['another apostrophe in a mailbox', { email: "o'b@a.example" }, { email: 'ob@a.example' }],
    ['a sharp s in a mailbox', { email: 'straße@a.example' }, { email: 'strasse@a.example' }],
    ['a letter', { lastName: 'O’Brien' }, { lastName: 'Obrien' }],
    ['a space', { firstName: 'Mary Ann' }, { firstName: 'MaryAnn' }],
    ['another host', { socialUrl: 'https://a.example/x' }, { socialUrl: 'https://b.example/x' }],
    ['a scheme in a company name', { companyName: 'https://a' }, { companyName: 'a' }],
    ['a holding', { companyName: 'Acme Holding AG' }, { companyName: 'Acme AG' }],
    ['a part of a group', { companyName: 'Acme (UK) Ltd' }, { companyName: 'Acme Ltd' }],
    ['a sign in a company name', { companyName: 'C# Ltd' }, { companyName: 'C++ Ltd' }],
    ['forms that are the name', { companyName: 'AG' }, { companyName: 'Co' }],
    ['signs that are the name', { companyName: '!!!' }, { companyName: '???' }],
    [
      'another slug',
      { socialUrl: urlOf('linkedin.com/in/ada') },
      { socialUrl: urlOf('linkedin.com/in/ada-2') },
    ],
    [
      'the host of another network',
      { socialUrl: urlOf('mylinkedin.com/in/ada') },
      { socialUrl: urlOf('linkedin.com/in/ada') },
    ],
    [
      'an old address, whose name is not unique',
      { socialUrl: urlOf('linkedin.com/pub/ada/1/2/3') },
      { socialUrl: urlOf('linkedin.com/pub/ada/7/2/3') },
    ],
    [
      'a parameter that is a number',
      { socialUrl: urlOf('linkedin.com/profile/view?id=1') },
      { socialUrl: urlOf('linkedin.com/profile/view?id=2') },
    ],
    [
      'case in the number of a member',
      { socialUrl: urlOf(`linkedin.com/in/ACoAA${'a'.repeat(34)}`) },
      { socialUrl: urlOf(`linkedin.com/in/ACoAA${'A'.repeat(34)}`) },
    ],
    [
      'a tab of another network',
      { socialUrl: urlOf('social.example/in/ada/en') },
      { socialUrl: urlOf('social.example/in/ada/fr') },
    ],
  ])('are made for %s', (_, a, b) => {
    expect(textOf(a)).not.toBe(textOf(b));
  });
});

it('the canonical text stays what it is, for results are paid for under its digest', () => {
  const inputs = { firstName: 'Ada  MARIA', socialUrl: 'https://www.social.example/in/Ada' };
  expect(textOf(inputs, ['find_phone', 'find_email'], 'acc')).toBe(
    '[1,"acc",["find_email","find_phone"],[null,"social.example/in/ada","ada maria",null,null,null]]',
  );
});

/** Keys in one order, so that equal objects are equal texts. */
function sorted(part: Inputs | readonly Ask[] | string): unknown {
  return typeof part === 'object' && !Array.isArray(part)
    ? Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))
    : part;
}

describe('a custom ask', () => {
  const firm = { ask: ['firm'], inputs: { companyDomain: 'x.example' } };

  it('is another payment with another definition, and changes none of the standard ones', () => {
    const [one, other] = ['[1]', '[2]'].map((text) => canonicalText(firm, 'acc', { firm: text }));
    expect(one).not.toBe(other);
    const mail = { ask: ['find_email'], inputs: firm.inputs };
    expect(canonicalText(mail, 'acc', { firm: '[1]' })).toBe(canonicalText(mail, 'acc'));
    expect(canonicalText(mail, 'acc')).toBe(
      '[1,"acc",["find_email"],[null,null,null,null,"x.example",null]]',
    );
  });
});
