// The columns of a table in which values stand that were found elsewhere, and the answer of a row. A table of ours is
// known by its names of columns (model/columns); of another one, addresses and phone numbers are found by their headers.
import { ASK_RECORDS, ASKS, type Ask, type Inputs } from '../ask.js';
import { PROFILE_COLUMNS } from '../columns/profile-columns.js';
import { SluiceError } from '../errors.js';
import type { Column, SourceRecord } from '../lead.js';
import { normaliseInput, type RegistrableDomain } from '../normalise.js';
import { EMAIL_STATUSES, PROFILE_FIELDS, type Result } from '../result.js';
import { parseDate } from '../text/date.js';
import { shownText } from '../text/formula.js';
import { exactText, type JsonValue } from '../text/json.js';
import { cellAt, columnsToName, type FoundColumn, findColumn } from './find-column.js';
import type { FirstValues } from './judge-values.js';
import { holdsOwn, ownColumn } from './own-columns.js';
import { tellColumns } from './tell-columns.js';

const OF_LEAD = ['email', 'email_status', 'platform_email_status', 'phone', 'enriched_at'] as const;

export const FOUND_NAMES: readonly string[] = [
  ...OF_LEAD,
  ...PROFILE_COLUMNS.map(({ name }) => name),
];

/** The columns that the user named; `''` for none. */
export type FoundWish = Readonly<Partial<Record<string, string>>>;
export type FoundColumns = ReadonlyMap<string, FoundColumn>;

function isExport(columns: readonly Column[]): boolean {
  return columns.some(({ name }) => name === 'sluice_status');
}

/** @throws SluiceError `usage` for a column that is named and does not exist */
export function findFoundColumns(
  columns: readonly Column[],
  wish: FoundWish,
  firstValues: FirstValues,
): FoundColumns {
  const isOurs = isExport(columns);
  return new Map(
    FOUND_NAMES.flatMap((name) => {
      const { [name]: wished } = wish;
      if (wished === '') return [];
      const found =
        wished === undefined
          ? guess(columns, name, isOurs, firstValues)
          : findColumn(columns, wished);
      if (found !== undefined) return [[name, found] as const];
      if (wished === undefined) return [];
      throw new SluiceError(
        'usage',
        `${name} is mapped to the column "${wished}", which the table does not have.`,
        { column: wished },
        { aside: tellColumns(columnsToName(columns, firstValues.records)) },
      );
    }),
  );
}

function guess(
  columns: readonly Column[],
  name: string,
  isOurs: boolean,
  firstValues: FirstValues,
): FoundColumn | undefined {
  if (!isOurs && (name === 'email' || name === 'phone')) {
    return ownColumn(columns, name, '', firstValues);
  }
  // The names of a lead's own columns are too usual to tell the values of a profile.
  if (!isOurs && !OF_LEAD.some((one) => one === name)) return undefined;
  // The last of `email`, `sluice_email`, `sluice_email_2` is ours.
  const ours = new RegExp(`^(?:${name}|sluice_${name}(?:_\\d+)?)$`);
  const index = columns.findLastIndex((column) => ours.test(column.name));
  const column = columns[index];
  return column && { column, index };
}

/** The columns of a table for guesses of inputs: those with our values have no header. */
export function columnsOfInputs(
  columns: readonly Column[],
  found: FoundColumns,
  named: readonly string[],
): readonly Column[] {
  const taken = new Set(Array.from(found.values(), ({ index }) => index));
  const isOurs = isExport(columns);
  return columns.map((column, index) => {
    const isAnswer = taken.has(index) || (isOurs && /^(?:sluice|position)_/.test(column.name));
    return isAnswer && !named.includes(column.key) ? { ...column, name: '' } : column;
  });
}

export interface FoundAnswer {
  readonly asks: readonly Ask[];
  readonly result: Result;
  /** Null if the row has no date. */
  readonly at: number | null;
}

/** A text says why nothing can be taken of the row. */
export function readFound(
  { cells, flaw }: SourceRecord,
  found: FoundColumns,
  given: Inputs,
  registrableDomain: RegistrableDomain,
): FoundAnswer | string {
  if (flaw !== undefined) return flaw;
  const textOf = (name: string): string => {
    const column = found.get(name);
    return column === undefined ? '' : cellText(cellAt(column, cells));
  };
  const [address, phone, date] = [textOf('email'), textOf('phone'), textOf('enriched_at')];
  const normalised = normaliseInput('email', address, registrableDomain);
  if (normalised.kind === 'malformed') return normalised.reason;
  if (phone !== '' && !holdsOwn('phone', phone, registrableDomain))
    return 'phone is no phone number';
  const email = normalised.kind === 'value' ? normalised.value : given.email;
  const status = EMAIL_STATUSES.find((one) => one === textOf('email_status').toLowerCase());
  const word = textOf('platform_email_status');
  const platformStatus = word === '' || word === status ? undefined : word;
  const profile = profileOf(textOf);
  const result: Result = {
    ...(email !== undefined && {
      find_email: { email, ...(status && { status }), ...(platformStatus && { platformStatus }) },
    }),
    ...(phone !== '' && { find_phone: { phone } }),
    ...(profile && { social_enrichment: profile }),
  };
  // A given address is no found one: its status is that of a check.
  const isGiven = email !== undefined && email === given.email;
  const asks = ASKS.filter((ask) => {
    if (ask === 'verify_email') return isGiven && status !== undefined;
    if (ask === 'find_email' && isGiven) return false;
    return ASK_RECORDS[ask].isHit(result, { ask: [ask], inputs: given });
  });
  if (asks.length === 0) return 'it has no value';
  const at = date === '' ? null : parseDate(date);
  if (at === undefined)
    return 'its date cannot be read: write it as 2026-11-21 or 21.11.2026, since 11/12/2026 has two meanings';
  return { asks, result, at };
}

function profileOf(textOf: (name: string) => string): Result['social_enrichment'] {
  const fields = PROFILE_COLUMNS.flatMap(({ field, name }) => {
    const text = textOf(name);
    const value = PROFILE_FIELDS[field] === 'integer' ? Number(text) : text;
    return text === '' || Number.isNaN(value) ? [] : [[field, value]];
  });
  return fields.length === 0 ? undefined : { ...Object.fromEntries(fields), positionGroups: [] };
}

/** The text of a cell, without the mark that keeps a spreadsheet from taking it for a formula. */
function cellText(cell: JsonValue | undefined): string {
  return shownText(exactText(cell ?? '').trim()).replace(/^'(?=[=+\-@])/, '');
}
