// Whatever a result holds comes back, and what was kept once stays readable.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  COMPANY_FIELDS,
  EMAIL_STATUSES,
  type FieldTable,
  POSITION_FIELDS,
  PROFILE_FIELDS,
  type Result,
} from '../../src/model/result.js';
import { readResult, writeResult } from '../../src/store/enrichments/result-format.js';
import { tries } from '../helpers/long.js';

/** A value for each field: numbers for integers, and texts that any platform could send. */
function fieldsOf(table: FieldTable) {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant('\ud800 half'));
  const number = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, -0));
  return fc.record(
    Object.fromEntries(
      Object.entries(table).map(([name, type]) => [name, type === 'integer' ? number : text]),
    ),
    { requiredKeys: [] },
  );
}

const month = fc.record({ month: fc.nat(), year: fc.nat() }, { requiredKeys: [] });
const date = fc.record({ start: month, end: month });
const position = fc
  .tuple(fieldsOf(POSITION_FIELDS), date)
  .map(([one, at]) => ({ ...one, date: at }));
const group = fc.record({
  company: fieldsOf(COMPANY_FIELDS),
  date,
  profilePositions: fc.array(position, { maxLength: 3 }),
});
const profile = fc
  .tuple(fieldsOf(PROFILE_FIELDS), fc.array(group, { maxLength: 4 }))
  .map(([fields, positionGroups]) => ({ ...fields, positionGroups }));
const email = fc.record(
  {
    email: fc.emailAddress(),
    status: fc.oneof(fc.constantFrom(...EMAIL_STATUSES), fc.string()),
    platformStatus: fc.string(),
  },
  { requiredKeys: [] },
);
const known = fc.record(
  { find_email: email, find_phone: fieldsOf({ phone: 'string' }), social_enrichment: profile },
  { requiredKeys: [] },
);
/** Results of another shape: more fields, or fewer, or anything in their place. */
const odd = fc
  .tuple(known, fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), fc.nat({ max: 3 }))
  .map(
    ([one, more, anything, place]) =>
      [
        { ...one, ...more },
        { ...one, find_email: { email: anything, status: anything } },
        { ...one, social_enrichment: { ...one.social_enrichment, positionGroups: anything } },
        { ...one, find_phone: anything },
      ][place] ?? one,
  );

it('reads every result as JSON would', () => {
  fc.assert(
    fc.property(fc.oneof(known, odd), (result) => {
      const asJson: unknown = JSON.parse(JSON.stringify(result));
      expect(readResult(writeResult(result as Result))).toStrictEqual(asJson);
    }),
    { numRuns: tries(300) },
  );
});

it.each([
  '{"__proto__":{"email":"a@b.c"}}',
  '{"find_email":{"__proto__":null,"email":"a@b.c"}}',
  '{"find_email":[]}',
  '{"find_email":null,"find_phone":{"phone":["+1"]}}',
  '{"find_phone":{"phone":1e999}}',
  '{"social_enrichment":{"positionGroups":[null]}}',
  '{"social_enrichment":{"positionGroups":[{"company":{"id":0}}]}}',
])('reads %s as JSON would', (json) => {
  const result = JSON.parse(json) as Result;
  const asJson = JSON.stringify(result);
  expect(JSON.stringify(readResult(writeResult(result)))).toBe(asJson);
});

const ADA: Result = { find_email: { email: 'ada@engines.example', status: 'deliverable' } };
const POSITIONS = Array.from({ length: 3 }, (_, i) => ({
  company: { id: i, name: `Engines ${i}`, domain: `engines${i}.example` },
  date: { start: { month: 3, year: 1_843 + i }, end: {} },
  profilePositions: [
    { title: 'Programmer', date: { start: { year: 1_843 }, end: { month: 2, year: 1_850 } } },
  ],
}));
const WITH_PROFILE: Result = {
  ...ADA,
  social_enrichment: {
    firstName: 'Ada',
    summary: 'Mathematics, music and machines',
    positionGroups: POSITIONS,
  },
};
/** As written when these formats were new. */
const DEFLATED =
  'AZXOPQuDQAwG4L9yZA7l7lRwbIeOBfeQIeihgnctfkB/fjnqR9Eu5p0CSZ6QQQKp5OpC3QY3XNxb/KtzgIZRI2mMgVslgHoNPGRsnJexLQdUfhraUkmolJeyiVd+Z/+HiMLUdQj3r6v0sgPzJ3p9hZEoQZOnCSNx7KDon3Uv3rse5nN6GbBo8kxzLCQym2D2gjkK6XnBboLdC/YoZCcFZv4A';

it('reads what was kept once', () => {
  expect(readResult(Buffer.from(JSON.stringify(WITH_PROFILE)))).toStrictEqual(WITH_PROFILE);
  expect(readResult(Buffer.from('[1,["ada@engines.example",1]]'))).toStrictEqual(ADA);
  expect(readResult(Buffer.from(DEFLATED, 'base64'))).toStrictEqual(WITH_PROFILE);
});

it('keeps no name of a key, and deflates what is long', () => {
  expect(textOf(writeResult(ADA))).toBe('[1,["ada@engines.example",1]]');
  const kept = writeResult(WITH_PROFILE);
  expect(kept[0]).toBe(1);
  expect(kept.length).toBeLessThan(JSON.stringify(WITH_PROFILE).length / 3);
});

it('has a place for every field', () => {
  const every = (table: FieldTable) =>
    Object.fromEntries(
      Object.entries(table).map(([name, type]) => [name, type === 'integer' ? 1 : 'x']),
    );
  const positionGroups = [
    {
      company: every(COMPANY_FIELDS),
      date: { start: {}, end: {} },
      profilePositions: [{ ...every(POSITION_FIELDS), date: { start: {}, end: {} } }],
    },
  ];
  const result = {
    find_email: { email: 'x', status: 'risky', platformStatus: 'x' },
    find_phone: { phone: 'x' },
    social_enrichment: { ...every(PROFILE_FIELDS), positionGroups },
  };
  expect(textOf(writeResult(result))).toMatch(/^\[1,/);
});

it.each([Buffer.from('[2,["ada@engines.example",1]]'), Buffer.of(2, 3, 0)])(
  'says that a later release kept it',
  (kept) => {
    expect(() => readResult(kept)).toThrow('kept in format 2, which this Sluice cannot read');
  },
);

function textOf(kept: Uint8Array): string {
  return Buffer.from(kept).toString();
}
