import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPersonMatch, withoutPerson } from '../../src/model/person-match.js';
import type { JsonValue } from '../../src/model/text/json.js';
import { isLong } from '../helpers/long.js';
import { textOfSigns } from '../helpers/signs.js';

const email = createPersonMatch([{ kind: 'email', spellings: ['ada@acme.com'] }]);
const domain = createPersonMatch([{ kind: 'domain', spellings: ['acme.com'] }]);
const url = createPersonMatch([
  { kind: 'url', spellings: ['https://www.linkedin.com/in/andré', 'linkedin.com/in/andré'] },
]);

describe('whom a text is about', () => {
  it.each([
    ['ada@acme.com', true],
    ['Ada Lovelace <ADA@Acme.com>', true],
    ['mailto:ada@acme.com?subject=x', true],
    ['write to ada@acme.com.', true],
    ['ada%40acme.com', true],
    ['nada@acme.com', false],
    ['x.ada@acme.com', false],
    ['ada@acme.com.br', false],
    ['ada@acme.community', false],
    ['ada@acme-com.net', false],
  ])('the e-mail address in %s: %s', (text, isAbout) => {
    expect(email.inJson([text])).toBe(isAbout);
    expect(email.inText(`"x",${text},1`)).toBe(isAbout);
  });

  it.each([
    ['acme.com', true],
    ['https://www.ACME.com/about', true],
    ['mail.acme.com', true],
    ['bob@acme.com', true],
    ['bob@eu.acme.com', true],
    ['notacme.com', false],
    ['bob@notacme.com', false],
    ['acme.com.br', false],
    ['I once saw acme.com and liked it', false],
  ])('the domain in %s: %s', (text, isAbout) => {
    expect(domain.inJson({ any: text })).toBe(isAbout);
  });

  it('the domain in a line of text: any of its words', () => {
    expect(domain.inText('Bob,Byron,"acme.com",7')).toBe(true);
    expect(domain.inText('Bob,Byron,"acme.org",7')).toBe(false);
  });

  it.each([
    ['http://linkedin.com/in/Andr%C3%A9/', true],
    ['https://www.linkedin.com/in/andré?trk=x', true],
    ['see https://de.linkedin.com/in/andré', true],
    ['linkedin.com/in/andréa', false],
    ['linkedin.com/in/andré-b', false],
  ])('the profile in %s: %s', (text, isAbout) => {
    expect(url.inJson([[text]])).toBe(isAbout);
  });

  it('a company of earlier years makes no person one of the domain; an address does', () => {
    const groups = (text: string) => ({ positionGroups: [{ company: { domain: text } }] });
    expect(domain.inJson(groups('acme.com'))).toBe(false);
    expect(domain.inJson(groups('ada@acme.com'))).toBe(true);
    expect(domain.inJson({ companyDomain: 'acme.com' })).toBe(true);
  });

  it('keys count, and so do the other strings given', () => {
    expect(email.inJson({ 'ada@acme.com': 1 })).toBe(true);
    expect(email.inJson({ id: 'enr_1' })).toBe(false);
    expect(email.inJson({ id: 'enr_1' }, new Set(['enr_1']))).toBe(true);
  });
});

it('a line of text is about who is named by name and company, if all of it stands there', () => {
  const texts = [['Zoë'], ["O'Hara"], ['acme.com', 'contoso']];
  const match = createPersonMatch([], { isNamed: () => false, isInLine: () => false, texts });
  expect(match.inText('ZOË,"O’Hara",Contoso SA,x')).toBe(true);
  expect(match.inText('{"who":"Zo\\u00eb O\'Hara","at":"acme.com"}')).toBe(true);
  expect(match.inText("Zoë,O'Hara,Contosa")).toBe(false);
  expect(match.inText("Zoë,O'Harare,Contoso")).toBe(false);
});

describe('a person with any address', () => {
  const text = textOfSigns({ minLength: 1 });
  const kinds = ['email', 'domain', 'url'] as const;
  const find = (kind: (typeof kinds)[number], told: string) =>
    createPersonMatch([{ kind, spellings: [told] }]).inJson([told]);

  it.each([
    ['domain', 'acme-gmbh.de'],
    ['domain', 'xn--mller-kva.example'],
    ['email', 'mary-jane@acme.com'],
    ['url', 'https://www.linkedin.com/in/ada-lovelace-1'],
  ] as const)('is found by the %s %s', (kind, told) => {
    expect(find(kind, told)).toBe(true);
  });

  it('is found by it, whatever characters it has', () => {
    fc.assert(
      fc.property(text, (word) => {
        expect(find('email', `${word}@acme.com`)).toBe(true);
        expect(find('domain', `${word}.com`)).toBe(true);
        expect(find('url', `acme.com/${word}`)).toBe(true);
      }),
    );
  });

  it('is looked for in any text', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        text,
        fc.jsonValue(),
        text,
        (kind, told, json, line) => {
          const match = createPersonMatch([{ kind, spellings: [told] }]);
          expect(typeof match.inJson(json as JsonValue)).toBe('boolean');
          expect(typeof match.inText(line)).toBe('boolean');
        },
      ),
    );
  });
});

describe('a body without a person', () => {
  const isAda = (value: unknown) => JSON.stringify(value).includes('ada');

  it('keeps the entries of others', () => {
    const body = { type: 'done', data: [{ id: 1, who: 'ada' }, { id: 2 }] };
    expect(withoutPerson(body, isAda)).toEqual({ type: 'done', data: [null, { id: 2 }] });
    expect(withoutPerson([{ who: 'ada' }, 7], isAda)).toEqual([null, 7]);
  });

  it('is none where the person stands beside them', () => {
    expect(withoutPerson({ who: 'ada', data: [1] }, isAda)).toBeUndefined();
    expect(withoutPerson('ada', isAda)).toBeUndefined();
  });
});

/** A record of an input may have 16 MiB of characters, and a body half of them. */
const LONGEST = (isLong ? 16 : 1) * 1_024 * 1_024;

it.each([
  ['@a.', 'a.'],
  ['a.', 'a.'],
  ['@', '𐀀.'],
  ['@', '𐀀'],
  ['', '%41'],
  ['@', 'acme.com.br.'],
])('a text of %j and then nothing but %j, as long as a record, hides no person', (start, piece) => {
  const text = start + piece.repeat(LONGEST / piece.length);
  const ends = { email: ' ada@acme.com', domain: ' bob@acme.com', url: ' linkedin.com/in/andré' };
  for (const [match, end] of [
    [email, ends.email],
    [domain, ends.domain],
    [url, ends.url],
  ] as const) {
    expect(match.inJson([text + end])).toBe(true);
  }
  expect(domain.inText(text + ends.domain)).toBe(true);
  expect(domain.inJson([text])).toBe(false);
});

it('a value that is nested without an end hides no person', () => {
  const levels = 200_000;
  const deep = JSON.parse(`${'['.repeat(levels)}"ada@acme.com"${']'.repeat(levels)}`) as JsonValue;
  for (const match of [email, domain]) expect(match.inJson(deep)).toBe(true);
  expect(url.inJson(deep)).toBe(false);
});

it('a byte that is no character hides no person beside it', () => {
  expect(email.inJson(['%ff%20%61%64%61%40acme.com'])).toBe(true);
});

it('a person is found in JSON that is cut, as JSON writes them', () => {
  expect(email.inText(String.raw`{"a":"ada\u0040acme.com","b":"`)).toBe(true);
  expect(url.inText(String.raw`{"a":"https:\/\/linkedin.com\/in\/andr\u00e9","b":"`)).toBe(true);
});

it.each([
  ['JSON', String.raw`{"to":"ada\u0040acme.com"}`],
  ['JSON with an escape before the address', String.raw`{"note":"Hi\nada@acme.com"}`],
  ['JSON within JSON', String.raw`{"note":"{\"to\":\"ada\\u0040acme.com\"}"}`],
  ['a page', 'ada&#64;acme.com'],
  ['a page, by a name', '&lt;ada&commat;acme&period;com&gt;'],
  ['a URL', '?to=ada%40acme.com'],
  ['a URL within a URL', '?to=ada%2540acme.com'],
  ['full-width letters', 'ada＠acme．com'],
  ['letters with invisible ones among them', 'a\u200dda@ac\u034fme.com'],
  ['italics', '_ada@acme.com_'],
  ['bold', '**__ada@acme.com__**'],
  ['a sentence before another one', 'Write to ada@acme.com.Thanks'],
  ['a row', '-ada@acme.com-'],
])('a person is found in %s', (_, text) => {
  for (const match of [email, domain]) {
    expect(match.inJson([text])).toBe(true);
    expect(match.inText(`1,${text},x`)).toBe(true);
  }
});

it.each(['mary_ada@acme.com', 'mary--ada@acme.com', 'ada@acme.com-pany.de', 'ada@acme.co.uk'])(
  'no person is found in %s',
  (text) => {
    const match = createPersonMatch([
      { kind: 'email', spellings: ['ada@acme.com', 'ada@acme.co'] },
    ]);
    expect(match.inJson([text])).toBe(false);
    expect(match.inText(text)).toBe(false);
  },
);

it('a person is found with an apostrophe of any kind', () => {
  const match = createPersonMatch([{ kind: 'email', spellings: ["ada.o'neil@acme.com"] }]);
  expect(match.inJson(['ada.o’neil@acme.com'])).toBe(true);
});

it.each(['/', '.', '@', '%', '%41', 'a.', '@a.', 'a@', 'https://', '-', ' ', 'ada@acme.co'])(
  'a text of nothing but %j, 100 kB long, is read once',
  (piece) => {
    const text = `${piece.repeat(100_000 / piece.length)}.!`;
    for (const match of [email, domain, url]) {
      expect(match.inJson(text)).toBe(false);
      expect(match.inText(text)).toBe(false);
    }
  },
);

it('of a profile the slashes at its end do not count, however many', () => {
  expect(url.inJson(`https://www.linkedin.com/in/andré${'/'.repeat(100)}`)).toBe(true);
});
