import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '../start-sandbox.js';

// Copied by hand from the platform's documentation, in its order (docs/platform-api.md, Person record).
const RECORD = {
  lead_id: 'integer',
  canonical_shorthand_name: 'string',
  connections_count: 'integer',
  country: 'string',
  full_name: 'string',
  education: 'array',
  experience_count: 'integer',
  experiences: 'array',
  interests: 'array',
  languages: 'array',
  last_updated: 'date-time',
  lead_industry: 'string',
  lead_social_url: 'url',
  lead_logo_url: 'url',
  social_short: 'string',
  location: 'string',
  skills: 'array',
  summary: 'string',
  title: 'string',
  lead_quality_score: 'integer',
  seniority: 'string',
  department: 'string',
  connections_count_bucket: 'string',
  years_of_exp_bucket: 'string',
  current_exp_company_name: 'string',
  geopoint: 'array',
  _score: 'number',
  _id: 'string',
};
const EDUCATION =
  'activities_and_societies created date_from date_to deleted description id last_updated member_id school_url subtitle title';
const EXPERIENCE =
  'company_id company_description company_employee_count company_followers_count company_founded company_headquarters_city company_headquarters_country company_industry company_social_url company_logo_url company_name company_size company_type company_url company_website_url revenue_bucket company_domain employees_count_growth last_funding_round_at business_business_customer current_exp_bucket created date_from date_to description duration id last_updated location member_id order_in_profile title title_normalized main_in_profile';
const INTEGERS = new Set([
  'company_id',
  'company_employee_count',
  'company_followers_count',
  'company_founded',
  'employees_count_growth',
  'order_in_profile',
]);

const ENTRY = z.record(z.string(), z.unknown());
const ENTRIES = z.array(ENTRY);
const ANSWER = z.object({ schema: ENTRY, version: ENTRY, properties: z.array(z.string()) });

async function readSchema() {
  const sandbox = await startSandbox();
  const answer = await sandbox.call('/schema/people');
  expect(answer.status).toBe(200);
  return ANSWER.parse(await answer.json());
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  if (typeof value !== 'string') return typeof value;
  if (/^https?:\/\//.test(value)) return 'url';
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value) ? 'date-time' : 'string';
}

describe('GET /schema/people', () => {
  it('has every field of the record, in order, with its type', async () => {
    const { schema, properties } = await readSchema();
    const types = Object.entries(schema).map(([name, value]) => [name, typeOf(value)]);
    expect(types).toEqual(Object.entries(RECORD));
    expect(properties).toEqual(Object.keys(RECORD));
  });

  it('carries its version', async () => {
    const { version } = await readSchema();
    expect(version).toEqual({ since: expect.any(Number), type: 'date' });
    expect(String(version['since'])).toMatch(/^20\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])$/);
  });

  it('has every field of the entries, with its type', async () => {
    const { schema } = await readSchema();
    for (const entry of ENTRIES.parse(schema['education'])) {
      expect(Object.keys(entry).join(' ')).toBe(EDUCATION);
      for (const value of Object.values(entry)) expect(value).toBeTypeOf('string');
    }
    const experiences = ENTRIES.parse(schema['experiences']);
    expect(experiences.map((entry) => entry['date_to'])).toContain('');
    for (const entry of experiences) {
      expect(Object.keys(entry).join(' ')).toBe(EXPERIENCE);
      for (const [name, value] of Object.entries(entry)) {
        if (INTEGERS.has(name)) expect(value, name).toSatisfy(Number.isInteger);
        else expect(value, name).toBeTypeOf(name === 'main_in_profile' ? 'boolean' : 'string');
      }
    }
    expect(schema).toMatchObject({
      interests: [{ interest: expect.any(String), interest_id: expect.any(String) }],
      languages: [{ language: expect.any(String), proficiency: expect.any(String) }],
      skills: [{ skill: expect.any(String), skill_id: expect.any(String) }],
      geopoint: [expect.any(Number), expect.any(Number)],
    });
  });
});
