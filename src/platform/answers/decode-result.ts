// Turns the result blocks into the domain's Result, by the dialect and the field tables (docs/platform-api.md,
// Enrichment result). Never throws, whatever the JSON: a value of the wrong type is dropped, an unknown value is never
// looked at, and only the tables' own names are ever written.
import { type CustomSection, placesOf } from '../../dialect/custom-asks.js';
import type { Dialect } from '../../dialect/dialect.js';
import { firstValueAt, valueAt } from '../../dialect/wire-path.js';
import type { CustomField } from '../../model/ask.js';
import { madeOnce } from '../../model/made-once.js';
import {
  COMPANY_FIELDS,
  type CustomValues,
  type DateRange,
  EMAIL_STATUSES,
  type Email,
  type EmailStatus,
  type FieldType,
  type PartialDate,
  POSITION_FIELDS,
  type PositionGroup,
  PROFILE_FIELDS,
  type Profile,
  type Result,
} from '../../model/result.js';
import { isJsonObject, type JsonValue } from '../../model/text/json.js';

/** `string` and `text` may be a list of texts, which `single` and `phone` cannot be. */
export type WireType = FieldType | CustomField['type'] | 'single';
export type WireTable = Readonly<Record<string, WireType>>;

export const EMAIL_FIELDS = { email: 'single', status: 'single' } as const;
export const PHONE_FIELDS = { phone: 'single' } as const;

const GROUPS_MAX = 200;
const POSITIONS_MAX = 200;

/** A block without a single known value is absent. */
export function decodeResult(blocks: JsonValue | undefined, dialect: Dialect): Result {
  const { find_email, verify_email, find_phone, social_enrichment } = dialect.blocks;
  const email = firstFilled(blocks, [...find_email, ...verify_email], (block) =>
    decodeEmail(block, dialect),
  );
  const phone = firstFilled(blocks, find_phone, (block) =>
    decodeFields(block, PHONE_FIELDS, dialect.fields.find_phone),
  );
  const profile = firstFilled(blocks, social_enrichment, (block) => decodeProfile(block, dialect));
  const custom = decodeCustom(blocks, dialect.asks);
  return {
    ...(email === undefined ? {} : { find_email: email }),
    ...(phone === undefined ? {} : { find_phone: phone }),
    ...(profile === undefined ? {} : { social_enrichment: profile }),
    ...(custom === undefined ? {} : { custom }),
  };
}

interface CustomTable {
  readonly table: WireTable;
  readonly aliases: Aliases;
}

export const customTable = madeOnce((one: CustomSection[string]): CustomTable => {
  const types = Object.entries(one.fields).map(([name, { type }]) => [name, type]);
  return { table: Object.fromEntries(types), aliases: placesOf(one) };
});

function decodeCustom(blocks: JsonValue | undefined, asks: CustomSection): Result['custom'] {
  let found: Record<string, CustomValues> | undefined;
  for (const name of Object.keys(asks)) {
    const one = asks[name];
    if (one === undefined) continue;
    const { aliases, table } = customTable(one);
    const counting = one.found ?? Object.keys(table);
    const values = firstFilled(blocks, one.blocks, (block) => {
      // An absent value has no key.
      const fields = decodeFields(block, table, aliases) as CustomValues;
      return counting.some((field) => field in fields) ? fields : undefined;
    });
    if (values !== undefined) found = { ...found, [name]: values };
  }
  return found;
}

function firstFilled<T extends object>(
  blocks: JsonValue | undefined,
  paths: readonly string[],
  decode: (block: JsonValue) => T | undefined,
): T | undefined {
  for (const path of paths) {
    const block = valueAt(blocks, path);
    const value = block === undefined ? undefined : decode(block);
    if (value !== undefined && Object.keys(value).length > 0) return value;
  }
  return undefined;
}

/** The e-mail with the status in our words, and the platform's own word beside it if that is another. */
function decodeEmail(block: JsonValue, dialect: Dialect): Email {
  const { status, ...address } = decodeFields(block, EMAIL_FIELDS, dialect.fields.find_email);
  if (status === undefined) return address;
  const own = statusOf(status, dialect);
  return own === status
    ? { ...address, status }
    : { ...address, status: own, platformStatus: status };
}

function statusOf(word: string, { emailStatuses }: Dialect): EmailStatus {
  const own = word.trim().toLowerCase();
  const isOwn = (one: string): boolean => one.toLowerCase() === own;
  return EMAIL_STATUSES.find((status) => emailStatuses[status].some(isOwn)) ?? 'unknown';
}

function decodeProfile(block: JsonValue, dialect: Dialect): Profile | undefined {
  const fields = decodeFields(block, PROFILE_FIELDS, dialect.fields.profile);
  const positionGroups = decodeObjects(valueAt(block, 'positionGroups'), GROUPS_MAX)
    .map((group) => decodeGroup(group, dialect))
    .filter((group) => !isEmptyGroup(group));
  const isEmpty = Object.keys(fields).length === 0 && positionGroups.length === 0;
  return isEmpty ? undefined : { ...fields, positionGroups };
}

function decodeGroup(group: JsonValue, { fields }: Dialect): PositionGroup {
  return {
    company: decodeFields(valueAt(group, 'company'), COMPANY_FIELDS, fields.company),
    date: decodeRange(valueAt(group, 'date')),
    profilePositions: decodeObjects(valueAt(group, 'profilePositions'), POSITIONS_MAX).map(
      (position) => ({
        ...decodeFields(position, POSITION_FIELDS, POSITION_NAMES),
        date: decodeRange(valueAt(position, 'date')),
      }),
    ),
  };
}

export const POSITION_NAMES: Aliases = Object.fromEntries(
  Object.keys(POSITION_FIELDS).map((name) => [name, [name]]),
);

/** `end` is an empty object for a current position. */
function decodeRange(range: JsonValue | undefined): DateRange {
  const [start, end] = [valueAt(range, 'start'), valueAt(range, 'end')];
  return { start: decodePartialDate(start), end: decodePartialDate(end) };
}

const DATE_TEXT = /^(\d{4})(?:-(\d\d))?(?:-\d\d(?:[T ]\S*)?)?$/;

/** A year, and a month if it is known: from an object of both, or a text such as `2021-03`, `2021` or an ISO date. */
export function decodePartialDate(date: JsonValue | undefined): PartialDate {
  const written = typeof date === 'string' ? DATE_TEXT.exec(date) : null;
  const month = written?.[2] ?? decodeFirst(date, ['month'], 'integer');
  const year = written?.[1] ?? decodeFirst(date, ['year'], 'integer');
  const decoded: { month?: number; year?: number } = {};
  if (isWithin(month, 12)) decoded.month = Number(month);
  if (isWithin(year, 9_999)) decoded.year = Number(year);
  return decoded;
}

function isWithin(value: string | number | boolean | undefined, most: number): boolean {
  return value !== undefined && Number(value) >= 1 && Number(value) <= most;
}

function isEmptyGroup({ company, date, profilePositions }: PositionGroup): boolean {
  const parts = [company, date.start, date.end, profilePositions];
  return parts.every((part) => Object.keys(part).length === 0);
}

export type Aliases = Readonly<Record<string, readonly string[]>>;

type ValueOf<T extends WireType> = T extends 'integer' | 'number'
  ? number
  : T extends 'boolean'
    ? boolean
    : string;

type ValuesOf<T extends WireTable> = { readonly [K in keyof T]?: ValueOf<T[K]> };

/** The entries of each table. The tables are few, and each is read for every object of a result. */
const entriesOf = madeOnce((table: WireTable) => Object.entries(table));

/** Strings to the letter, an empty string absent. */
function decodeFields<T extends WireTable>(
  source: JsonValue | undefined,
  table: T,
  aliases: Aliases,
): ValuesOf<T> {
  const fields: Record<string, string | number | boolean> = {};
  for (const [name, type] of entriesOf(table)) {
    const paths = aliases[name];
    const value = paths === undefined ? undefined : decodeFirst(source, paths, type);
    if (value !== undefined) fields[name] = value;
  }
  // Each value has its field's type, which TypeScript cannot follow.
  return fields as ValuesOf<T>;
}

export function decodeFirst(
  source: JsonValue | undefined,
  paths: readonly string[],
  type: WireType,
): string | number | boolean | undefined {
  for (const path of paths) {
    const value = decodeField(valueAt(source, path), type);
    if (value !== undefined) return value;
  }
  return undefined;
}

export function textAt(
  source: JsonValue | undefined,
  paths: readonly string[],
): string | undefined {
  const text = firstValueAt(source, paths);
  return typeof text === 'string' && text !== '' ? text : undefined;
}

export function decodeField(
  raw: JsonValue | undefined,
  type: WireType,
): string | number | boolean | undefined {
  if (type === 'integer') return decodeInteger(raw);
  if (type === 'number') return decodeNumber(raw);
  if (type === 'boolean') return decodeBoolean(raw);
  const mayBeList = type === 'string' || type === 'text';
  return mayBeList && Array.isArray(raw) ? decodeList(raw) : decodeString(raw);
}

/** The texts of a list in place of one text, with commas between them. */
function decodeList(list: readonly JsonValue[]): string | undefined {
  const texts = list.map(decodeString);
  return texts.length > 0 && texts.every((text) => text !== undefined)
    ? texts.join(', ')
    : undefined;
}

function decodeString(raw: JsonValue | undefined): string | undefined {
  if (typeof raw === 'string') return raw === '' ? undefined : raw;
  return typeof raw === 'number' && Number.isFinite(raw) ? String(raw) : undefined;
}

/** A whole number that a double holds exactly; also one written as a string. */
function decodeInteger(raw: JsonValue | undefined): number | undefined {
  const isWritten = typeof raw === 'string' && /^\s*[+-]?\d{1,16}\s*$/.test(raw);
  const value = isWritten ? Number(raw) : raw;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

function decodeNumber(raw: JsonValue | undefined): number | undefined {
  const isWritten = typeof raw === 'string' && /^[+-]?\d{1,16}(\.\d{1,16})?$/.test(raw);
  const value = isWritten ? Number(raw) : raw;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function decodeBoolean(raw: JsonValue | undefined): boolean | undefined {
  if (raw === 'true' || raw === 'false') return raw === 'true';
  return typeof raw === 'boolean' ? raw : undefined;
}

export function decodeObjects(raw: JsonValue | undefined, countMax: number): JsonValue[] {
  return Array.isArray(raw) ? raw.filter(isJsonObject).slice(0, countMax) : [];
}
