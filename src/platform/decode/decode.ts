// Turns the result blocks into the domain's Result, by the dialect and the field tables (docs/platform-api.md,
// Enrichment result). Never throws, whatever the JSON.
import type { Dialect } from '../../dialect/dialect.js';
import { firstValueAt, valueAt } from '../../dialect/wire-path.js';
import {
  COMPANY_FIELDS,
  type DateRange,
  type PartialDate,
  POSITION_FIELDS,
  type Position,
  type PositionGroup,
  PROFILE_FIELDS,
  type Profile,
  type Result,
} from '../../model/result.js';
import type { JsonValue } from '../../model/text/json.js';
import { decodeFields, decodeFirst, decodeObjects } from './decode-fields.js';

export const EMAIL_FIELDS = { email: 'string', status: 'string' } as const;
export const PHONE_FIELDS = { phone: 'string' } as const;

const GROUPS_MAX = 200;
/** In one group. */
const POSITIONS_MAX = 200;

/** Decodes the object that holds the blocks. A block without a single known value is absent. */
export function decodeResult(blocks: JsonValue | undefined, dialect: Dialect): Result {
  const { find_email, verify_email, find_phone, social_enrichment } = dialect.blocks;
  const email = firstFilled(blocks, [...find_email, ...verify_email], (block) =>
    decodeFields(block, EMAIL_FIELDS, dialect.fields.find_email),
  );
  const phone = firstFilled(blocks, find_phone, (block) =>
    decodeFields(block, PHONE_FIELDS, dialect.fields.find_phone),
  );
  const profile = firstFilled(blocks, social_enrichment, (block) => decodeProfile(block, dialect));
  return {
    ...(email === undefined ? {} : { find_email: email }),
    ...(phone === undefined ? {} : { find_phone: phone }),
    ...(profile === undefined ? {} : { social_enrichment: profile }),
  };
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

function decodeProfile(block: JsonValue, dialect: Dialect): Profile | undefined {
  const { profile, structure } = dialect.fields;
  const fields = decodeFields(block, PROFILE_FIELDS, profile);
  const positionGroups = decodeObjects(firstValueAt(block, structure.positionGroups), GROUPS_MAX)
    .map((group) => decodeGroup(group, dialect))
    .filter((group) => !isEmptyGroup(group));
  const isEmpty = Object.keys(fields).length === 0 && positionGroups.length === 0;
  return isEmpty ? undefined : { ...fields, positionGroups };
}

function decodeGroup(group: JsonValue, dialect: Dialect): PositionGroup {
  const { company, structure } = dialect.fields;
  return {
    company: decodeFields(firstValueAt(group, structure.company), COMPANY_FIELDS, company),
    date: decodeRange(firstValueAt(group, structure.date), dialect),
    profilePositions: decodeObjects(
      firstValueAt(group, structure.profilePositions),
      POSITIONS_MAX,
    ).map((position) => decodePosition(position, dialect)),
  };
}

function decodePosition(position: JsonValue, dialect: Dialect): Position {
  return {
    ...decodeFields(position, POSITION_FIELDS, dialect.fields.position),
    date: decodeRange(firstValueAt(position, dialect.fields.structure.date), dialect),
  };
}

/** `end` is an empty object for a current position. */
function decodeRange(range: JsonValue | undefined, dialect: Dialect): DateRange {
  const { start, end } = dialect.fields.structure;
  return {
    start: decodePartialDate(firstValueAt(range, start), dialect),
    end: decodePartialDate(firstValueAt(range, end), dialect),
  };
}

function decodePartialDate(date: JsonValue | undefined, dialect: Dialect): PartialDate {
  const { structure } = dialect.fields;
  const month = decodeFirst(date, structure.month, 'integer');
  const year = decodeFirst(date, structure.year, 'integer');
  return {
    ...(typeof month === 'number' && month >= 1 && month <= 12 ? { month } : {}),
    ...(typeof year === 'number' && year >= 1 && year <= 9_999 ? { year } : {}),
  };
}

function isEmptyGroup({ company, date, profilePositions }: PositionGroup): boolean {
  const parts = [company, date.start, date.end, profilePositions];
  return parts.every((part) => Object.keys(part).length === 0);
}
