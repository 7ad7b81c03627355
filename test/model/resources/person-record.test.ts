import { describe, expect, it } from 'vitest';
import {
  EDUCATION_FIELDS,
  EXPERIENCE_FIELDS,
  type FieldType,
  PERSON_FIELDS,
} from '../../../src/model/resources/person-record.js';
import { documentedFields } from '../../../src/model/resources/schema-drift.js';

/** `name:type` of each field, a string where no type is told; in order. */
function fieldsOf(table: Readonly<Record<string, FieldType>>): string {
  return Object.entries(table)
    .map(([name, type]) => (type === 'string' ? name : `${name}:${type.replace('array of ', '')}`))
    .join(' ');
}

// Copied by hand from the platform's documentation (docs/platform-api.md, Person record), not from the source.
describe('a record of the people database', () => {
  it('has the top-level fields of the document, in its order', () => {
    expect(fieldsOf(PERSON_FIELDS)).toBe(
      'lead_id:integer canonical_shorthand_name connections_count:integer country full_name education:objects experience_count:integer experiences:objects interests:objects languages:objects last_updated:date-time lead_industry lead_social_url:url lead_logo_url:url social_short location skills:objects summary title lead_quality_score:integer seniority department connections_count_bucket years_of_exp_bucket current_exp_company_name geopoint:numbers _score:number _id',
    );
  });

  it('has the fields of an education entry', () => {
    expect(fieldsOf(EDUCATION_FIELDS)).toBe(
      'activities_and_societies created:date-time date_from:date date_to:date deleted description id last_updated:date-time member_id school_url subtitle title',
    );
  });

  it('has the fields of an experience entry', () => {
    expect(fieldsOf(EXPERIENCE_FIELDS)).toBe(
      'company_id:integer company_description company_employee_count:integer company_followers_count:integer company_founded:integer company_headquarters_city company_headquarters_country company_industry company_social_url company_logo_url company_name company_size company_type company_url company_website_url revenue_bucket company_domain employees_count_growth:integer last_funding_round_at:date business_business_customer current_exp_bucket created:date-time date_from:date date_to:date description duration id last_updated:date-time location member_id order_in_profile:integer title title_normalized main_in_profile:boolean',
    );
  });

  it('has the fields of interests, languages and skills', () => {
    const inner = documentedFields()
      .filter(({ name }) => /^(interests|languages|skills)\./.test(name))
      .map(({ name, type }) => `${name}:${type}`);
    expect(inner).toEqual([
      'interests.interest:string',
      'interests.interest_id:string',
      'languages.language:string',
      'languages.proficiency:string',
      'skills.skill:string',
      'skills.skill_id:string',
    ]);
  });
});
