import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { domainOwner } from '../../../src/identity/domain-owner.js';
import type { LeadAnswer } from '../../../src/model/answer.js';
import { flattenAnswer } from '../../../src/model/columns/flatten-answer.js';
import { outputColumns } from '../../../src/model/columns/output-columns.js';
import { parsePositionShape } from '../../../src/model/columns/positions.js';
import type { Position, PositionGroup, Result } from '../../../src/model/result.js';
import type { JsonValue } from '../../../src/model/text/json.js';
import { leadAnswer } from '../../helpers/lead-answer.js';

const RULES = { registrableDomain: lastTwoLabels, domainOwner };

const input = ['first', 'last'].map((name) => ({ name, key: name }));

const skipped = leadAnswer({
  cells: ['Ann', 'Lee'],
  status: 'skipped',
  reason: 'no e-mail',
  ticket: null,
  source: null,
  enrichedAt: null,
});

function found(result: Result, more: Partial<LeadAnswer> = {}): LeadAnswer {
  return leadAnswer({
    cells: ['Ann', 'Lee'],
    credits: 6,
    enrichedAt: Date.UTC(2026, 2, 1, 12, 30),
    inputs: { companyDomain: 'example.com' },
    result,
    ...more,
  });
}

/** The last two labels: enough of a public suffix list for these tests. */
function lastTwoLabels(hostOrEmail: string): string | undefined {
  return /[^.@]+\.[^.@]+$/.exec(hostOrEmail)?.[0];
}

/** The rows by column name, without their empty cells. */
function rowsOf(answer: LeadAnswer, shapeText: string): Record<string, JsonValue>[] {
  const shape = parsePositionShape(shapeText) ?? { kind: 'json' };
  const columns = outputColumns(input, shape);
  return flattenAnswer(answer, input.length, shape, RULES).map((row) => {
    expect(row.length).toBe(columns.length);
    const cells = columns.map(({ key }, n): [string, JsonValue] => [key, row[n] ?? null]);
    return Object.fromEntries(cells.filter(([, cell]) => cell !== null));
  });
}

function rowOf(answer: LeadAnswer, shapeText: string): Record<string, JsonValue> {
  const rows = rowsOf(answer, shapeText);
  expect(rows.length).toBe(1);
  return rows[0] ?? {};
}

const company = {
  id: 1,
  name: 'Acme',
  socialUrl: 'https://social.example/company/acme',
  socialUrlSalesNav: 'https://social.example/sales/acme',
  logo: 'https://social.example/acme.png',
  domain: 'acme.example',
  website: 'https://acme.example',
  industry: 'Tools',
  description: 'Makes everything',
  employeesOnSocial: 120,
  foundedOn: 1949,
  headQuarter: 'Tucson',
  size: '51-200',
  type: 'Private',
};
const acme: PositionGroup = {
  company,
  date: { start: { year: 2015, month: 1 }, end: {} },
  profilePositions: [
    { title: 'Engineer', date: { start: { year: 2015, month: 1 }, end: { year: 2018, month: 6 } } },
    {
      title: 'CTO',
      description: 'Leads',
      companyName: 'Acme Labs',
      date: { start: { year: 2018 }, end: {} },
    },
  ],
};
const beta: PositionGroup = {
  company: { name: 'Beta' },
  date: { start: { year: 2010 }, end: { year: 2016 } },
  profilePositions: [],
};
const cto = {
  title: 'CTO',
  description: 'Leads',
  stated_company_name: 'Acme Labs',
  start: '2018',
  group_start: '2015-01',
  company_id: 1,
  company_name: 'Acme',
  company_social_url: 'https://social.example/company/acme',
  company_social_url_sales_nav: 'https://social.example/sales/acme',
  company_logo: 'https://social.example/acme.png',
  company_domain: 'acme.example',
  company_website: 'https://acme.example',
  company_industry: 'Tools',
  company_description: 'Makes everything',
  company_employees_on_social: 120,
  company_founded_on: 1949,
  company_head_quarter: 'Tucson',
  company_size: '51-200',
  company_type: 'Private',
};

function prefixed(prefix: string, cells: Record<string, JsonValue>): Record<string, JsonValue> {
  return Object.fromEntries(Object.entries(cells).map(([name, cell]) => [prefix + name, cell]));
}

function since(year: number): Position {
  return { title: `since ${year}`, date: { start: { year }, end: {} } };
}

const career = found({ social_enrichment: { positionGroups: [beta, acme] } });
const lead = {
  first: 'Ann',
  last: 'Lee',
  sluice_status: 'found',
  enrichment_id: 'enr_1',
  source: 'api',
  credits: 6,
  enriched_at: '2026-03-01T12:30:00.000Z',
};

describe('flattenAnswer', () => {
  it('says of a skipped lead why, and what it cost: nothing', () => {
    expect(rowOf(skipped, 'wide:3')).toEqual({
      first: 'Ann',
      last: 'Lee',
      sluice_status: 'skipped',
      sluice_reason: 'no e-mail',
      credits: 0,
    });
  });

  it('writes the e-mail, its status and the phone', () => {
    const result: Result = {
      find_email: { email: 'ann@example.com', status: 'deliverable' },
      find_phone: { phone: '+33612345678' },
    };
    expect(rowOf(found(result), 'json')).toEqual({
      ...lead,
      email: 'ann@example.com',
      email_status: 'deliverable',
      platform_email_status: 'deliverable',
      email_domain_matches: true,
      email_is_role: false,
      email_is_free: false,
      phone: '+33612345678',
    });
  });

  it.each([
    ['risky', 'CATCH_ALL', 'CATCH_ALL'],
    ['deliverable', undefined, 'deliverable'],
  ])("writes the status %s and the platform's own word %s beside it", (status, word, told) => {
    const find_email = { email: 'ann@example.com', status, ...(word && { platformStatus: word }) };
    expect(rowOf(found({ find_email }), 'json')).toMatchObject({
      email_status: status,
      platform_email_status: told,
    });
  });

  it.each([
    ['ann@mail.example.com', 'example.com', true],
    ['ann@other.com', 'example.com', false],
    ['ann@example.com', null, undefined],
    ['ann@localhost', 'example.com', undefined],
    [undefined, 'example.com', undefined],
  ])('compares %s with the domain asked about, %s: %s', (email, askedDomain, matches) => {
    const result = { find_email: email === undefined ? {} : { email } };
    const inputs = askedDomain === null ? {} : { companyDomain: askedDomain };
    const row = rowOf(found(result, { inputs }), 'json');
    expect(row['email_domain_matches']).toBe(matches);
  });

  it('writes each field of the profile into its column', () => {
    const profile = {
      socialUrl: 'https://social.example/in/ann',
      socialMemberId: 42,
      firstName: 'Ann',
      skills: 'a, b',
      companyLinkedinUrl: 'https://social.example/company/acme',
      companyFoundedOn: 1949,
      companyHeadQuarter: 'Tucson',
      positionGroups: [],
    };
    expect(rowOf(found({ social_enrichment: profile }), 'wide:1')).toEqual({
      ...lead,
      social_url: 'https://social.example/in/ann',
      social_member_id: 42,
      social_first_name: 'Ann',
      social_skills: 'a, b',
      company_linkedin_url: 'https://social.example/company/acme',
      company_founded_on: 1949,
      company_head_quarter: 'Tucson',
    });
  });

  it('keeps the original cells with their types, and fills those that a short record lacks', () => {
    const cells = [{ nested: [1, true] }];
    expect(rowOf({ ...skipped, cells }, 'json')).toMatchObject({ first: { nested: [1, true] } });
    const shape = { kind: 'json' } as const;
    expect(flattenAnswer({ ...skipped, cells: [] }, 2, shape, RULES)[0]?.slice(0, 3)).toEqual([
      null,
      null,
      'skipped',
    ]);
  });

  it('current: writes the current position and the company of its group', () => {
    expect(rowOf(career, 'current')).toEqual({
      ...lead,
      company_matches: false,
      ...prefixed('position_', cto),
    });
  });

  it('current: takes the latest start where several are current', () => {
    const groups = [{ ...beta, profilePositions: [since(2019), since(2022), since(2020)] }];
    const row = rowOf(found({ social_enrichment: { positionGroups: groups } }), 'current');
    expect(row['position_title']).toBe('since 2022');
  });

  it('current: stays empty where no position is current', () => {
    const former = found({ social_enrichment: { positionGroups: [beta] } });
    expect(rowOf(former, 'current')).toEqual(lead);
  });

  it('wide: writes the latest positions side by side and leaves out what exceeds N', () => {
    const row = rowOf(career, 'wide:2');
    expect(row).toMatchObject({
      ...prefixed('position_1_', cto),
      position_2_title: 'Engineer',
      position_2_start: '2015-01',
      position_2_end: '2018-06',
    });
    expect(Object.values(row)).not.toContain('Beta');
  });

  it('wide: writes a group without positions as its company and its dates', () => {
    const row = rowOf(career, 'wide:3');
    expect(Object.entries(row).filter(([name]) => name.startsWith('position_3_'))).toEqual([
      ['position_3_group_start', '2010'],
      ['position_3_group_end', '2016'],
      ['position_3_company_name', 'Beta'],
    ]);
  });

  it('long: writes a row for each position, numbered by group and within the group', () => {
    const rows = rowsOf(career, 'long');
    expect(rows[0]).toEqual({
      ...lead,
      company_matches: false,
      position_group: 1,
      position_order: 1,
      ...prefixed('position_', cto),
    });
    expect(rows[1]).toMatchObject({
      position_group: 1,
      position_order: 2,
      position_title: 'Engineer',
    });
    expect(rows[2]).toEqual({
      ...lead,
      company_matches: false,
      credits: 0,
      position_group: 2,
      position_group_start: '2010',
      position_group_end: '2016',
      position_company_name: 'Beta',
    });
    expect(rows.length).toBe(3);
  });

  it('long: counts the credits of a lead once', () => {
    expect(rowsOf(career, 'long').map((row) => row['credits'])).toEqual([6, 0, 0]);
  });

  it('long: writes one row for a lead without positions', () => {
    expect(rowsOf(skipped, 'long').length).toBe(1);
    expect(rowsOf(found({ social_enrichment: { positionGroups: [] } }), 'long')).toEqual([lead]);
  });

  it('json: writes the groups as they came, and nothing where there is no profile', () => {
    expect(rowOf(career, 'json')['position_groups']).toEqual([beta, acme]);
    expect(rowOf(found({}), 'json')).toEqual(lead);
  });

  it('makes every row as long as the header, whatever the result and the shape', () => {
    const dates = fc.record(
      { year: fc.integer({ min: 1950, max: 2030 }), month: fc.integer({ min: 1, max: 12 }) },
      { requiredKeys: [] },
    );
    const ranges = fc.record({ start: dates, end: dates });
    const groups = fc.array(
      fc.record({
        company: fc.record({ name: fc.string() }),
        date: ranges,
        profilePositions: fc.array(fc.record({ date: ranges }), { maxLength: 4 }),
      }),
      { maxLength: 4 },
    );
    const shapes = fc.constantFrom('current', 'wide:1', 'wide:7', 'long', 'json');
    const cells = fc.array(fc.string(), { maxLength: 4 });
    fc.assert(
      fc.property(groups, shapes, cells, (positionGroups, shape, cells) => {
        const answer = found({ social_enrichment: { positionGroups } }, { cells });
        const rows = rowsOf(answer, shape);
        const positions = positionGroups.map((group) => Math.max(1, group.profilePositions.length));
        const expected = shape === 'long' ? positions.reduce((sum, n) => sum + n, 0) : 1;
        expect(rows.length).toBe(Math.max(1, expected));
      }),
    );
  });
});
