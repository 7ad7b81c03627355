// The table of companies: the rules by which two records are one company, the records of an answer, and the columns.
import type { OutputColumn, OutputRow } from '../../ports/table-writer.js';
import type { LeadAnswer } from '../answer.js';
import { fold } from '../fingerprint.js';
import {
  type DomainOwner,
  foldedText,
  normaliseInput,
  type RegistrableDomain,
} from '../normalise.js';
import type { Company, Profile } from '../result.js';
import { type ColumnSpec, columnOf } from './column-spec.js';
import { COMPANY_COLUMNS, isCurrent, orderPositions } from './positions.js';

export interface CompanyRules {
  readonly registrableDomain: RegistrableDomain;
  readonly domainOwner: DomainOwner;
}

/** The companies of one answer. A key is null if nothing identifies the company. */
export interface AnswerCompanies {
  /** The key of the profile's company, else of the current position's. */
  readonly own: string | null;
  /** The key of each position group's company, in the order of the answer. */
  readonly groups: readonly (string | null)[];
  /** The profile's first, then those of the groups. */
  readonly records: readonly { readonly key: string; readonly company: Company }[];
}

export const COMPANY_KEY: ColumnSpec = {
  name: 'company_key',
  type: 'text',
  about: 'The company in the table of companies',
};

export const NO_COMPANIES: AnswerCompanies = { own: null, groups: [], records: [] };

/**
 * The companies of an answer. A company is known by its number on the network, else by its registrable domain (unless
 * many share that), else by its page, else by its name. Within one answer, a record without the number is the company
 * with the number and the same domain; or with the same page or name, if one of them has no domain.
 */
export function companiesOf({ result }: LeadAnswer, rules: CompanyRules): AnswerCompanies {
  const profile = result?.social_enrichment;
  if (profile === undefined) return NO_COMPANIES;
  const companies = [ofProfile(profile), ...profile.positionGroups.map(({ company }) => company)];
  const marks = companies.map((company) => marksOf(company, rules));
  const keys = marks.map((own) => strongestOf(own, marks));
  const [own = null, ...groups] = keys;
  const [latest] = orderPositions(profile.positionGroups);
  const current = latest !== undefined && isCurrent(latest.date) ? groups[latest.groupIndex] : null;
  const records = companies.flatMap((company, n) => {
    const key = keys[n];
    return typeof key === 'string' ? [{ key, company }] : [];
  });
  return { own: own ?? current ?? null, groups, records };
}

export interface KnownCompany {
  readonly marks: Marks;
  readonly name: string | null;
  readonly domain: string | null;
}

/** The `own` company, with the marks of its other records in the same answer; null if nothing identifies it. */
export function companyOfPerson({ result }: LeadAnswer, rules: CompanyRules): KnownCompany | null {
  const profile = result?.social_enrichment;
  if (profile === undefined) return null;
  const own = ofProfile(profile);
  const others = profile.positionGroups.map(({ company }) => company);
  const marks = marksOf(own, rules);
  if (firstOf(marks) < marks.length) return completed({ company: own, marks }, others, rules);
  const [latest] = orderPositions(profile.positionGroups);
  if (latest === undefined || !isCurrent(latest.date)) return null;
  const { company } = latest.group;
  const current = { company, marks: marksOf(company, rules) };
  return firstOf(current.marks) === marks.length ? null : completed(current, others, rules);
}

function completed(
  { company, marks }: { readonly company: Company; readonly marks: Marks },
  others: readonly Company[],
  rules: CompanyRules,
): KnownCompany {
  const all = [marks];
  // Reading the other records takes most of the time, so it is done only if a mark is missing.
  for (const other of marks.includes(null) ? others : []) {
    const theirs = marksOf(other, rules);
    if (isSameBy(marks, theirs) === true) all.push(theirs);
  }
  const whole = marks.map((_, n) => all.find((one) => one[n] !== null)?.[n] ?? null);
  const domain = whole[DOMAIN_MARK]?.slice('domain:'.length) ?? null;
  return { marks: whole, name: company.name ?? null, domain };
}

export const COMPANY_TABLE: readonly ColumnSpec[] = [COMPANY_KEY, ...COMPANY_COLUMNS];

export function companyColumns(): OutputColumn[] {
  return COMPANY_TABLE.map((spec) => columnOf(spec, spec.name));
}

export function companyRow(key: string, company: Company): OutputRow {
  return [key, ...COMPANY_COLUMNS.map(({ field }) => company[field] ?? null)];
}

export const OF_PROFILE = {
  id: 'companyId',
  name: 'companyName',
  socialUrl: 'companyLinkedinUrl',
  logo: 'companyLogo',
  domain: 'companyDomain',
  website: 'companyWebsite',
  industry: 'companyIndustry',
  description: 'companyDescription',
  employeesOnSocial: 'companyEmployeesOnSocial',
  foundedOn: 'companyFoundedOn',
  headQuarter: 'companyHeadQuarter',
  size: 'companySize',
  type: 'companyType',
} as const satisfies Partial<Record<keyof Company, keyof Profile>>;

function ofProfile(profile: Profile): Company {
  const stated = Object.entries(OF_PROFILE).map(([field, own]) => [field, profile[own]]);
  return Object.fromEntries(stated.filter(([, value]) => value !== undefined));
}

/** The marks, strongest first: `id:7`, `domain:acme.com`, `page:social.example/company/acme`, `name:acme`. */
function marksOf(company: Company, { registrableDomain, domainOwner }: CompanyRules): Marks {
  const { id, name, domain, website, socialUrl } = company;
  const normal = (input: 'companyDomain' | 'socialUrl', text: string | undefined) => {
    const read = normaliseInput(input, text ?? '', registrableDomain, domainOwner);
    return read.kind === 'value' ? read.value : undefined;
  };
  const host = normal('companyDomain', domain) ?? normal('companyDomain', website);
  const page = normal('socialUrl', socialUrl);
  const folded = foldedText(name ?? '');
  return [
    id === undefined ? null : `id:${id}`,
    host === undefined ? null : `domain:${host}`,
    page === undefined ? null : `page:${fold('socialUrl', page)}`,
    folded === '' ? null : `name:${folded}`,
  ];
}

/** The marks by which a thing is known, strongest first; always at the same places, and null if it lacks one. */
export type Marks = readonly (string | null)[];

/** Whether both are one thing, by the first mark that both have; undefined if they have none in common. */
export function isSameBy(one: Marks, other: Marks): boolean | undefined {
  const common = one.findIndex((mark, n) => mark !== null && typeof other[n] === 'string');
  return common === -1 ? undefined : one[common] === other[common];
}

function strongestOf(own: Marks, all: readonly Marks[]): string | null {
  const rank = firstOf(own);
  let [key, best] = [own[rank] ?? null, rank];
  // A number on the network identifies the company alone; other marks may be completed by other records.
  for (const other of rank === 0 ? [] : all) {
    const first = firstOf(other);
    if (first < best && isSameBy(own, other) === true) {
      [key, best] = [other[first] ?? null, first];
    }
  }
  return key;
}

const DOMAIN_MARK = 1;

function firstOf(marks: Marks): number {
  const at = marks.findIndex((mark) => mark !== null);
  return at === -1 ? marks.length : at;
}
