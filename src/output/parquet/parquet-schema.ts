import type { SchemaElement } from 'hyparquet-writer';
import {
  COMPANY_FIELDS,
  type FieldTable,
  type FieldType,
  POSITION_FIELDS,
} from '../../model/result.js';
import { parseDate } from '../../model/text/date.js';
import { exactText, type JsonValue } from '../../model/text/json.js';
import type { OutputColumn, OutputKind } from '../../ports/table-writer.js';

/** A value of a column; undefined for an empty cell. */
export type ParquetValue =
  | JsonValue
  | bigint
  | Date
  | ParquetStruct
  | readonly ParquetValue[]
  | undefined;

interface ParquetStruct {
  readonly [field: string]: ParquetValue | (() => JsonValue);
}

export function parquetSchema(columns: readonly OutputColumn[]): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.flatMap(({ key, kind }) =>
      kind === 'positions' ? listOf(key, GROUP_ELEMENTS) : [{ name: key, ...ELEMENTS[kind] }],
    ),
  ];
}

type Leaf = Omit<SchemaElement, 'name'>;

const TEXT: Leaf = {
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
  repetition_type: 'OPTIONAL',
};
const INTEGER: Leaf = { type: 'INT64', repetition_type: 'OPTIONAL' };

/** The elements of each kind. Cells of the input are text: the type of a column is known only after its last row. */
const ELEMENTS: Readonly<Record<Exclude<OutputKind, 'positions'>, Leaf>> = {
  original: TEXT,
  text: TEXT,
  phone: TEXT,
  integer: INTEGER,
  number: { type: 'DOUBLE', repetition_type: 'OPTIONAL' },
  boolean: { type: 'BOOLEAN', repetition_type: 'OPTIONAL' },
  dateTime: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    repetition_type: 'OPTIONAL',
  },
  json: {
    type: 'BYTE_ARRAY',
    converted_type: 'JSON',
    logical_type: { type: 'JSON' },
    repetition_type: 'OPTIONAL',
  },
};

/** The fields of a position group, named as in the platform's answer (docs/platform-api.md, Position group). */
const DATE_ELEMENTS = struct('date', [
  ...struct('start', [element('month', 'integer'), element('year', 'integer')]),
  ...struct('end', [element('month', 'integer'), element('year', 'integer')]),
]);
const GROUP_ELEMENTS: readonly SchemaElement[] = [
  ...struct('company', elementsOf(COMPANY_FIELDS)),
  ...DATE_ELEMENTS,
  ...listOf('profilePositions', [...elementsOf(POSITION_FIELDS), ...DATE_ELEMENTS]),
];

function listOf(name: string, fields: readonly SchemaElement[]): SchemaElement[] {
  return [
    {
      name,
      repetition_type: 'OPTIONAL',
      converted_type: 'LIST',
      logical_type: { type: 'LIST' },
      num_children: 1,
    },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    ...struct('element', fields),
  ];
}

function struct(name: string, fields: readonly SchemaElement[]): SchemaElement[] {
  return [{ name, repetition_type: 'OPTIONAL', num_children: childCount(fields) }, ...fields];
}

/** The number of an element's children: a schema is a flat list, in which the parts of a group follow it. */
function childCount(elements: readonly SchemaElement[]): number {
  let count = 0;
  for (let n = 0, open = 0; n < elements.length; n += 1) {
    if (open === 0) count += 1;
    else open -= 1;
    open += elements[n]?.num_children ?? 0;
  }
  return count;
}

function elementsOf(fields: FieldTable): SchemaElement[] {
  return Object.entries(fields).map(([name, type]) => element(name, type));
}

function element(name: string, type: FieldType): SchemaElement {
  return { name, ...(type === 'integer' ? INTEGER : TEXT) };
}

export function parquetValue(cell: JsonValue, kind: OutputKind): ParquetValue {
  if (cell === null) return undefined;
  switch (kind) {
    case 'integer':
      return BigInt(cell as number);
    case 'number':
    case 'boolean':
      return cell;
    case 'json':
      return asItIs(cell);
    case 'dateTime':
      return new Date(parseDate(cell as string) ?? Number.NaN);
    case 'positions':
      return withBigInts(cell);
    case 'original':
    case 'text':
    case 'phone':
      return exactText(cell);
  }
}

/**
 * An object without a prototype: the library copies any other object before it writes it as JSON, and a copy has no
 * `__proto__`.
 */
function asItIs(cell: JsonValue): ParquetStruct {
  return Object.assign(Object.create(null) as object, { toJSON: () => cell });
}

/** Position groups with their numbers, all of them whole, as the library takes them. */
function withBigInts(value: JsonValue): ParquetValue {
  if (typeof value === 'number') return BigInt(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withBigInts);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withBigInts(inner)]),
  );
}

/** Whether a column of the kind can hold the value. A column of text holds any value. */
export function isOfKind(cell: JsonValue, kind: OutputKind): boolean {
  switch (kind) {
    case 'integer':
      return Number.isSafeInteger(cell);
    case 'number':
      return Number.isFinite(cell);
    case 'boolean':
      return typeof cell === 'boolean';
    case 'dateTime':
      return typeof cell === 'string' && parseDate(cell) !== undefined;
    case 'positions':
      // Only our own decoder makes them.
      return Array.isArray(cell);
    case 'original':
    case 'text':
    case 'phone':
    case 'json':
      return true;
  }
}
