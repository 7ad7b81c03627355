// The table of changes: a row for each person for whom something changed, with the earlier and the later values.
import type { OutputColumn, OutputRow } from '../../ports/table-writer.js';
import { INPUTS } from '../ask.js';
import type { ColumnSpec, ColumnType } from '../columns/column-spec.js';
import { freeColumns } from '../columns/output-columns.js';
import type { Column } from '../lead.js';
import { type JsonValue, snakeCase } from '../text/json.js';
import {
  type Change,
  COMPARED_FIELDS,
  type Comparison,
  type LeadFacts,
} from './compare-answers.js';

/** One person in the table; a side is null if its run does not have the person. */
export interface ChangedPerson {
  readonly before: LeadFacts | null;
  readonly after: LeadFacts | null;
  /** Null for a person who is in one run only. */
  readonly comparison: Comparison | null;
}

interface ChangeColumn extends ColumnSpec {
  readonly read: (person: ChangedPerson) => JsonValue | undefined;
}

export const CHANGE_TABLE: readonly ChangeColumn[] = [
  {
    name: 'name',
    type: 'text',
    about: 'First and last name: of the profile, else what was asked about',
    read: ({ before, after }) => after?.name ?? before?.name,
  },
  {
    name: 'changes',
    type: 'text',
    about:
      'The changes, with commas between: `new_`, `lost_` or `changed_` before `email`, `phone`, `company` or `title`; `changed_email_status`, `now_found`, `no_longer_found`; `only_before` or `only_after` for a person whom one run does not have',
    read: (person) => changesOf(person).join(','),
  },
  {
    name: 'not_known',
    type: 'text',
    about:
      'Those of `email`, `phone`, `company` and `title` that are not known in both runs: not asked for, or not answered. Empty cells of these say nothing',
    read: ({ comparison }) =>
      COMPARED_FIELDS.filter((field) => comparison?.fields[field] === 'not_known').join(',') ||
      null,
  },
  ...twice('status', 'text', 'The outcome of the lead', ({ status }) => status),
  ...twice('email', 'text', 'The e-mail address', ({ values }) => values.email?.shown),
  ...twice('email_status', 'text', 'The status of that address', ({ emailStatus }) => emailStatus),
  ...twice('phone', 'phone', 'The phone number', ({ values }) => values.phone?.shown),
  ...twice('company', 'text', 'The company', ({ values }) => values.company?.shown),
  ...twice(
    'company_domain',
    'text',
    'The domain of the company',
    ({ companyDomain }) => companyDomain,
  ),
  ...twice(
    'title',
    'text',
    'The title of the current position',
    ({ values }) => values.title?.shown,
  ),
  {
    name: 'social_url',
    type: 'URL',
    about: "The profile's address on the professional network",
    read: ({ before, after }) => after?.socialUrl ?? before?.socialUrl,
  },
  ...twice('enriched_at', 'date and time', 'When the answer arrived: ISO 8601, UTC', (facts) =>
    facts.enrichedAt === null ? null : new Date(facts.enrichedAt).toISOString(),
  ),
  ...twice('line', 'integer', 'The line on which the lead begins', ({ line }) => line),
];

/** @param key the columns of the key, or null if the inputs take their place */
export function changeColumns(key: readonly Column[] | null): OutputColumn[] {
  if (key === null) {
    return [...freeColumns([], INPUT_COLUMNS), ...freeColumns([], CHANGE_TABLE)];
  }
  const originals = key.map(({ name, key: id }) => ({ name, key: id, kind: 'original' as const }));
  return [...originals, ...freeColumns(key, CHANGE_TABLE)];
}

/** The row, aligned with {@link changeColumns}. */
export function changeRow(person: ChangedPerson): OutputRow {
  const who = (person.after ?? person.before)?.who ?? [];
  return [...who, ...CHANGE_TABLE.map(({ read }) => read(person) ?? null)];
}

function changesOf({
  after,
  before,
  comparison,
}: ChangedPerson): readonly (Change | 'only_before' | 'only_after')[] {
  if (before === null) return ['only_after'];
  if (after === null) return ['only_before'];
  return comparison?.changes ?? [];
}

const INPUT_COLUMNS: readonly ColumnSpec[] = INPUTS.map((input) => ({
  name: `asked_${snakeCase(input)}`,
  type: 'text',
  about: 'The input that was asked about',
}));

function twice(
  name: string,
  type: ColumnType,
  about: string,
  read: (facts: LeadFacts) => JsonValue | undefined,
): ChangeColumn[] {
  return (['before', 'after'] as const).map((side) => ({
    name: `${name}_${side}`,
    type,
    about: `${about}, in the ${side === 'before' ? 'first' : 'second'} run`,
    read: (person) => {
      const facts = person[side];
      return facts === null ? null : read(facts);
    },
  }));
}
