// The dictionary of a table: a Table Schema, version 2 (https://datapackage.org/standard/table-schema/), which is JSON.
import type { OutputColumn } from '../../ports/table-writer.js';

export interface ForeignKey {
  readonly column: string;
  /** The other table, and its column of the same meaning. */
  readonly table: string;
  readonly references: string;
}

export interface TableKeys {
  /** The columns that together name each row; undefined if none surely do. */
  readonly primaryKey: readonly string[] | undefined;
  readonly foreignKeys: readonly ForeignKey[];
}

/** The dictionary of a table. `source` is a key of our own, which the standard allows: the source of the values. */
export function tableSchema(
  columns: readonly OutputColumn[],
  { primaryKey, foreignKeys }: TableKeys,
): object {
  return {
    $schema: 'https://datapackage.org/profiles/2.0/tableschema.json',
    fields: columns.map(fieldOf),
    missingValues: [''],
    ...(primaryKey === undefined ? {} : { primaryKey }),
    ...(foreignKeys.length === 0 ? {} : { foreignKeys: foreignKeys.map(foreignKeyOf) }),
  };
}

function fieldOf({ name, key, field }: OutputColumn): object {
  const title = name === key ? {} : { title: name };
  if (field !== undefined) return { name: key, ...title, ...field };
  const description = 'A column of the input';
  return { name: key, ...title, type: 'any', description, source: 'input' };
}

function foreignKeyOf({ column, table, references }: ForeignKey): object {
  return { fields: [column], reference: { resource: table, fields: [references] } };
}
