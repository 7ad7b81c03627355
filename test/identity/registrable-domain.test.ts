import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { registrableDomain } from '../../src/identity/registrable-domain.js';

describe('a registrable domain', () => {
  it.each([
    ['example.com', 'example.com'],
    ['a.b.Example.COM', 'example.com'],
    ['www.example.co.uk', 'example.co.uk'],
    ['www.cantwell.senate.gov', 'senate.gov'],
    ['https://www.klobuchar.senate.gov/public/index.cfm', 'senate.gov'],
    ['https://fitzpatrick.house.gov', 'house.gov'],
    ['ada@mail.example.co.uk', 'example.co.uk'],
    ['Ada@Example.com', 'example.com'],
    ['example.com.', 'example.com'],
    ['www.münchen.de', 'xn--mnchen-3ya.de'],
    ['www.xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
    ['ada@MÜNCHEN.de', 'xn--mnchen-3ya.de'],
    ['www.team.github.io', 'team.github.io'],
    ['shop.blogspot.com', 'shop.blogspot.com'],
    ['www.example.unheardof', 'example.unheardof'],
  ])('of %s is %s', (host, domain) => {
    expect(registrableDomain(host)).toBe(domain);
  });

  it.each([
    '',
    'com',
    'co.uk',
    'github.io',
    'localhost',
    '127.0.0.1',
    'http://127.0.0.1:8080/',
    '::1',
    '[2001:db8::1]',
    'ada@127.0.0.1',
    'a..example.com',
    '-example.com',
    'exam ple.com',
    'ada@',
  ])('is not there for %j', (host) => {
    expect(registrableDomain(host)).toBeUndefined();
  });

  it('is senate.gov or house.gov for every member of the sample', async () => {
    const file = new URL('../../data/sample/legislators-current.csv', import.meta.url);
    const urls =
      (await readFile(file, 'utf8')).match(/https:\/\/[\w.-]+\.(senate|house)\.gov/g) ?? [];
    expect(urls.length).toBeGreaterThan(500);
    expect(new Set(urls.map((url) => registrableDomain(url)))).toEqual(
      new Set(['senate.gov', 'house.gov']),
    );
  });
});
