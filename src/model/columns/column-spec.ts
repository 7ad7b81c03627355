// A column that Sluice adds: its name, its type, its meaning. The header, the cells and docs/columns.md are all made
// from lists of column specs.
import type { OutputColumn, OutputKind, TableField } from '../../ports/table-writer.js';
import type { Ask } from '../ask.js';
import type { FieldTable, FieldType } from '../result.js';

/** The types as docs/columns.md names them, and the kind of cells that a writer makes of each. */
const KIND_OF_TYPE = {
  text: 'text',
  URL: 'text',
  'date and time': 'dateTime',
  month: 'text',
  phone: 'phone',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  JSON: 'json',
} as const satisfies Record<string, OutputKind>;
export type ColumnType = keyof typeof KIND_OF_TYPE;

export interface ColumnSpec {
  readonly name: string;
  readonly type: ColumnType;
  /** One line for the reader of the table, without a full stop. */
  readonly about: string;
  /** The source of its values: a path in the platform's answer as it is stored, `input`, or `Sluice`. */
  readonly origin: string;
  /** All values that it may have, if they are few. */
  readonly values?: readonly string[];
  /** The kind of its cells, if the type does not decide it. */
  readonly kind?: OutputKind;
  /** Its asks, each of which fills it. Absent: every table has it. */
  readonly asks?: readonly Ask[];
}

/** The types as the standard Table Schema names them (https://datapackage.org/standard/table-schema/). */
const FIELD_OF_TYPE: Readonly<Record<ColumnType, Pick<TableField, 'type' | 'constraints'>>> = {
  text: { type: 'string' },
  URL: { type: 'string' },
  'date and time': { type: 'datetime' },
  // The standard's own type `yearmonth` does not hold a year alone.
  month: { type: 'string', constraints: { pattern: String.raw`\d{4}(-\d{2})?` } },
  phone: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  JSON: { type: 'array' },
};

/** The column under a free name. */
export function columnOf(spec: ColumnSpec, name: string): OutputColumn {
  const { about: description, asks, origin: source, type } = spec;
  const constraints = spec.values && { constraints: { enum: spec.values } };
  const field = { ...FIELD_OF_TYPE[type], ...constraints, description, source };
  return { name, key: name, kind: kindOf(spec), field, ...(asks && { asks }) };
}

export function kindOf({ type, kind }: Pick<ColumnSpec, 'type' | 'kind'>): OutputKind {
  return kind ?? KIND_OF_TYPE[type];
}

const TYPE_OF_FIELD = {
  string: 'text',
  integer: 'integer',
  url: 'URL',
} as const satisfies Record<FieldType, ColumnType>;

/**
 * One column for each field of a platform's object at the path `origin`, named by `nameOf` from the field in
 * snake_case.
 */
export function fieldColumns<T extends FieldTable>(
  fields: T,
  about: Readonly<Record<keyof T, string>>,
  nameOf: (snakeCased: string) => string,
  origin: string,
): (ColumnSpec & { readonly field: keyof T & string })[] {
  return Object.entries(fields).map(([field, type]) => ({
    field,
    name: nameOf(snakeCase(field)),
    type: TYPE_OF_FIELD[type],
    about: about[field] ?? '',
    origin: `${origin}.${field}`,
  }));
}

/** `companyHeadQuarter` to `company_head_quarter`. */
export function snakeCase(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
