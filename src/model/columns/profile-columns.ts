// The columns of the profile, each with the function that reads its cell (docs/platform-api.md, Profile).
import { asksOf } from '../ask.js';
import { PROFILE_FIELDS, type Result } from '../result.js';
import type { JsonValue } from '../text/json.js';
import { type ColumnSpec, fieldColumns } from './column-spec.js';

type Profile = NonNullable<Result['social_enrichment']>;

interface ProfileColumn extends ColumnSpec {
  readonly field: keyof typeof PROFILE_FIELDS;
  readonly read: (profile: Profile) => JsonValue | undefined;
}

export const PROFILE_ASKS = asksOf('social_enrichment');

/**
 * In the documented order. Names are the fields in snake_case, with `social_` in front unless they begin with `social_`
 * or `company_`. A computed column is appended (`.concat`).
 */
export const PROFILE_COLUMNS: readonly ProfileColumn[] = fieldColumns(
  PROFILE_FIELDS,
  {
    socialUrl: "The profile's address on the professional network",
    socialMemberId: "The member's number on the network",
    socialClassicId: "The member's identifier in the network's classic form",
    firstName: 'First name',
    lastName: 'Last name',
    picture: 'The profile picture',
    locationName: 'The place that the person states',
    tagline: 'The line under the name',
    industry: 'Industry of the person',
    summary: 'The words of the person about themselves',
    languages: 'Languages',
    skills: 'Skills, with commas between them',
    companyName: "The company's name",
    companyLinkedinUrl: "The company's page on the network",
    occupation: 'Occupation',
    companyDomain: "The company's domain",
    companyId: "The company's number on the network",
    companyWebsite: "The company's website",
    companyDescription: 'The words of the company about itself',
    companyFoundedOn: 'The year in which the company was founded',
    companyEmployeesOnSocial: 'How many of its employees are on the network',
    companyIndustry: 'Industry of the company',
    companyLogo: "The company's logo",
    companyType: 'Legal or ownership type of the company',
    companyHeadQuarter: 'The place of its headquarters',
    companySize: 'Number of employees, as a range',
  },
  (name) => (/^(?:social|company)_/.test(name) ? name : `social_${name}`),
).map((column) => ({
  ...column,
  asks: PROFILE_ASKS,
  read: (profile: Profile) => profile[column.field],
}));
