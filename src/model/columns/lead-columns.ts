// The columns of a lead, each with how its cell is read: what became of it, what it cost, which e-mail and phone were
// found, and its profile.
import type { LeadAnswer } from '../answer.js';
import type { RegistrableDomain } from '../normalise.js';
import { PROFILE_FIELDS } from '../result.js';
import type { JsonValue } from '../text/json.js';
import { type ColumnSpec, fieldColumns } from './column-spec.js';

interface LeadColumn extends ColumnSpec {
  readonly read: (
    answer: LeadAnswer,
    registrableDomain: RegistrableDomain,
  ) => JsonValue | undefined;
}

/** In output order, between the input's own columns and the profile's. */
export const LEAD_COLUMNS: readonly LeadColumn[] = [
  {
    name: 'sluice_status',
    type: 'text',
    about: 'What became of the lead; the values are below',
    read: (answer) => answer.status,
  },
  {
    name: 'sluice_reason',
    type: 'text',
    about:
      'Why it was skipped, failed or is not known; or which asks its inputs did not suffice for, or which input was left out',
    read: (answer) => answer.reason,
  },
  {
    name: 'enrichment_id',
    type: 'text',
    about: 'The ticket (`enr_…`) that the platform handed back',
    read: (answer) => answer.ticket,
  },
  {
    name: 'source',
    type: 'text',
    about: 'Whether this lead made the run pay; the values are below',
    read: (answer) => answer.source,
  },
  {
    name: 'credits',
    type: 'number',
    about: 'Credits that this run paid for this lead',
    read: (answer) => answer.credits,
  },
  {
    name: 'enriched_at',
    type: 'date and time',
    about: 'When the answer arrived: ISO 8601, UTC',
    read: ({ enrichedAt }) => (enrichedAt === null ? null : new Date(enrichedAt).toISOString()),
  },
  {
    name: 'email',
    type: 'text',
    about: 'The e-mail address that was found or verified',
    read: (answer) => answer.result?.find_email?.email,
  },
  {
    name: 'email_status',
    type: 'text',
    about: 'What the platform says of that address, such as `deliverable`',
    read: (answer) => answer.result?.find_email?.status,
  },
  {
    name: 'email_domain_matches',
    type: 'boolean',
    about:
      'Whether that address is on the domain asked about; empty where there is nothing to compare',
    read: emailDomainMatches,
  },
  {
    name: 'phone',
    type: 'phone',
    about: 'The phone number that was found, in international format',
    read: (answer) => answer.result?.find_phone?.phone,
  },
];

/** The index of `credits` in {@link LEAD_COLUMNS}: a further row of the same lead must not count them again. */
export const CREDITS_INDEX = LEAD_COLUMNS.findIndex((column) => column.name === 'credits');

function emailDomainMatches(
  answer: LeadAnswer,
  registrableDomain: RegistrableDomain,
): boolean | null {
  const email = answer.result?.find_email?.email;
  if (email === undefined || answer.inputs.companyDomain === undefined) return null;
  const found = registrableDomain(email);
  return found === undefined ? null : found === answer.inputs.companyDomain;
}

/**
 * One column for each field of the profile (docs/platform-api.md, Profile) but `positionGroups`, in the documented
 * order. The name is the field in snake_case, with `social_` in front unless it
 * begins with `social_` or `company_` already: `firstName` is `social_first_name`.
 */
export const PROFILE_COLUMNS = fieldColumns(
  PROFILE_FIELDS,
  {
    socialUrl: "The profile's address on the professional network",
    socialMemberId: "The member's number on the network",
    socialClassicId: "The member's identifier in the network's classic form",
    firstName: 'First name',
    lastName: 'Last name',
    picture: 'The profile picture',
    locationName: 'Where the person says they are',
    tagline: 'The line under the name',
    industry: 'Industry of the person',
    summary: 'What the person writes of themselves',
    languages: 'Languages',
    skills: 'Skills, with commas between them',
    companyName: "The company's name",
    companyLinkedinUrl: "The company's page on the network",
    occupation: 'Occupation',
    companyDomain: "The company's domain",
    companyId: "The company's number on the network",
    companyWebsite: "The company's website",
    companyDescription: 'What the company writes of itself',
    companyFoundedOn: 'The year in which the company was founded',
    companyEmployeesOnSocial: 'How many of its employees are on the network',
    companyIndustry: 'Industry of the company',
    companyLogo: "The company's logo",
    companyType: 'Legal or ownership type of the company',
    companyHeadQuarter: 'Where its head quarter is',
    companySize: 'Number of employees, as a range',
  },
  (name) => (/^(?:social|company)_/.test(name) ? name : `social_${name}`),
);
