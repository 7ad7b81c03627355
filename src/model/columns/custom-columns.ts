// The columns of custom asks: one for each field, named by the ask and the field.
import type { CustomAsks } from '../ask.js';
import { madeOnce } from '../made-once.js';
import type { Result } from '../result.js';
import { type JsonValue, snakeCase } from '../text/json.js';
import { type ColumnSpec, TYPE_OF_FIELD } from './column-spec.js';

interface CustomColumn extends ColumnSpec {
  readonly ask: string;
  readonly field: string;
  readonly read: (result: Result | null) => JsonValue | undefined;
}

const NONE: CustomAsks = {};

/** `employeeCount` of `firm` is `firm_employee_count`. */
export function customColumns(custom: CustomAsks = NONE): readonly CustomColumn[] {
  return columnsFor(custom);
}

/** Rows are many, and their columns are always the same. */
const columnsFor = madeOnce((custom: CustomAsks): readonly CustomColumn[] =>
  Object.entries(custom).flatMap(([ask, { about, fields }]) =>
    Object.entries(fields).map(([field, one]) => ({
      ask,
      field,
      name: `${ask}_${snakeCase(field)}`,
      type: TYPE_OF_FIELD[one.type],
      about: one.about === '' ? about : one.about,
      asks: [ask],
      read: (result: Result | null) => result?.custom?.[ask]?.[field],
    })),
  ),
);
