// Counts how good the data of a run is, over its leads, with bounded memory.
import { DOMAIN_RULES, domainOwner } from '../../identity/domain-owner.js';
import { registrableDomain } from '../../identity/registrable-domain.js';
import type { LeadAnswer } from '../../model/answer.js';
import type { InputName } from '../../model/ask.js';
import { customColumns } from '../../model/columns/custom-columns.js';
import { LEAD_COLUMNS } from '../../model/columns/lead-columns.js';
import { freeColumns } from '../../model/columns/output-columns.js';
import { PROFILE_COLUMNS } from '../../model/columns/profile-columns.js';
import { nameOfMapped } from '../../model/mapping/find-column.js';
import { holdsOwn, ownColumn } from '../../model/mapping/own-columns.js';
import { normaliseInput } from '../../model/normalise.js';
import type {
  AnswerAges,
  FillRate,
  MatchCount,
  QualityFigures,
} from '../../model/report/run-figures.js';
import { EMAIL_STATUSES } from '../../model/result.js';
import type { Run } from '../../model/run.js';
import type { JsonValue } from '../../model/text/json.js';
import { mappedText } from '../../run/to-lead-entry.js';
import { shownColumns } from './shown-columns.js';

const DAY_MS = 86_400_000;
/** The bounds of the ages, in days. */
const DAYS = [1, 7, 30, 90] as const;

interface CountedColumn {
  readonly name: string;
  readonly own: OwnColumn | undefined;
  readonly holds: (answer: LeadAnswer) => boolean;
  filled: number;
  ownFilled: number;
  either: number;
}

/** `payers`: the runs that send for it. */
export function createQualityCount(run: Run, payers: readonly (Run | undefined)[]) {
  const columns = countedColumns(run);
  const statuses = new Map<string, number>();
  const domains = createMatchCount('email_domain_matches');
  const names = createMatchCount('name_matches');
  const companies = createMatchCount('company_matches');
  const ages = createAgeCount(run, payers);

  return {
    add(answer: LeadAnswer): void {
      const { cells, result } = answer;
      for (const column of columns) {
        const isFilled = column.holds(answer);
        const isOwnFilled = column.own?.holds(cells) === true;
        if (isFilled) column.filled += 1;
        if (isOwnFilled) column.ownFilled += 1;
        if (isFilled || isOwnFilled) column.either += 1;
      }
      const { email, status } = result?.find_email ?? {};
      if (status !== undefined) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (email !== undefined) domains.add(answer);
      if (result?.social_enrichment !== undefined) {
        names.add(answer);
        companies.add(answer);
      }
      ages.add(answer);
    },
    figures: (): QualityFigures => ({
      columns: columns.map(
        ({ name, own, filled, ownFilled, either }): FillRate => ({
          column: name,
          filled,
          own: own === undefined ? null : { column: own.name, filled: ownFilled, either },
        }),
      ),
      emailStatus: EMAIL_STATUSES.flatMap((status) => {
        const leads = statuses.get(status);
        return leads === undefined ? [] : [{ status, leads }];
      }),
      domainMatch: domains.count,
      nameMatch: names.count,
      companyMatch: companies.count,
      answers: ages.figures(),
    }),
  };
}

const COUNTED: ReadonlySet<string> = new Set(['email', 'phone']);

function countedColumns(run: Run): CountedColumn[] {
  const ofLeads = LEAD_COLUMNS.filter(
    ({ asks, name }) => COUNTED.has(name) && asks?.some((one) => run.ask.includes(one)) === true,
  ).map((spec) => ({ spec, read: (answer: LeadAnswer) => spec.read(answer, DOMAIN_RULES) }));
  const isProfileAsked = run.ask.includes('social_enrichment');
  const ofProfiles = (isProfileAsked ? PROFILE_COLUMNS : []).map((spec) => ({
    spec,
    read: ({ result }: LeadAnswer) =>
      result?.social_enrichment && spec.read(result.social_enrichment),
  }));
  const ofCustom = customColumns(run.custom).map((spec) => ({
    spec,
    read: ({ result }: LeadAnswer) => spec.read(result),
  }));
  const all = [...ofLeads, ...ofCustom, ...ofProfiles];
  const names = freeColumns(
    run.columns,
    all.map(({ spec }) => spec),
  );
  return all.map(({ spec, read }, n) => ({
    name: names[n]?.name ?? spec.name,
    own: findOwn(spec.name, run),
    holds: (answer) => {
      const value = read(answer);
      return value !== undefined && value !== null && value !== '';
    },
    filled: 0,
    ownFilled: 0,
    either: 0,
  }));
}

/** Counts the leads with something to compare by what one of the columns says of them. */
function createMatchCount(column: string) {
  const count: MatchCount = { yes: 0, no: 0, unknown: 0 };
  const read = LEAD_COLUMNS.find(({ name }) => name === column)?.read;
  return {
    count,
    add: (answer: LeadAnswer): void => {
      const matches = read?.(answer, DOMAIN_RULES) ?? null;
      count[matches === null ? 'unknown' : matches === true ? 'yes' : 'no'] += 1;
    },
  };
}

function createAgeCount({ startedAt }: Run, payers: readonly (Run | undefined)[]) {
  let [askedNow, shared] = [0, 0];
  const known = [...DAYS, null].map((daysMax) => ({ daysMax, leads: 0 }));
  return {
    add({ askedAgain, enrichedAt, paidBy, source, status }: LeadAnswer): void {
      if (enrichedAt === null || (status !== 'found' && status !== 'not_found')) return;
      if (source === 'api') askedNow += 1;
      else if (payers.some((one) => one?.id === paidBy) && askedAgain === undefined) shared += 1;
      else {
        const days = (startedAt - enrichedAt) / DAY_MS;
        const bucket = known.find(({ daysMax }) => daysMax === null || days <= daysMax);
        if (bucket !== undefined) bucket.leads += 1;
      }
    },
    figures: (): AnswerAges => ({ askedNow, shared, known }),
  };
}

/** The input that is the same thing as a column of the table. */
const INPUT_OF: Readonly<Record<string, InputName>> = {
  email: 'email',
  social_url: 'socialUrl',
  social_first_name: 'firstName',
  social_last_name: 'lastName',
  company_name: 'companyName',
  company_domain: 'companyDomain',
};

interface OwnColumn {
  readonly name: string;
  holds(cells: readonly JsonValue[]): boolean;
}

/** The input's own column for one that Sluice adds; undefined if there is none. */
function findOwn(column: string, { columns, mapping, output }: Run): OwnColumn | undefined {
  const input = INPUT_OF[column];
  const mapped = mapping.find((one) => one.input === input);
  // A job that finds addresses sends none, so the column of existing addresses feeds no input.
  const isKind = column === 'phone' || (column === 'email' && mapped === undefined);
  const found = isKind ? ownColumn(columns, column, output.fill?.[column]) : mapped;
  if (found === undefined) return undefined;
  const isValue = (text: string): boolean =>
    input === undefined
      ? holdsOwn('phone', text, registrableDomain)
      : normaliseInput(input, text, registrableDomain, domainOwner).kind === 'value';
  return {
    name: nameOfMapped({ ...found, column: shownColumns(columns)[found.index] ?? found.column }),
    holds: (cells) => {
      const text = mappedText(found, cells, input ?? 'phone');
      return text !== undefined && text !== '' && isValue(text);
    },
  };
}
