// What has changed in the schema of the people database: against the documented fields, or since the last look.
import { isJsonObject, type JsonValue } from '../text/json.js';
import { ENTRY_FIELDS, type FieldTable, type FieldType, PERSON_FIELDS } from './person-record.js';
import type { PeopleSchema } from './resources.js';

/**
 * A field by its path, such as `experiences.company_size`, and its type; `unknown` where the sample does not show it.
 */
export interface SchemaField {
  readonly name: string;
  readonly type: FieldType | 'unknown';
}

export interface SchemaDrift {
  readonly added: readonly SchemaField[];
  readonly removed: readonly SchemaField[];
  readonly retyped: readonly { readonly name: string; readonly was: string; readonly is: string }[];
  /** Top-level fields whose order among those that are in both has changed. */
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

/** The fields that a platform reports: `properties` in their order, each with the type its sample has. */
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

/** What is different now. A field whose type is unknown, on either side, is not called retyped. */
export function compareFields(
  before: readonly SchemaField[],
  now: readonly SchemaField[],
): SchemaDrift {
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

export function hasDrifted({ added, removed, reordered, retyped }: SchemaDrift): boolean {
  return added.length + removed.length + reordered.length + retyped.length > 0;
}

/** A number may happen to be whole in the sample, which holds a single value. */
function isSameType(a: string, b: string): boolean {
  const numbers = ['integer', 'number'];
  return (
    a === b || a === 'unknown' || b === 'unknown' || (numbers.includes(a) && numbers.includes(b))
  );
}

/**
 * An inner field needs no line of its own where the outer field came or went, or where the outer field is an array
 * without an entry in the sample.
 */
function isWorthALine(name: string, there: ReadonlyMap<string, string>): boolean {
  const [outer = ''] = name.split('.');
  if (outer === name) return true;
  return there.has(outer) && [...there.keys()].some((key) => key.startsWith(`${outer}.`));
}

function typeOf(value: JsonValue | undefined): SchemaField['type'] {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return Array.isArray(value) ? typeOfArray(value) : 'unknown';
}

function typeOfArray(values: readonly JsonValue[]): SchemaField['type'] {
  if (values.length === 0) return 'unknown';
  if (values.every((value) => typeof value === 'number')) return 'array of numbers';
  return values.every(isJsonObject) ? 'array of objects' : 'unknown';
}
