// The table of companies: what makes two records the same company, the records of an answer, and the columns.
import type { OutputColumn, OutputRow } from '../../ports/table-writer.js';
import type { LeadAnswer } from '../answer.js';
import {
  type DomainOwner,
  normaliseInput,
  type RegistrableDomain,
  withoutIgnorable,
} from '../normalise.js';
import type { Company, Profile } from '../result.js';
import { type ColumnSpec, columnOf } from './column-spec.js';
import { COMPANY_COLUMNS, isCurrent, orderPositions } from './positions.js';

export interface CompanyRules {
  readonly registrableDomain: RegistrableDomain;
  readonly domainOwner: DomainOwner;
}

/** The companies of one answer. A key is null where nothing says which company it is. */
export interface AnswerCompanies {
  /** That of the profile, else that of the current position. */
  readonly own: string | null;
  /** Of each position group, in the order of the answer. */
  readonly groups: readonly (string | null)[];
  /** The profile's first, then those of the groups. */
  readonly records: readonly { readonly key: string; readonly company: Company }[];
}

export const COMPANY_KEY: ColumnSpec = {
  name: 'company_key',
  type: 'text',
  about: 'The company in the table of companies',
  origin: 'Sluice',
};

const NONE: AnswerCompanies = { own: null, groups: [], records: [] };

/**
 * A company is known by its number on the network, else by its registrable domain (unless many share that), else by
 * its page, else by its name. Within one answer, a record that lacks the number is the company that
 * has it and the same domain; or the same page or name, where one of them has no domain.
 */
export function companiesOf({ result }: LeadAnswer, rules: CompanyRules): AnswerCompanies {
  const profile = result?.social_enrichment;
  if (profile === undefined) return NONE;
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

/** The columns of the table. */
export const COMPANY_TABLE: readonly ColumnSpec[] = [COMPANY_KEY, ...COMPANY_COLUMNS];

export function companyColumns(): OutputColumn[] {
  return COMPANY_TABLE.map((spec) => columnOf(spec, spec.name));
}

export function companyRow(key: string, company: Company): OutputRow {
  return [key, ...COMPANY_COLUMNS.map(({ field }) => company[field] ?? null)];
}

/** What the profile itself says of the company, by the field of a company. */
const OF_PROFILE = {
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

/** Strongest first: `id:7`, `domain:acme.com`, `page:social.example/company/acme`, `name:acme`. */
function marksOf(company: Company, { registrableDomain, domainOwner }: CompanyRules): Marks {
  const { id, name, domain, website, socialUrl } = company;
  const normal = (input: 'companyDomain' | 'socialUrl', text: string | undefined) => {
    const read = normaliseInput(input, text ?? '', registrableDomain, domainOwner);
    return read.kind === 'value' ? read.value : undefined;
  };
  const host = normal('companyDomain', domain) ?? normal('companyDomain', website);
  const page = normal('socialUrl', socialUrl)
    ?.toLowerCase()
    .replace(/^https?:\/\/(www\.)?/, '');
  const folded = withoutIgnorable(name ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .split(/\s/)
    .filter((word) => word !== '')
    .join(' ');
  return [
    id === undefined ? null : `id:${id}`,
    host === undefined ? null : `domain:${host}`,
    page === undefined ? null : `page:${page}`,
    folded === '' ? null : `name:${folded}`,
  ];
}

type Marks = readonly (string | null)[];

/** The first mark of that among the records of one answer which says most, and of what both say the same. */
function strongestOf(own: Marks, all: readonly Marks[]): string | null {
  const rank = firstOf(own);
  let [key, best] = [own[rank] ?? null, rank];
  // A number on the network is the company's own; all else may be said of it as well.
  for (const other of rank === 0 ? [] : all) {
    const common = own.findIndex((mark, n) => mark !== null && other[n] !== null);
    const first = firstOf(other);
    if (first < best && common !== -1 && own[common] === other[common]) {
      [key, best] = [other[first] ?? null, first];
    }
  }
  return key;
}

function firstOf(marks: Marks): number {
  const at = marks.findIndex((mark) => mark !== null);
  return at === -1 ? marks.length : at;
}
