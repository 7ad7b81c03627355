import { describe, expect, it } from 'vitest';
import {
  COMPANY_FIELDS,
  type FieldTable,
  POSITION_FIELDS,
  PROFILE_FIELDS,
} from '../../src/model/result.js';

/** `name:type` of each field, a string where no type is told; in order. */
function fieldsOf(table: FieldTable): string {
  return Object.entries(table)
    .map(([name, type]) => (type === 'string' ? name : `${name}:${type}`))
    .join(' ');
}

// Copied by hand from the platform's documentation (docs/platform-api.md, Resources), not from the source.
describe('the field tables of a result', () => {
  it('have every field of the profile, in the order of the document', () => {
    expect(fieldsOf(PROFILE_FIELDS)).toBe(
      'socialUrl:url socialMemberId:integer socialClassicId firstName lastName picture:url locationName tagline industry summary languages skills companyName companyLinkedinUrl:url occupation companyDomain companyId:integer companyWebsite:url companyDescription companyFoundedOn:integer companyEmployeesOnSocial:integer companyIndustry companyLogo:url companyType companyHeadQuarter companySize',
    );
  });

  it('have every field of the company of a position group, in the order of the document', () => {
    expect(fieldsOf(COMPANY_FIELDS)).toBe(
      'id:integer name socialUrl:url socialUrlSalesNav:url logo:url domain website:url industry description employeesOnSocial:integer foundedOn:integer headQuarter size type',
    );
  });

  it('have every field of a position', () => {
    expect(fieldsOf(POSITION_FIELDS)).toBe('title description companyName');
  });
});
