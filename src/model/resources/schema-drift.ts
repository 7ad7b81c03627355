// The changes in the schema of the people database: against the documented fields, or since the last look.
import { isTargetUrl } from '../text/address.js';
import { isJsonObject, type JsonValue } from '../text/json.js';
import { ENTRY_FIELDS, type FieldTable, type FieldType, PERSON_FIELDS } from './person-record.js';
import type { PeopleSchema } from './resources.js';

/** A field by its path, such as `experiences.company_size`, and its type; `unknown` if the sample does not show it. */
export interface SchemaField {
  readonly name: string;
  readonly type: FieldType | 'unknown';
}

export interface SeenSchema {
  /** `since` of its version, yyyymmdd; null if the platform gave none. */
  readonly version: number | null;
  readonly fields: readonly SchemaField[];
}

export interface SchemaDrift {
  /** Null if the version is the same, or unknown on either side. */
  readonly version: { readonly was: number; readonly is: number } | null;
  readonly added: readonly SchemaField[];
  readonly removed: readonly SchemaField[];
  readonly retyped: readonly { readonly name: string; readonly was: string; readonly is: string }[];
  /** Top-level fields in both versions whose order has changed. */
  readonly reordered: readonly string[];
}

/** The documented fields (docs/platform-api.md, Person record). */
export function documentedFields(): SchemaField[] {
  const entries: Readonly<Record<string, FieldTable>> = ENTRY_FIELDS;
  return Object.entries(PERSON_FIELDS).flatMap(([name, type]) => [
    { name, type },
    ...Object.entries(entries[name] ?? {}).map(([inner, innerType]) => ({
      name: `${name}.${inner}`,
      type: innerType,
    })),
  ]);
}

export function reportedFields({ properties, schema }: PeopleSchema): SchemaField[] {
  return properties.flatMap((name) => {
    const value = Object.hasOwn(schema, name) ? schema[name] : undefined;
    const first = Array.isArray(value) ? value[0] : undefined;
    const inner = isJsonObject(first) ? Object.entries(first) : [];
    return [
      { name, type: typeOf(value) },
      ...inner.map(([key, innerValue]) => ({ name: `${name}.${key}`, type: typeOf(innerValue) })),
    ];
  });
}

export function compareSchemas(before: SeenSchema, now: SeenSchema): SchemaDrift {
  const { version: was } = before;
  const { version: is } = now;
  const isSame = was === null || is === null || was === is;
  return { version: isSame ? null : { was, is }, ...compareFields(before.fields, now.fields) };
}

/** The differences. A field whose type is unknown, on either side, is not called retyped. */
function compareFields(
  before: readonly SchemaField[],
  now: readonly SchemaField[],
): Omit<SchemaDrift, 'version'> {
  const was = new Map(before.map(({ name, type }) => [name, type]));
  const is = new Map(now.map(({ name, type }) => [name, type]));
  const inBoth = (names: readonly SchemaField[]): string[] =>
    names
      .map(({ name }) => name)
      .filter((name) => was.has(name) && is.has(name) && !name.includes('.'));
  const ordered = inBoth(before);
  return {
    added: now.filter(({ name }) => !was.has(name) && isWorthALine(name, was)),
    removed: before.filter(({ name }) => !is.has(name) && isWorthALine(name, is)),
    retyped: now.flatMap(({ name, type }) => {
      const old = was.get(name);
      return old === undefined || isSameType(old, type) ? [] : [{ name, was: old, is: type }];
    }),
    reordered: inBoth(now).filter((name, i) => ordered[i] !== name),
  };
}

export function hasDrifted({ added, removed, reordered, retyped, version }: SchemaDrift): boolean {
  if (version !== null) return true;
  return added.length + removed.length + reordered.length + retyped.length > 0;
}

const NUMBERS = ['integer', 'number'];
const TEXTS = ['date-time', 'date', 'url'];

/** The sample holds one value: a number may happen to be whole, and a plain text to look like a date. */
function isSameType(was: string, is: string): boolean {
  if (was === is || was === 'unknown' || is === 'unknown') return true;
  return (
    (NUMBERS.includes(was) && NUMBERS.includes(is)) || (was === 'string' && TEXTS.includes(is))
  );
}

/** An inner field needs no line if the outer one came or went, or is an array without an entry in the sample. */
function isWorthALine(name: string, there: ReadonlyMap<string, string>): boolean {
  const [outer = ''] = name.split('.');
  if (outer === name) return true;
  return there.has(outer) && [...there.keys()].some((key) => key.startsWith(`${outer}.`));
}

function typeOf(value: JsonValue | undefined): SchemaField['type'] {
  if (typeof value === 'string') return typeOfText(value);
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return Array.isArray(value) ? typeOfArray(value) : 'unknown';
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** The type of a text. An empty text does not show its form: a current position has no last day. */
function typeOfText(text: string): SchemaField['type'] {
  if (text === '') return 'unknown';
  if (DATE.test(text)) return 'date';
  if (DATE_TIME.test(text)) return 'date-time';
  return isTargetUrl(text) ? 'url' : 'string';
}

function typeOfArray(values: readonly JsonValue[]): SchemaField['type'] {
  if (values.length === 0) return 'unknown';
  if (values.every((value) => typeof value === 'number')) return 'array of numbers';
  return values.every(isJsonObject) ? 'array of objects' : 'unknown';
}
