import { expect, it } from 'vitest';
import { environmentWith, readEnvironment } from '../../../src/app/settings/environment.js';

const HTTPS = 'https://api.example.com/v2';
const HTTP = 'http://api.example.com';
const at = (url: string, variables: NodeJS.ProcessEnv) =>
  readEnvironment(variables).proxyFor(url)?.href;

it('is the one for the scheme, in upper or lower case', () => {
  const both = { HTTPS_PROXY: 'http://s.example:1', HTTP_PROXY: 'https://p.example' };
  expect(at(HTTPS, both)).toBe('http://s.example:1/');
  expect(at(HTTP, both)).toBe('https://p.example/');
  expect(at(HTTPS, { ...both, https_proxy: 'lower.example:3128' })).toBe(
    'http://lower.example:3128/',
  );
  expect(at(HTTPS, { HTTP_PROXY: 'http://p.example' })).toBeUndefined();
  expect(at(HTTPS, { ...both, https_proxy: '' })).toBeUndefined();
  expect(at(HTTPS, {})).toBeUndefined();
});

it.each(['http://127.0.0.1:8620', 'http://localhost', 'http://[::1]:1', 'https://127.9.9.9'])(
  'is never used for this machine: %s',
  (url) => {
    expect(
      at(url, { HTTPS_PROXY: 'http://p.example', HTTP_PROXY: 'http://p.example' }),
    ).toBeUndefined();
  },
);

it.each([
  ['*', true],
  ['api.example.com', true],
  ['other.example, API.example.com', true],
  ['example.com', true],
  ['.example.com', true],
  ['*.example.com', true],
  ['api.example.com:443', true],
  ['api.example.com:8443', false],
  ['ample.com', false],
  ['api.example.com.evil.example', false],
  [', ,', false],
])('with NO_PROXY=%j is left out: %s', (list, isLeftOut) => {
  const proxy = at(HTTPS, { HTTPS_PROXY: 'http://p.example', NO_PROXY: list });
  expect(proxy === undefined).toBe(isLeftOut);
});

it('that is none is refused, without its text', () => {
  for (const text of ['socks5://u:hunter2@p.example', 'http://', '://hunter2']) {
    expect(() => at(HTTPS, { HTTPS_PROXY: text })).toThrow(/^HTTPS_PROXY is not the address of/);
    expect(() => at(HTTPS, { HTTPS_PROXY: text })).not.toThrow('hunter2');
  }
});

it('is not taken from .env', () => {
  const values = new Map([['HTTPS_PROXY', 'http://evil.example']]);
  const file = { values, others: ['HTTPS_PROXY'], left: [], emptied: [] };
  expect(environmentWith(file, {}).proxyFor(HTTPS)).toBeUndefined();
});
