import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { domainOwner } from '../../src/identity/domain-owner.js';
import { registrableDomain } from '../../src/identity/registrable-domain.js';
import { INPUTS, type InputName } from '../../src/model/ask.js';
import { normaliseInput } from '../../src/model/normalise.js';
import { tries } from '../helpers/long.js';

const normalise = (input: InputName, text: string) =>
  normaliseInput(input, text, registrableDomain);

function valueOf(input: InputName, text: string): string {
  const normalised = normalise(input, text);
  if (normalised.kind !== 'value') throw new Error(`${text} is ${normalised.kind}`);
  return normalised.value;
}

describe('a name', () => {
  it.each([
    ['  Ada ', 'Ada'],
    ['\t\u00a0Ada\r\n', 'Ada'],
    ['Ame\u0301lie', 'Am\u00e9lie'],
    ['Ame\u200b\u0301lie', 'Am\u00e9lie'],
    ['\ufeffAda\u200b', 'Ada'],
    ['Ada\u0000King', 'Ada King'],
    ['\u202aAda\u202c', 'Ada'],
    ['Ada  King', 'Ada  King'],
    ["O'Brien-Smith", "O'Brien-Smith"],
    ['王', '王'],
    ['7', '7'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['O\u2019Brien', 'O\u2019Brien'],
    ['\uff21\uff44\uff41', '\uff21\uff44\uff41'],
  ])('%j is sent as %j', (text, value) => {
    for (const input of ['firstName', 'lastName', 'companyName'] as const) {
      expect(normalise(input, text)).toEqual({ kind: 'value', value });
    }
  });
});

it('a name is sent without title, degree and emoji, and a company with them', () => {
  for (const [text, value] of [
    ['Dr. Ada', 'Ada'],
    ['Lovelace, PhD', 'Lovelace'],
    ['🚀 Ada', 'Ada'],
  ] as const) {
    expect(valueOf('firstName', text)).toBe(value);
    expect(valueOf('lastName', text)).toBe(value);
    expect(valueOf('companyName', text)).toBe(text);
  }
});

describe('an e-mail address', () => {
  it.each([
    ['Ada@Example.COM', 'ada@example.com'],
    [' mailto:ada@example.com\n', 'ada@example.com'],
    ['Ada <ada@example.com>', 'ada@example.com'],
    ['"Lovelace, Ada" <Ada@example.com>', 'ada@example.com'],
    ['ada@example.com, eve@example.com', 'ada@example.com'],
    ['ada@example.com;eve@example.com;', 'ada@example.com'],
    ['ada@example.com | eve@example.com', 'ada@example.com'],
    ['MAILTO:ada@example.com', 'ada@example.com'],
    ['ada+x@mail.example.co.uk', 'ada+x@mail.example.co.uk'],
    ['jos\u00c9@example.com', 'jos\u00e9@example.com'],
    ['ada@M\u00dcNCHEN.de', 'ada@xn--mnchen-3ya.de'],
    ['ada@xn--mnchen-3ya.de', 'ada@xn--mnchen-3ya.de'],
    ['ada@example.com.', 'ada@example.com'],
    ['ada@example.com..', 'ada@example.com'],
    ['\u202aada@example.com\u202c', 'ada@example.com'],
    ["o'brien@example.com", "o'brien@example.com"],
    ['o\u2019brien@example.com', "o'brien@example.com"],
    ['o\u00b4brien@example.com', "o'brien@example.com"],
    ['ada\u200d@exam\u200cple.com', 'ada@example.com'],
    ['\uff41\uff44\uff41\uff20example\uff0ecom', 'ada@example.com'],
    ['stra\u00dfe@example.com', 'stra\u00dfe@example.com'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    // Alpha with tonos, which lowering takes apart and NFC joins again.
    ['\u1fbc\u0301@example.com', '\u1fb4@example.com'],
  ])('%j is sent as %j', (text, value) => {
    expect(valueOf('email', text)).toBe(value);
  });

  it.each([
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@localhost',
    'ada@127.0.0.1',
    'ada@[127.0.0.1]',
    'ada@co.uk',
    'a da@example.com',
    'ada@exam ple.com',
    'ada@@example.com',
    'ada@eve@example.com',
    'ada@example.com, see note',
    'ada@b <ada@example.com>',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'ada@example..com',
    'ada@-example.com',
    'ada@example.com:25',
    'ada@example.com/x',
    'ada@example.com?subject=x',
    'ada@exa%6dple.com',
    `${'a'.repeat(65)}@example.com`,
  ])('%j is malformed', (text) => {
    expect(normalise('email', text)).toEqual({
      kind: 'malformed',
      reason: 'email is not an e-mail address',
    });
  });
});

describe('a profile URL', () => {
  it.each([
    ['https://social.example/in/Ada', 'https://social.example/in/Ada'],
    ['social.example/in/ada', 'https://social.example/in/ada'],
    ['http://Social.EXAMPLE/in/ada', 'http://social.example/in/ada'],
    ['HTTPS://social.example/in/ada', 'https://social.example/in/ada'],
    ['https://social.example/in/ada//', 'https://social.example/in/ada'],
    ['https://social.example/', 'https://social.example'],
    ['https://social.example:443/in/ada', 'https://social.example/in/ada'],
    ['https://social.example:8443/in/ada', 'https://social.example:8443/in/ada'],
    ['https://social.example./in/ada', 'https://social.example/in/ada'],
    ['https://social.example/in/ada#about', 'https://social.example/in/ada'],
    ['https://social.example/in/ada?', 'https://social.example/in/ada'],
    ['https://social.example/in/jos\u00e9', 'https://social.example/in/jos%C3%A9'],
    ['https://m\u00fcnchen.de/ada', 'https://xn--mnchen-3ya.de/ada'],
    [
      'https://social.example/in/ada/?utm_source=x&id=7&trk=y&fbclid=z',
      'https://social.example/in/ada?id=7',
    ],
    ['https://social.example/in/ada?UTM_Medium=x', 'https://social.example/in/ada'],
    ['https://social.example/p/?next=/a/', 'https://social.example/p?next=/a/'],
    ['https://social.example//?b=//', 'https://social.example?b=//'],
  ])('%j is sent as %j', (text, value) => {
    expect(normalise('socialUrl', text)).toEqual({ kind: 'value', value });
  });

  it.each([
    'ada',
    'in/ada',
    'ftp://social.example/in/ada',
    'javascript:alert(1)',
    'mailto:ada@example.com',
    'ada@example.com',
    'https://ada:secret@social.example/in/ada',
    'https://127.0.0.1/in/ada',
    'https://[::1]/in/ada',
    'https://localhost/in/ada',
    'https://co.uk/in/ada',
    'https://social.example/in/a da',
    'https://social .example',
    'https://',
    'https://social.example:99999/',
  ])('%j is malformed', (text) => {
    expect(normalise('socialUrl', text)).toEqual({
      kind: 'malformed',
      reason: 'socialUrl is not a web address',
    });
  });
});

describe('a company domain', () => {
  it.each([
    ['example.com', 'example.com'],
    ['WWW.Example.com', 'example.com'],
    ['https://www.cantwell.senate.gov', 'senate.gov'],
    ['https://fitzpatrick.house.gov/contact?x=1#y', 'house.gov'],
    ['http://shop.example.co.uk:8080/a', 'example.co.uk'],
    ['ada@mail.example.co.uk', 'example.co.uk'],
    ['mailto:Ada@Example.com', 'example.com'],
    ['https://www.m\u00fcnchen.de/stadt', 'xn--mnchen-3ya.de'],
    ['ada@m\u00fcnchen.de', 'xn--mnchen-3ya.de'],
    ['\u738b.\u4e2d\u56fd', 'xn--qby.xn--fiqs8s'],
    ['team.github.io', 'team.github.io'],
    ['example.com.', 'example.com'],
    ['example.com/a/b', 'example.com'],
  ])('%j is sent as %j', (text, value) => {
    expect(normalise('companyDomain', text)).toEqual({ kind: 'value', value });
  });

  it.each([
    'Example',
    'Example Ltd',
    'localhost',
    '127.0.0.1',
    'http://[::1]/',
    'co.uk',
    'ada@localhost',
    'ada@127.0.0.1',
    'ftp://example.com',
    'https://ada:secret@example.com',
    'example..com',
    '-example.com',
  ])('%j is malformed', (text) => {
    expect(normalise('companyDomain', text)).toEqual({
      kind: 'malformed',
      reason: 'companyDomain holds no domain name',
    });
  });
});

describe('what many share', () => {
  const byOwner = (input: InputName, text: string) =>
    normaliseInput(input, text, registrableDomain, domainOwner);

  it.each([
    ['https://www.linkedin.com/company/a', "a social network's"],
    ['linkedin.com/company/b', "a social network's"],
    ['https://de-de.facebook.com/bakery', "a social network's"],
    ['https://sites.google.com/view/a', "a site builder's"],
    ['x@gmail.com', "a mail provider's"],
    ['jo.kim@linkedin.com', "a social network's"],
    ['www.tumblr.com/acme', "a social network's"],
    ['http://www.yelp.com/biz/acme', "a directory's"],
    ['yelp.de/biz/acme', "a directory's"],
    ['https://www.google.com/url?q=https://acme.example', "a directory's"],
    ['https://www.google.fr/maps/place/Acme', "a directory's"],
    ['bit.ly/acme', "a directory's"],
    ['linktr.ee/acme', "a social network's"],
  ])('is no company by its domain: %s', (text, whose) => {
    const reason = `companyDomain is left out: it is ${whose} domain, and no company's`;
    expect(byOwner('companyDomain', text)).toEqual({ kind: 'left_out', reason });
  });

  it.each([
    ['https://acme.tumblr.com/about', 'acme.tumblr.com'],
    ['www.acme.jimdosite.com', 'acme.jimdosite.com'],
    ['acme.wixsite.com/shop', 'acme.wixsite.com'],
    ['x@acme.example', 'acme.example'],
    ['https://www.google.com/about', 'google.com'],
    ['www.yelp.com', 'yelp.com'],
    ['jo@bit.ly', 'bit.ly'],
    ['https://acme.example/url?q=1', 'acme.example'],
  ])('is told apart where each customer has a domain: %s', (text, value) => {
    expect(byOwner('companyDomain', text)).toEqual({
      kind: 'value',
      value,
    });
  });

  it.each([
    'https://www.linkedin.com/company/acme/',
    'linkedin.com/search/results/people/?keywords=ada',
    'https://fr.linkedin.com/school/x',
  ])('is left out, where a profile is the page of no person: %s', (text) => {
    expect(byOwner('socialUrl', text)).toEqual({
      kind: 'left_out',
      reason: 'socialUrl is left out: it is the page of a company or a search, and no person',
    });
  });

  it('is left out, where a profile is a social network as a whole', () => {
    expect(byOwner('socialUrl', 'https://www.linkedin.com/')).toEqual({
      kind: 'left_out',
      reason: 'socialUrl is left out: it names a social network, and no person there',
    });
    for (const url of ['https://www.linkedin.com/in/ada', 'https://ada.example']) {
      expect(byOwner('socialUrl', url)).toEqual({ kind: 'value', value: url });
    }
  });

  it('stays what it is where it was malformed or empty before', () => {
    expect(byOwner('companyDomain', 'co.uk').kind).toBe('malformed');
    expect(byOwner('companyDomain', '127.0.0.1').kind).toBe('malformed');
    expect(byOwner('companyDomain', '-').kind).toBe('empty');
  });

  it('is normalised once and for all', () => {
    const host = fc.constantFrom(
      'linkedin.com',
      'gmail.com',
      'acme.tumblr.com',
      'tumblr.com',
      'a.b.wordpress.com',
      'a.github.io',
      'github.io',
      'sites.google.com',
      'shop.firm-a.co.uk',
    );
    fc.assert(
      fc.property(host, fc.constantFrom('', '/', '/view/a', '?x=1'), (name, path) => {
        const once = byOwner('companyDomain', name + path);
        if (once.kind !== 'value') return;
        const again = byOwner('companyDomain', once.value);
        expect(again).toMatchObject({ kind: 'value', value: once.value });
      }),
    );
  });
});

describe('a word for "there is none"', () => {
  it.each(['n/a', '#N/A', 'NULL', 'none', 'Unknown', '#NV', 'keine Angabe', 'inconnu'])(
    '%j is empty where it could not be sent, and a name where it may be one',
    (text) => {
      for (const input of ['email', 'companyDomain', 'socialUrl'] as const) {
        expect(normalise(input, text)).toEqual({ kind: 'empty' });
      }
      for (const input of ['firstName', 'lastName', 'companyName'] as const) {
        expect(valueOf(input, text)).toBe(text);
      }
    },
  );

  it('is the whole cell', () => {
    expect(normalise('email', 'none at all').kind).toBe('malformed');
    expect(normalise('email', 'none@example.com').kind).toBe('value');
    expect(normalise('companyDomain', 'unknown.com').kind).toBe('value');
  });
});

describe.each(INPUTS)('%s', (input) => {
  it.each(['', '   ', '-', '.\u200b', '\u0000', '\u200b', '—', '\u0301', '?', '\u3164'])(
    'is empty where the cell is %j',
    (text) => {
      expect(normalise(input, text)).toEqual({ kind: 'empty' });
    },
  );

  it('is malformed where it is longer than 1,000 characters', () => {
    const reason = `${input} is longer than 1000 characters`;
    expect(normalise(input, 'a'.repeat(1_001))).toEqual({ kind: 'malformed', reason });
  });

  it('is normalised once and for all', () => {
    fc.assert(
      fc.property(textFor(input), (text) => {
        const once = normalise(input, text);
        if (once.kind !== 'value') return;
        expect(normalise(input, once.value)).toEqual({ kind: 'value', value: once.value });
        expect(once.value).toBe(once.value.normalize('NFC').trim());
        expect(once.value).not.toMatch(/\p{Cc}/u);
      }),
      { numRuns: tries(1_000) },
    );
  });

  it('does not depend on the white space around it or on the form of its accents', () => {
    fc.assert(
      fc.property(textFor(input), fc.constantFrom('NFC', 'NFD'), (text, form) => {
        const variant = `\u00a0\t${text.normalize(form)}\n `;
        expect(normalise(input, variant)).toEqual(normalise(input, text));
      }),
    );
  });
});

it('a name of 1,000 characters is a value, and a URL that grows beyond them is not', () => {
  expect(valueOf('firstName', 'a'.repeat(1_000))).toHaveLength(1_000);
  expect(normalise('socialUrl', `social.example/${'\u00e9'.repeat(400)}`).kind).toBe('malformed');
});

it('a host that is not ASCII is still one after many thousand leads', () => {
  const kinds = new Set<string>();
  for (let i = 0; i < 30_000; i++)
    kinds.add(normalise('companyDomain', 'https://m\u00fcnchen.de').kind);
  expect([...kinds]).toEqual(['value']);
});

it('an e-mail address, its host and a URL on it have one company domain', () => {
  const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/);
  // Short ones are public suffixes here and there: gr.com is one.
  const domain = fc
    .tuple(fc.stringMatching(/^firm-[a-z0-9]{1,8}$/), fc.constantFrom('com', 'co.uk', 'gov', 'de'))
    .map((parts) => parts.join('.'));
  fc.assert(
    fc.property(domain, label, label, (expected, below, local) => {
      const host = `${below}.${expected}`;
      const texts = [
        expected,
        host,
        host.toUpperCase(),
        `${local}@${host}`,
        `http://${host}/${local}`,
      ];
      for (const text of texts) expect(valueOf('companyDomain', text)).toBe(expected);
    }),
  );
});

/** Anything, and things that nearly are what the input wants. */
function textFor(input: InputName): fc.Arbitrary<string> {
  const piece = fc.oneof(
    fc.constantFrom('www.', 'http://', 'https://', 'mailto:', '@', '.', '/', '//', '?', '#', '&'),
    fc.constantFrom('utm_source=1', 'a=/', 'trk', '%20', '+', ':443', '\\', '\u200b', '\u00ad'),
    fc.constantFrom(
      'example',
      'M\u00fcnchen',
      'com',
      'co.uk',
      '\u0301',
      '\u0130',
      '\u1fbc',
      '\ufdfa',
    ),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  const anything = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  const wrapped: Record<InputName, (text: string) => string> = {
    email: (text) => `${text}@example.com`,
    socialUrl: (text) => `social.example/${text}`,
    companyDomain: (text) => `https://${text}.com/`,
    firstName: (text) => text,
    lastName: (text) => text,
    companyName: (text) => text,
  };
  return fc.oneof(anything, anything.map(wrapped[input]));
}
