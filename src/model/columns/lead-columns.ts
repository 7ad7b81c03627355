// The columns of a lead, each with the function that reads its cell: the outcome, the cost, and the e-mail and phone.

import type { LeadAnswer } from '../answer.js';
import { type Ask, asksOf } from '../ask.js';
import type { JsonValue } from '../text/json.js';
import type { ColumnSpec } from './column-spec.js';
import type { CompanyRules } from './companies.js';
import {
  companyMatches,
  isCatchAll,
  isFreeAddress,
  isRoleAddress,
  nameMatches,
} from './quality.js';

interface LeadColumn extends ColumnSpec {
  readonly read: (answer: LeadAnswer, rules: CompanyRules) => JsonValue | undefined;
}

const EMAIL_ASKS = asksOf('find_email');

/** No ask brings them: a table has them where `columns` names them. */
const ON_DEMAND: readonly Ask[] = [];

const COLUMNS = [
  {
    name: 'sluice_status',
    type: 'text',
    about: 'The outcome of the lead',
    read: (answer) => answer.status,
  },
  {
    name: 'sluice_reason',
    type: 'text',
    about:
      'The reason why it was skipped, not asked, not sent, failed or is not known; or the asks for which its inputs did not suffice, or an input that was left out',
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
    about:
      'Whether this lead made the run pay (api), or another line or an earlier run (cache), or it was imported (import)',
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
    about: 'The time at which the answer arrived: ISO 8601, UTC',
    read: ({ enrichedAt }) => (enrichedAt === null ? null : new Date(enrichedAt).toISOString()),
  },
  {
    name: 'email',
    type: 'text',
    asks: EMAIL_ASKS,
    about: 'The e-mail address that was found or verified',
    read: (answer) => answer.result?.find_email?.email,
  },
  {
    name: 'email_status',
    type: 'text',
    asks: EMAIL_ASKS,
    about: 'The status of that address: `deliverable`, `risky`, `undeliverable` or `unknown`',
    read: (answer) => answer.result?.find_email?.status,
  },
  {
    name: 'platform_email_status',
    type: 'text',
    asks: EMAIL_ASKS,
    about: "The platform's own word for that status",
    read: ({ result }) => result?.find_email?.platformStatus ?? result?.find_email?.status,
  },
  {
    name: 'email_domain_matches',
    type: 'boolean',
    asks: EMAIL_ASKS,
    about:
      'Whether that address is on the domain asked about; empty where there is nothing to compare',
    read: emailDomainMatches,
  },
  {
    name: 'phone',
    type: 'phone',
    asks: asksOf('find_phone'),
    about: 'The phone number that was found, in international format',
    read: (answer) => answer.result?.find_phone?.phone,
  },
  {
    name: 'name_matches',
    type: 'boolean',
    asks: ON_DEMAND,
    about:
      'Whether the name that came back is the one asked about: `false` is perhaps another person; empty where both do not say',
    read: nameMatches,
  },
  {
    name: 'company_matches',
    type: 'boolean',
    asks: ON_DEMAND,
    about:
      'Whether a current company of the profile is the one asked about, by domain, or else by name; empty where both do not say',
    read: companyMatches,
  },
  {
    name: 'email_is_role',
    type: 'boolean',
    asks: ON_DEMAND,
    about: 'Whether the address is one that many read, like `info@`',
    read: isRoleAddress,
  },
  {
    name: 'email_is_free',
    type: 'boolean',
    asks: ON_DEMAND,
    about: 'Whether the address is at a mail provider, like `gmail.com`',
    read: (answer, { domainOwner }) => isFreeAddress(answer, domainOwner),
  },
  {
    name: 'email_is_catch_all',
    type: 'boolean',
    asks: ON_DEMAND,
    about:
      "Whether the platform's own word says that its domain takes every address; empty where it does not",
    read: isCatchAll,
  },
] as const satisfies readonly LeadColumn[];
export type LeadColumnSpec = (typeof COLUMNS)[number];

/** The columns in output order, between the input's own columns and the profile's. */
export const LEAD_COLUMNS: readonly LeadColumn[] = COLUMNS;

/** The index of `credits` in {@link LEAD_COLUMNS}: a further row of the same lead must not count them again. */
export const CREDITS_INDEX = LEAD_COLUMNS.findIndex((column) => column.name === 'credits');

function emailDomainMatches(
  answer: LeadAnswer,
  { registrableDomain }: CompanyRules,
): boolean | null {
  const email = answer.result?.find_email?.email;
  if (email === undefined || answer.inputs.companyDomain === undefined) return null;
  const found = registrableDomain(email);
  return found === undefined ? null : found === answer.inputs.companyDomain;
}
