import { describe, expect, it } from 'vitest';
import { quoteText } from '../../../src/platform/redact/quote.js';
import { credentialForms } from '../../../src/platform/redact/secret-forms.js';

const USERNAME = 'analyst';
const PASSWORD = "Tr0ub4dor&3/hunter  ?2>'ü";
const FORMS = credentialForms({ username: USERNAME, password: PASSWORD });
const base64 = (text: string) => Buffer.from(text).toString('base64');
const bare = (text: string) => text.replace(/=+$/, '');

describe.each([
  ['the password', PASSWORD],
  ['user name and password', `${USERNAME}:${PASSWORD}`],
])('%s', (_, secret) => {
  it.each([
    ['as it is', secret],
    ['in upper case', secret.toUpperCase()],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in JSON whose slashes are escaped', secret.replaceAll('/', '\\/')],
    ['in JSON of ASCII alone', secret.replace('ü', '\\u00fc')],
    ['in a URL', encodeURIComponent(secret)],
    ['in a URL, in lower case', encodeURIComponent(secret).toLowerCase()],
    ['in a form', new URLSearchParams([['', secret]]).toString().slice(1)],
    ['in base64 without padding', bare(base64(secret))],
    ['in base64 within a URL', encodeURIComponent(bare(base64(secret)))],
    ['in base64url', Buffer.from(secret).toString('base64url')],
  ])('is masked %s', (__, told) => {
    expect(quoteText(`no ${told} here`, FORMS, 999)).toBe('no […] here');
  });

  it('is masked in base64 with padding', () => {
    expect(quoteText(`no ${base64(secret)}.`, FORMS, 999)).toMatch(/^no \[…\]=*\.$/);
  });
});

it('a short secret makes no harmless word unreadable', () => {
  const forms = credentialForms({ apiKey: 'pw' });
  expect(quoteText('a pwd of pw', forms, 99)).toBe('a pwd of […]');
});
