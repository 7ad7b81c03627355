import { expect, expectTypeOf, it } from 'vitest';
import type { AnswerSource, LeadStatus } from '../../../src/model/answer.js';
import { describeColumns } from '../../../src/model/columns/output-columns.js';
import type { KnownColumns, Row } from '../../../src/model/columns/row.js';
import type { JsonValue } from '../../../src/model/text/json.js';

it('the type of a row knows the columns', () => {
  expectTypeOf<Row['sluice_status']>().toEqualTypeOf<LeadStatus>();
  expectTypeOf<Row['source']>().toEqualTypeOf<AnswerSource | null>();
  expectTypeOf<Row['email']>().toEqualTypeOf<string | null>();
  expectTypeOf<Row['credits']>().toEqualTypeOf<number>();
  expectTypeOf<Row['email_domain_matches']>().toEqualTypeOf<boolean | null>();
  expectTypeOf<Row['company_founded_on']>().toEqualTypeOf<number | null>();
  expectTypeOf<Row['social_first_name']>().toEqualTypeOf<string | null>();
  expectTypeOf<Row['position_2_title']>().toEqualTypeOf<JsonValue>();
  expectTypeOf<Row['anything of the input']>().toEqualTypeOf<JsonValue>();
});

it('the type of a row knows the columns of the input, where they are named', () => {
  type Own = Row<'Name' | 'email'>;
  expectTypeOf<Own['Name']>().toEqualTypeOf<JsonValue>();
  expectTypeOf<Own['email']>().toEqualTypeOf<JsonValue>();
  expectTypeOf<Own['sluice_email']>().toEqualTypeOf<string | null>();
  // @ts-expect-error: the input has no such column
  expectTypeOf<Own['Country']>().toEqualTypeOf<JsonValue>();
});

it('every column but those of positions is in that type', () => {
  // Where a name is missing or wrong here, the types do not fit.
  const known: { readonly [Name in keyof KnownColumns]: true } = KNOWN;
  const names = describeColumns({ kind: 'current' }).map(({ name }) => name);
  const lead = names.filter((name) => !name.startsWith('position_'));
  expect(Object.keys(known).toSorted()).toEqual(lead.toSorted());
});

const KNOWN = {
  sluice_status: true,
  sluice_reason: true,
  enrichment_id: true,
  source: true,
  credits: true,
  enriched_at: true,
  email: true,
  email_status: true,
  platform_email_status: true,
  email_domain_matches: true,
  phone: true,
  name_matches: true,
  company_matches: true,
  email_is_role: true,
  email_is_free: true,
  email_is_catch_all: true,
  social_url: true,
  social_member_id: true,
  social_classic_id: true,
  social_first_name: true,
  social_last_name: true,
  social_picture: true,
  social_location_name: true,
  social_tagline: true,
  social_industry: true,
  social_summary: true,
  social_languages: true,
  social_skills: true,
  company_name: true,
  company_linkedin_url: true,
  social_occupation: true,
  company_domain: true,
  company_id: true,
  company_website: true,
  company_description: true,
  company_founded_on: true,
  company_employees_on_social: true,
  company_industry: true,
  company_logo: true,
  company_type: true,
  company_head_quarter: true,
  company_size: true,
} as const;
