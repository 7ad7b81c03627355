// A column that Sluice adds. The header, the cells and docs/columns.md are made from lists of these.
import type { OutputColumn, OutputKind } from '../../ports/table-writer.js';
import type { Ask, CustomField } from '../ask.js';
import type { FieldTable, FieldType } from '../result.js';
import { snakeCase } from '../text/json.js';

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
  /** The kind of its cells, if the type does not decide it. */
  readonly kind?: OutputKind;
  /** Its asks, each of which fills it. Absent: every table has it. */
  readonly asks?: readonly Ask[];
}

export function columnOf(spec: ColumnSpec, name: string): OutputColumn {
  const { asks } = spec;
  return { name, key: name, kind: kindOf(spec), ...(asks && { asks }) };
}

export function kindOf({ type, kind }: ColumnSpec): OutputKind {
  return kind ?? KIND_OF_TYPE[type];
}

export const TYPE_OF_FIELD = {
  string: 'text',
  text: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  url: 'URL',
  phone: 'phone',
} as const satisfies Record<FieldType | CustomField['type'], ColumnType>;

/** One column for each field of a platform's object, named by `nameOf` from the field in snake_case. */
export function fieldColumns<T extends FieldTable>(
  fields: T,
  about: Readonly<Record<keyof T, string>>,
  nameOf: (snakeCased: string) => string,
): (ColumnSpec & { readonly field: keyof T & string })[] {
  return Object.entries(fields).map(([field, type]) => ({
    field,
    name: nameOf(snakeCase(field)),
    type: TYPE_OF_FIELD[type],
    about: about[field] ?? '',
  }));
}
