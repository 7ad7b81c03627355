import { beforeAll, describe, expect, it } from 'vitest';
import {
  COMPANY_FIELDS,
  type FieldTable,
  type PartialDate,
  POSITION_FIELDS,
  PROFILE_FIELDS,
} from '../../../src/model/result.js';
import { imaginePersona } from '../../../src/sandbox/answers/imagine-persona.js';
import { type WireProfile, writeProfile } from '../../../src/sandbox/answers/write-profile.js';

const profiles: WireProfile[] = [];
beforeAll(() => {
  for (let index = 0; index < 3000; index += 1) {
    const socialUrl = `https://social.example/in/jane-doe-${index}`;
    // As a client sees it: without what JSON leaves out.
    const profile: WireProfile = JSON.parse(
      JSON.stringify(writeProfile(imaginePersona({ socialUrl }, 1))),
    );
    profiles.push(profile);
  }
});

const groupsOf = () => profiles.flatMap((profile) => profile.positionGroups ?? []);

function expectFields(table: FieldTable, beside: readonly string[], objects: readonly object[]) {
  const seen = new Set<string>();
  for (const object of objects) {
    for (const [name, value] of Object.entries(object)) {
      if (beside.includes(name)) continue;
      seen.add(name);
      const type = table[name];
      const isRight =
        type === 'integer'
          ? Number.isInteger(value)
          : typeof value === 'string' && (type === 'string' || URL.canParse(value));
      if (!isRight) expect.fail(`${name} is ${JSON.stringify(value)}, not a(n) ${type}`);
    }
  }
  expect([...seen].sort()).toEqual(Object.keys(table).sort());
}

describe('writeProfile', () => {
  it('has every field of the document, rightly typed, and no other', () => {
    expectFields(PROFILE_FIELDS, ['positionGroups'], profiles);
    expectFields(
      COMPANY_FIELDS,
      [],
      groupsOf().map((group) => group.company),
    );
    expectFields(
      POSITION_FIELDS,
      ['date'],
      groupsOf().flatMap((group) => group.profilePositions),
    );
  });

  it('keeps the order of the document', () => {
    const order = ['positionGroups', ...Object.keys(PROFILE_FIELDS)];
    for (const profile of profiles.slice(0, 100)) {
      const names = Object.keys(profile);
      expect(names).toEqual(order.filter((name) => names.includes(name)));
    }
  });

  it('has 0 to 8 groups of 0 to 4 positions, each number of them', () => {
    const groups = new Set(profiles.map((profile) => profile.positionGroups?.length));
    const positions = new Set(groupsOf().map((group) => group.profilePositions.length));
    expect(groups).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8]));
    expect(positions).toEqual(new Set([0, 1, 2, 3, 4]));
  });

  it('always names the company, and sometimes does nothing else', () => {
    const companies = groupsOf().map((group) => group.company);
    for (const company of companies) expect(company.name).toBeTypeOf('string');
    const bare = companies.filter((company) => Object.keys(company).length === 1);
    expect(bare.length / companies.length).toBeGreaterThan(0.15);
    expect(bare.length / companies.length).toBeLessThan(0.25);
  });

  it('dates everything, with open ends and with years alone', () => {
    const ranges = groupsOf().flatMap((group) => [
      group.date,
      ...group.profilePositions.map((position) => position.date),
    ]);
    const shapes = new Set<string>();
    for (const { start, end } of ranges) {
      shapes.add(`${Object.keys(start).join('+')} to ${Object.keys(end).join('+')}`);
      for (const date of [start, end]) expectDate(date);
      if (end.year !== undefined && (start.year ?? 0) > end.year)
        expect.fail('ends before it starts');
    }
    expect([...shapes].sort()).toEqual([
      'month+year to ',
      'month+year to month+year',
      'month+year to year',
      'year to ',
      'year to month+year',
      'year to year',
    ]);
  });

  it('repeats the company of the current position in the company fields', () => {
    for (const profile of profiles) {
      const current = profile.positionGroups?.find(({ date }) => date.end.year === undefined);
      const { companyName, companyDomain, companyLinkedinUrl } = profile;
      const { name, domain, socialUrl } = current?.company ?? {};
      expect([companyName, companyDomain, companyLinkedinUrl]).toEqual([name, domain, socialUrl]);
    }
  });

  it.each([
    ['accents', /Łódź/],
    ['a decomposed accent', /e\u0308/],
    ['emoji', /👩‍💻/u],
    ['CJK', /東京/],
    ['right-to-left text', /מנהל/],
    ['a direction override', /\u202e/],
    ['quotes', /""/],
    ['commas', /, Inc\.; /],
    ['a tab', /\t/],
    ['a line feed', /[^\r]\n/],
    ['a carriage return', /\r\n/],
    ['a line separator', /\u2028/],
    ['a leading =', /^=/],
    ['a leading +', /^\+/],
    ['a leading -', /^-/],
    ['a leading @', /^@/],
    ['space around it', /^ .* $/s],
    ['HTML', /<script>/],
    ['a numeral', /^007$/],
    ['more than a spreadsheet cell holds', /^.{32768,}$/s],
  ])('has text with %s', (_kind, pattern) => {
    const texts = profiles.flatMap((profile) => [profile.summary ?? '', profile.tagline ?? '']);
    expect(texts.some((text) => pattern.test(text))).toBe(true);
  });
});

function expectDate({ month, year }: PartialDate): void {
  const isMonth = month === undefined || (month >= 1 && month <= 12 && year !== undefined);
  const isYear = year === undefined || (year > 1950 && year <= 2025);
  if (!isMonth || !isYear) expect.fail(`${month}/${year} is no date`);
}
