import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteText } from '../../../src/platform/redact/quote.js';
import { credentialForms, secretForms } from '../../../src/platform/redact/secret-forms.js';

const USERNAME = 'analyst';
const PASSWORD = "Tr0ub4dor&3/hunter?2>'ü";
const CREDENTIALS = { username: USERNAME, password: PASSWORD };
const base64 = (text: string) => Buffer.from(text).toString('base64');
const bare = (text: string) => text.replace(/=+$/, '');
const url = (text: string) => Buffer.from(text).toString('base64url');
const everyByte = (text: string) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&');

describe.each([
  ['the password', PASSWORD],
  ['user name and password', `${USERNAME}:${PASSWORD}`],
])('%s', (_, secret) => {
  it.each([
    ['as it is', secret],
    ['in upper case', secret.toUpperCase()],
    ['percent-encoded', encodeURIComponent(secret)],
    ['percent-encoded by every sign', everyByte(secret)],
    ['percent-encoded by every sign, in upper case', everyByte(secret).toUpperCase()],
    ['in a page', secret.replace('&', '&amp;').replace('>', '&gt;').replace("'", '&#39;')],
    ['in JSON', JSON.stringify(secret)],
    ['in JSON whose slashes are escaped', JSON.stringify(secret).replaceAll('/', '\\/')],
    [
      'in JSON for a page',
      secret.replace('&', '\\u0026').replace('>', '\\u003e').replace("'", '\\u0027'),
    ],
    ['in base64', base64(secret)],
    ['in base64 without padding', bare(base64(secret))],
    ['in base64 within a URL', encodeURIComponent(base64(secret))],
    ['in base64url', url(secret)],
    ['in base64url with padding', url(secret) + base64(secret).slice(bare(base64(secret)).length)],
  ])('is masked %s', (__, told) => {
    const quoted = quoteText(`no ${told} here`, credentialForms(CREDENTIALS), 400);
    expect(quoted.replaceAll(/["=]/g, '')).toBe('no […] here');
  });
});

it('a secret within a longer text in base64 is masked but for the characters at its ends', () => {
  const text = fc.string({ maxLength: 9 });
  fc.assert(
    fc.property(
      text,
      text,
      fc.constantFrom<BufferEncoding>('base64', 'base64url'),
      (before, behind, form) => {
        const told = Buffer.from(`${before}${PASSWORD}${behind}`).toString(form);
        const quoted = quoteText(told, secretForms(PASSWORD), 400);
        expect(quoted).toContain('[…]');
        expect(quoted.length).toBeLessThanOrEqual(told.length - bare(base64(PASSWORD)).length + 7);
      },
    ),
  );
});

it('a secret is masked also where its blanks are told as one', () => {
  expect(quoteText('no  two  blanks!', secretForms('two  blanks'), 99)).toBe('no […]!');
});

it('a short secret makes no harmless word unreadable', () => {
  expect(quoteText('a password of a person', secretForms('pw'), 99)).toBe('a password of a person');
});
