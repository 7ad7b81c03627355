// The formats in which a browser gets a table.
import type { FormatName } from '../../../output/table-format.js';

export const TABLE_TYPES: Readonly<Record<FormatName, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
};

export const TABLE_FORMATS = Object.keys(TABLE_TYPES) as FormatName[];
