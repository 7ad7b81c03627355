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
const hexOf = (sign: string) => sign.codePointAt(0)?.toString(16) ?? '';
const inJson = (text: string) =>
  text.replaceAll(/[^]/g, (sign) => `\\u${hexOf(sign).padStart(4, '0')}`);
const inPage = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

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
    ['in JSON, every sign of it', inJson(secret)],
    ['in JSON within JSON', JSON.stringify(inJson(secret))],
    ['in JSON within JSON, as it is written', JSON.stringify(JSON.stringify(secret)).slice(2, -2)],
    ['in JSON of Go', secret.replace('&', '\\u0026').replace('>', '\\u003e')],
    ['in JSON of ASCII alone', secret.replace('ü', '\\u00fc')],
    ['as Python writes it', secret.replace('ü', '\\xfc')],
    ['as a program writes it', Array.from(secret, (sign) => `\\u{${hexOf(sign)}}`).join('')],
    ['in a form', new URLSearchParams([['', secret]]).toString().slice(1)],
    ['in a form of Java', encodeURIComponent(secret).replace("'", '%27')],
    ['as a whole URL', encodeURI(secret)],
    ['in a URL of Python', encodeURIComponent(secret).replaceAll('%2F', '/')],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
    ['percent-encoded in Latin-1', secret.replace('ü', '%FC').replace('>', '%3E')],
    ['in a page of Python', inPage(secret).replace("'", '&#x27;')],
    ['in a page of PHP', inPage(secret).replace("'", '&#039;').replace('ü', '&uuml;')],
    ['in a page of XML', inPage(secret).replace("'", '&apos;')],
    ['in a page of Jinja', inPage(secret).replace("'", '&#39;').replace('/', '&#x2F;')],
    ['in a page, in numbers', Array.from(secret, (sign) => `&#${sign.codePointAt(0)};`).join('')],
    ['in a page, in hexadecimal', Array.from(secret, (sign) => `&#x${hexOf(sign)};`).join('')],
    ['in a page, twice', inPage(inPage(secret))],
    ['in a page within JSON', inPage(secret).replaceAll('&', '\\u0026')],
    ['decomposed', secret.normalize('NFD')],
    ['in hexadecimal', Buffer.from(secret).toString('hex')],
    ['in base64 of several lines', base64(secret).replaceAll(/.{6}/g, '$&\r\n')],
    ['in base64 of several lines in JSON', base64(secret).replaceAll(/.{6}/g, '$&\\r\\n')],
    ['in base64url with padding', url(secret) + base64(secret).slice(bare(base64(secret)).length)],
  ])('is masked %s', (__, told) => {
    const quoted = quoteText(`no ${told} here`, credentialForms(CREDENTIALS), 999);
    expect(quoted.replaceAll(/[\\"=]/g, '')).toBe('no […] here');
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

it.each([
  ['correct horse battery', 'correct+horse+battery'],
  ['correct horse battery', 'correct%20horse+battery'],
  ['C:\\new\\users', 'C:\\\\new\\\\users'],
  ['100%25&amp;more', '100%2525%26amp%3Bmore'],
  ['100%25&amp;more', '100%25&amp;amp;more'],
])('the secret %j is masked as %j', (secret, told) => {
  expect(quoteText(`no ${told} here`, secretForms(secret), 99)).toBe('no […] here');
  expect(quoteText(`no ${secret} here`, secretForms(secret), 99)).toBe('no […] here');
});
