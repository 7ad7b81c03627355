// A population of people who are nearly alike, each in many spellings: one person has one fingerprint, and no two have
// the same.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toLeadEntry } from '../../src/run/to-lead-entry.js';
import { judge } from '../helpers/judge.js';
import { tries } from '../helpers/long.js';
import { TERMS } from '../helpers/test-run.js';

const COLUMNS = ['First name', 'Infix', 'Last name', 'Company', 'LinkedIn URL', 'Email'];
const { mapping } = judge(
  COLUMNS.map((name) => ({ key: name, name })),
  { email: 'Email' },
);

const person = fc.record({
  first: fc.constantFrom('Ada', 'Ada W.', 'Ada Maria', 'Zoë', 'Zoe', 'Md', 'Sen', 'Lady', 'Ada 2'),
  prefix: fc.constantFrom('', '', 'van', 'van der', "d'", 'de la'),
  last: fc.constantFrom(
    'Berg',
    'Berg Jr.',
    'Berg Sr.',
    'Berg III',
    'Gupta',
    'Sen Gupta',
    'Ndong',
    'Ndong Mba',
    'Garcia',
    'Garcia Lopez',
    'Garcia - Lopez',
    'Berg (Garcia)',
    'Ma',
    'Strauß',
  ),
  company: fc.constantFrom(
    'Acme',
    'Acme Holding',
    'Acme Labs',
    'Acme UK',
    'AT&T',
    'ATT',
    'C#',
    'C++',
    'AG',
    'Co',
  ),
  slug: fc.constantFrom('', 'ada', 'ada-2', 'adá', 'company'),
  email: fc.constantFrom('', 'ada@acme.com', 'ada@mail.acme.com', 'a.da@acme.com'),
});
type Person = typeof person extends fc.Arbitrary<infer P> ? P : never;

const spelling = fc.record({
  before: fc.constantFrom(
    '',
    'Dr. ',
    'Prof. Dr. ',
    'Frau Dr. rer. nat. ',
    '🚀 ',
    '👩🏽‍💻',
    'Hon. ',
  ),
  after: fc.constantFrom('', ', PhD', ' PhD', ', M.D.', ', PhD, MBA', ' 🚀', ' MSc 🇬🇧'),
  isShouted: fc.boolean(),
  place: fc.constantFrom('apart', 'joined', 'both'),
  form: fc.constantFrom(
    '',
    ' Inc.',
    ', Inc.',
    ' INC',
    ' GmbH & Co. KG',
    ' S. A.',
    ', Co., Ltd.',
    ' (Pty) Ltd',
  ),
  host: fc.constantFrom(
    '',
    'https://www.',
    'http://',
    'https://uk.',
    'https://m.',
    'HTTPS://de-de.',
  ),
  tab: fc.constantFrom(
    '',
    '/',
    '/en',
    '/details/experience/',
    '?miniProfileUrn=urn%3Ali',
    '/fr/?trk=x#a',
  ),
});
type Spelling = typeof spelling extends fc.Arbitrary<infer S> ? S : never;

function fingerprintOf(who: Person, how: Spelling): string {
  const shout = (text: string) => (how.isShouted ? text.toUpperCase() : text);
  const gap = who.prefix.endsWith("'") ? '' : ' ';
  const whole = who.prefix === '' ? who.last : who.prefix + gap + shout(who.last);
  const cells = [
    how.before + shout(who.first),
    how.place === 'joined' ? '' : who.prefix,
    (how.place === 'apart' ? shout(who.last) : whole) + how.after,
    shout(who.company) + how.form,
    who.slug === '' ? '' : `${how.host}linkedin.com/in/${shout(who.slug)}${how.tab}`,
    shout(who.email),
  ];
  const entry = toLeadEntry({ source: 0, line: 2, cells }, 1, mapping, TERMS);
  if (entry.kind !== 'asked') throw new Error(`${cells.join()} is ${entry.kind}`);
  return Buffer.from(entry.fingerprint).toString('hex');
}

it('each spelling of one person has one fingerprint', () => {
  fc.assert(
    fc.property(person, spelling, spelling, (who, one, other) => {
      expect(fingerprintOf(who, one)).toBe(fingerprintOf(who, other));
    }),
    { numRuns: tries(3_000) },
  );
});

it('two people have two, also where they differ in one thing', () => {
  const field = fc.constantFrom('first', 'prefix', 'last', 'company', 'slug', 'email');
  fc.assert(
    fc.property(person, person, field, spelling, spelling, (who, other, key, one, another) => {
      fc.pre(who[key] !== other[key]);
      expect(fingerprintOf(who, one)).not.toBe(fingerprintOf(other, another));
      const alike = { ...who, [key]: other[key] };
      expect(fingerprintOf(who, one)).not.toBe(fingerprintOf(alike, another));
    }),
    { numRuns: tries(3_000) },
  );
});
