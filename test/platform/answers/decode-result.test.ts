import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dialectSchema, NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import { PROFILE_FIELDS, type Result } from '../../../src/model/result.js';
import type { JsonValue } from '../../../src/model/text/json.js';
import { decodeEntry, findEntries } from '../../../src/platform/answers/decode-answer.js';
import { decodeResult } from '../../../src/platform/answers/decode-result.js';
import { tries } from '../../helpers/long.js';

const decode = (blocks: JsonValue | undefined) => decodeResult(blocks, NEUTRAL_DIALECT);
const profile = (social_enrichment: JsonValue) => decode({ social_enrichment }).social_enrichment;

/** JSON that often uses the names the decoder looks for. */
const NAMES = [
  'find_email',
  'find_phone',
  'social_enrichment',
  'positionGroups',
  'company',
  'date',
  'start',
  'end',
  'month',
  'year',
  'profilePositions',
  'data',
  'id',
  'type',
  'error',
  'email',
  'status',
  '__proto__',
  'constructor',
  'socialMemberId',
  'firstName',
];
const { value: json } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom<JsonValue>(null, true, '', '12', 'enrichmentError', 1.5, 7, -1, 1e300),
    fc.string(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(fc.constantFrom(...NAMES), tie('value')), { maxLength: 5 }).map(fromEntries),
  ),
}));

function withoutWord({ find_email, ...others }: Result): Result {
  const { platformStatus: _, ...email } = find_email ?? {};
  return { ...others, ...(find_email && { find_email: email }) };
}

/** As JSON.parse makes it: `__proto__` is a key like any other. */
function fromEntries(entries: [string, JsonValue][]): JsonValue {
  const text = entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  const value: JsonValue = JSON.parse(`{${text.join()}}`);
  return value;
}

describe('decoding', () => {
  it('never throws, and decodes its own results to themselves', () => {
    fc.assert(
      fc.property(json, (body) => {
        const result = decode(body);
        // The platform's own word for a status has no place on the wire.
        expect(withoutWord(decode(JSON.parse(JSON.stringify(result))))).toEqual(
          withoutWord(result),
        );
        for (const { raw } of findEntries(body, NEUTRAL_DIALECT.answer.read) ?? []) {
          decodeEntry(
            raw,
            { text: '', body },
            { dialect: NEUTRAL_DIALECT, part: 'read', hidden: [] },
          );
        }
      }),
      { numRuns: tries(1_000) },
    );
    expect(({} as Record<string, unknown>)['email']).toBeUndefined();
  });

  it('hands on each field of the profile, of a company and of a position, to the letter', () => {
    const date = { start: { month: 2, year: 2018 }, end: {} };
    const position = { title: 'CTO', description: 'Leads', companyName: 'Acme Labs', date };
    const whole = {
      socialUrl: 'https://s.example/in/ada',
      socialMemberId: 12,
      socialClassicId: 'ACoAAA',
      firstName: 'Ada',
      lastName: 'Byron',
      picture: 'https://p.example/1.jpg',
      locationName: 'London',
      tagline: 'First',
      industry: 'Engines',
      summary: 'Wrote notes.',
      languages: 'English, French',
      skills: 'poetry, analysis',
      companyName: 'Acme',
      companyLinkedinUrl: 'https://s.example/company/acme',
      occupation: 'CTO at Acme',
      companyDomain: 'acme.example',
      companyId: 7,
      companyWebsite: 'https://www.acme.example/',
      companyDescription: 'Makes everything',
      companyFoundedOn: 1949,
      companyEmployeesOnSocial: 120,
      companyIndustry: 'Tools',
      companyLogo: 'https://p.example/7.png',
      companyType: 'Privately Held',
      companyHeadQuarter: 'Tucson',
      companySize: '51-200',
      positionGroups: [
        {
          company: {
            id: 7,
            name: 'Acme',
            socialUrl: 'https://s.example/company/acme',
            socialUrlSalesNav: 'https://s.example/sales/company/7',
            logo: 'https://p.example/7.png',
            domain: 'acme.example',
            website: 'https://www.acme.example/',
            industry: 'Tools',
            description: 'Makes everything',
            employeesOnSocial: 120,
            foundedOn: 1949,
            headQuarter: 'Tucson',
            size: '51-200',
            type: 'Privately Held',
          },
          date,
          profilePositions: [position],
        },
        {
          company: { name: 'Beta' },
          date: { start: { month: 1, year: 2010 }, end: { month: 1, year: 2018 } },
          profilePositions: [],
        },
      ],
    };
    expect(Object.keys(whole)).toEqual([...Object.keys(PROFILE_FIELDS), 'positionGroups']);
    expect(profile(whole)).toEqual(whole);
  });

  it('converts what is meant, and drops what is not', () => {
    expect(
      profile({
        socialMemberId: ' 42 ',
        companyId: '4.2',
        companyFoundedOn: 1999.5,
        companyName: 7,
        firstName: '',
        lastName: ' x ',
        tagline: [{ x: 1 }],
        industry: true,
      }),
    ).toEqual({ socialMemberId: 42, companyName: '7', lastName: ' x ', positionGroups: [] });
  });

  it.each<JsonValue>([null, {}, [], 'x', 0, { unknown: 1 }, { email: '' }, { email: null }])(
    'takes the block %j for absent',
    (block) => {
      expect(decode({ find_email: block, find_phone: block, social_enrichment: block })).toEqual(
        {},
      );
    },
  );

  it('drops months and years that are none', () => {
    const group = {
      company: { name: 'A' },
      date: { start: { month: 13, year: '2020' }, end: { month: 0, year: 0 } },
    };
    expect(profile({ positionGroups: [group] })?.positionGroups).toEqual([
      { company: { name: 'A' }, date: { start: { year: 2020 }, end: {} }, profilePositions: [] },
    ]);
  });

  it.each<[JsonValue, object]>([
    ['2021-03', { month: 3, year: 2021 }],
    ['2021', { year: 2021 }],
    ['2021-03-15', { month: 3, year: 2021 }],
    ['2021-03-15T08:00:00Z', { month: 3, year: 2021 }],
    ['2021-13', { year: 2021 }],
    ['March 2021', {}],
    ['15.03.2021', {}],
    [2021, {}],
  ])('reads a date that is the text %j', (start, read) => {
    const group = { company: { name: 'A' }, date: { start } };
    expect(profile({ positionGroups: [group] })?.positionGroups[0]?.date.start).toEqual(read);
  });

  it.each<[JsonValue, string | undefined]>([
    [['TypeScript', 'SQL'], 'TypeScript, SQL'],
    [['one'], 'one'],
    [[2, 'two'], '2, two'],
    [[], undefined],
    [['a', { b: 1 }], undefined],
    [['a', null], undefined],
  ])('writes the list %j where a text is expected', (skills, text) => {
    expect(profile({ firstName: 'Ada', skills })?.skills).toBe(text);
  });

  it('takes no list of addresses for an address, nor of numbers for a number', () => {
    const find_email = { email: ['a@b.example', 'c@d.example'] };
    const find_phone = { phone: ['+1', '+2'] };
    expect(decodeResult({ find_email, find_phone }, NEUTRAL_DIALECT)).toEqual({});
  });

  it.each([
    ['deliverable', { status: 'deliverable' }],
    ['Deliverable', { status: 'deliverable', platformStatus: 'Deliverable' }],
    ['HIGH_PROBABILITY', { status: 'deliverable', platformStatus: 'HIGH_PROBABILITY' }],
    ['Catch_All', { status: 'risky', platformStatus: 'Catch_All' }],
    ['invalid', { status: 'undeliverable', platformStatus: 'invalid' }],
    ['unfound', { status: 'unknown', platformStatus: 'unfound' }],
    ['unknown', { status: 'unknown' }],
  ])(
    "says the status of an address in one of four words, and keeps the platform's own word: %s",
    (status, read) => {
      const dialect = dialectSchema.parse({
        emailStatuses: { deliverable: ['deliverable', 'high_probability'] },
      });
      expect(decodeResult({ find_email: { status } }, dialect)).toEqual({ find_email: read });
    },
  );

  it('takes at most 200 groups and 200 positions of a group', () => {
    const profilePositions = Array.from({ length: 250 }, (_, i) => ({ title: `t${i}` }));
    const positionGroups = Array.from({ length: 250 }, () => ({ profilePositions }));
    const groups = profile({ positionGroups })?.positionGroups ?? [];
    expect(groups).toHaveLength(200);
    expect(groups[0]?.profilePositions).toHaveLength(200);
  });

  it('reads a verification from its own block where the dialect has one, a found e-mail first', () => {
    const dialect = dialectSchema.parse({ blocks: { verify_email: ['verification'] } });
    const verification = { email: 'a@b.example', status: 'risky' };
    expect(decodeResult({ find_email: {}, verification }, dialect)).toEqual({
      find_email: verification,
    });
    const find_email = { email: 'c@d.example' };
    expect(decodeResult({ find_email, verification }, dialect)).toEqual({ find_email });
  });

  it('follows the aliases of fields', () => {
    const dialect = dialectSchema.parse({
      fields: { profile: { firstName: ['first_name', 'name.first'] } },
    });
    const block = {
      name: { first: 'Jane' },
      firstName: 'not asked for',
      positionGroups: [{ date: { start: { year: 2001 } } }],
    };
    expect(decodeResult({ social_enrichment: block }, dialect).social_enrichment).toEqual({
      firstName: 'Jane',
      positionGroups: [
        { company: {}, date: { start: { year: 2001 }, end: {} }, profilePositions: [] },
      ],
    });
  });
});

describe('a custom ask', () => {
  const dialect = dialectSchema.parse({
    asks: {
      firm: {
        about: 'A company',
        requires: [['companyDomain']],
        price: 1,
        blocks: ['firm', 'company'],
        fields: {
          name: ['title', 'name'],
          tags: 'tags',
          staff: { at: 'staff', type: 'integer' },
          share: { at: 'share', type: 'number' },
          listed: { at: 'listed', type: 'boolean' },
          page: { at: 'page', type: 'url' },
          phone: { at: 'phones', type: 'phone' },
        },
        found: ['name', 'staff'],
      },
    },
  });
  const read = (company: JsonValue) => decodeResult({ company }, dialect).custom;

  it.each<[string, JsonValue, JsonValue | undefined]>([
    [
      'all its values',
      { name: 'X', staff: '12', share: '0.5', listed: 'true', page: 'x', phones: '+1' },
      { name: 'X', staff: 12, share: 0.5, listed: true, page: 'x', phone: '+1' },
    ],
    ['the first place that has one', { title: 'T', name: 'X' }, { name: 'T' }],
    ['a list of texts as one', { name: 'X', tags: ['a', 'b'] }, { name: 'X', tags: 'a, b' }],
    [
      'no value of another type',
      { name: 'X', staff: 1.5, share: 'much', listed: 1, phones: ['+1'] },
      { name: 'X' },
    ],
    ['nothing, if no field that counts has a value', { share: 1, listed: false }, undefined],
    ['nothing of another block', [], undefined],
  ])('has %s', (_, company, values) => {
    expect(read(company)).toEqual(values === undefined ? undefined : { firm: values });
  });

  it('leaves nothing unread that it reads', () => {
    const part = 'read';
    const hidden = { texts: [] } as never;
    const entry = { id: '1', data: { company: { name: 'X', staff: 5, more: 'y' } } };
    const answer = decodeEntry(entry, { status: 200, body: entry } as never, {
      dialect,
      part,
      hidden,
    });
    expect(answer).toMatchObject({ kind: 'done', oddity: { paths: ['data.company.more'] } });
  });
});
