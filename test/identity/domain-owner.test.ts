import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { domainOwner } from '../../src/identity/domain-owner.js';

describe('a domain', () => {
  it.each([
    ['linkedin.com', 'social network'],
    ['uk.linkedin.com', 'social network'],
    ['www.linkedin.com.', 'social network'],
    ['m.facebook.com', 'social network'],
    ['x.com', 'social network'],
    ['medium.com', 'social network'],
    ['plus.google.com', 'social network'],
    ['sites.google.com', 'site builder'],
    ['wordpress.com', 'site builder'],
    ['www.squarespace.com', 'site builder'],
    ['github.io', 'site builder'],
    ['gmail.com', 'mail provider'],
    ['web.de', 'mail provider'],
    ['mail.qq.com', 'mail provider'],
    ['tutanota.com', 'mail provider'],
    ['xn--mllmail-n2a.com', 'mail provider'],
  ])('is shared: %s is of a %s', (host, site) => {
    expect(domainOwner(host)).toEqual({ kind: 'shared', site });
  });

  it.each([
    ['www.firm-a.co.uk', 'firm-a.co.uk'],
    ['example.com', 'example.com'],
    ['google.com', 'google.com'],
    ['mail.google.com', 'google.com'],
    ['netflix.com', 'netflix.com'],
    ['notlinkedin.com', 'notlinkedin.com'],
    ['linkedin.com.firm-a.de', 'firm-a.de'],
    ['gmail.com.firm-a.de', 'firm-a.de'],
    ['a.wordpress.com', 'a.wordpress.com'],
    ['www.a.wordpress.com.', 'a.wordpress.com'],
    ['a.github.io', 'a.github.io'],
    ['www.xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
  ])('is of a company: %s is known by %s', (host, domain) => {
    expect(domainOwner(host)).toEqual({ kind: 'company', domain });
  });

  it.each(['co.uk', '127.0.0.1', '[::1]', 'localhost', ''])('is not there: %j', (host) => {
    expect(domainOwner(host)).toBeUndefined();
  });

  it('of one company is never that of another', () => {
    const label = fc.stringMatching(/^firm-[a-z0-9]{1,8}$/);
    const suffix = fc.constantFrom(
      'com',
      'co.uk',
      'wordpress.com',
      'tumblr.com',
      'wixsite.com',
      'github.io',
    );
    const host = fc.tuple(label, suffix).map((parts) => parts.join('.'));
    fc.assert(
      fc.property(host, host, (a, b) => {
        const [one, other] = [domainOwner(`www.${a}`), domainOwner(b)];
        expect(one).toEqual({ kind: 'company', domain: a });
        expect(other).toEqual({ kind: 'company', domain: b });
      }),
    );
  });
});
