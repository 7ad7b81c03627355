// The stored form of a result: bytes, without the names of its keys, deflated if they are long
// (docs/decisions/0020-results.md). Every later release reads what is written here: the shapes of a version never
// change, but names may be added to the end of a shape together with a new version.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Result } from '../../model/result.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/text/json.js';

const CELLS_VERSION = 1;
/** The first byte of deflated results. Text begins with a brace or a bracket. */
const DEFLATED_VERSION = 1;
const BRACE = 0x7b;
const BRACKET = 0x5b;
/** Shorter texts are not deflated: that takes 10 µs and more. An e-mail address and its status take 60 characters. */
const SHORT_MAX = 256;

// 8 KiB of window hold most results; with zlib's own 32 KiB the set-up takes longer.
const WINDOW = { windowBits: 13, chunkSize: 4_032 };

/** A part of an object, at its place in an array: a value, an e-mail's status, an object, or a list of objects. */
interface Part {
  readonly name: string;
  readonly kind: 'value' | 'status' | 'object' | 'list';
  readonly parts: readonly Part[];
}

function values(...names: string[]): Part[] {
  return names.map((name) => ({ name, kind: 'value', parts: [] }));
}

function object(name: string, ...parts: Part[]): Part {
  return { name, kind: 'object', parts };
}

function list(name: string, ...parts: Part[]): Part {
  return { name, kind: 'list', parts };
}

const STATUSES: readonly JsonValue[] = ['deliverable', 'risky', 'undeliverable', 'unknown'];
const MONTH = values('month', 'year');
const DATE = object('date', object('start', ...MONTH), object('end', ...MONTH));
const RESULT: readonly Part[] = [
  object(
    'find_email',
    ...values('email'),
    { name: 'status', kind: 'status', parts: [] },
    ...values('platformStatus'),
  ),
  object('find_phone', ...values('phone')),
  object(
    'social_enrichment',
    ...values('socialUrl', 'socialMemberId', 'socialClassicId', 'firstName', 'lastName', 'picture'),
    ...values('locationName', 'tagline', 'industry', 'summary', 'languages', 'skills'),
    ...values('companyName', 'companyLinkedinUrl', 'occupation', 'companyDomain', 'companyId'),
    ...values('companyWebsite', 'companyDescription', 'companyFoundedOn'),
    ...values('companyEmployeesOnSocial', 'companyIndustry', 'companyLogo', 'companyType'),
    ...values('companyHeadQuarter', 'companySize'),
    list(
      'positionGroups',
      object(
        'company',
        ...values('id', 'name', 'socialUrl', 'socialUrlSalesNav', 'logo', 'domain', 'website'),
        ...values('industry', 'description', 'employeesOnSocial', 'foundedOn', 'headQuarter'),
        ...values('size', 'type'),
      ),
      DATE,
      list('profilePositions', ...values('title', 'description', 'companyName'), DATE),
    ),
  ),
];

export function writeResult(result: Result): Uint8Array {
  const cells = toCells(result as JsonObject, RESULT);
  // A result that does not fit the shapes is kept with the names of its keys.
  const text = JSON.stringify(cells === undefined ? result : [CELLS_VERSION, ...cells]);
  if (text.length <= SHORT_MAX) return Buffer.from(text);
  const deflated = deflateRawSync(text, { ...WINDOW, level: 6, memLevel: 6 });
  return Buffer.concat([Buffer.of(DEFLATED_VERSION), deflated]);
}

/** @throws Error if a later release wrote it, or it is damaged */
export function readResult(kept: Uint8Array): Result {
  const value: JsonValue = JSON.parse(textOf(kept));
  if (!Array.isArray(value)) return value as Result;
  const cells = value as JsonValue[];
  if (cells[0] !== CELLS_VERSION) throw unreadable(cells[0]);
  return fromCells(cells, RESULT, 1);
}

function textOf(kept: Uint8Array): string {
  const [first] = kept;
  if (first === BRACE || first === BRACKET) return Buffer.from(kept).toString();
  if (first !== DEFLATED_VERSION) throw unreadable(first);
  return inflateRawSync(kept.subarray(1), WINDOW).toString();
}

function unreadable(version: JsonValue | undefined): Error {
  return new Error(
    `a result is kept in format ${JSON.stringify(version)}, which this Sluice cannot read`,
  );
}

/** The cells of an object, with zero for an absent part. Undefined if the parts have no place for all of it. */
function toCells(source: JsonValue, parts: readonly Part[]): JsonValue[] | undefined {
  if (!isJsonObject(source)) return undefined;
  const cells: JsonValue[] = [];
  let left = Object.keys(source).length;
  for (let i = 0; left > 0 && i < parts.length; i += 1) {
    const part = parts[i] as Part;
    const value = Object.hasOwn(source, part.name) ? source[part.name] : undefined;
    const cell = value === undefined ? 0 : toCell(value, part);
    if (cell === undefined) return undefined;
    if (value !== undefined) left -= 1;
    cells.push(cell);
  }
  return left > 0 ? undefined : cells;
}

function toCell(value: JsonValue, { kind, parts }: Part): JsonValue | undefined {
  switch (kind) {
    case 'value':
      if (value === 0) return null;
      return typeof value === 'string' || Number.isFinite(value) ? value : undefined;
    case 'status':
      return typeof value === 'string' ? STATUSES.indexOf(value) + 1 || value : undefined;
    case 'object':
      return toCells(value, parts);
    case 'list': {
      if (!Array.isArray(value)) return undefined;
      const rows: JsonValue[] = [];
      for (const one of value as JsonValue[]) {
        const row = toCells(one, parts);
        if (row === undefined) return undefined;
        rows.push(row);
      }
      return rows;
    }
  }
}

function fromCells(cells: readonly JsonValue[], parts: readonly Part[], from = 0): JsonObject {
  const found: Record<string, JsonValue> = {};
  for (let i = from; i < cells.length; i += 1) {
    const cell = cells[i];
    const part = parts[i - from];
    if (cell === undefined || cell === 0 || part === undefined) continue;
    found[part.name] = fromCell(cell, part);
  }
  return found;
}

function fromCell(cell: JsonValue, { kind, parts }: Part): JsonValue {
  switch (kind) {
    case 'value':
      return cell === null ? 0 : cell;
    case 'status':
      return typeof cell === 'number' ? (STATUSES[cell - 1] ?? cell) : cell;
    case 'object':
      return fromCells(cell as JsonValue[], parts);
    case 'list':
      return (cell as JsonValue[][]).map((row) => fromCells(row, parts));
  }
}
