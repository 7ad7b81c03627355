import { expect, it } from 'vitest';
import { endingOf } from '../../src/output/table-format.js';

it.each([
  ['x.ndjson', { format: 'ndjson' }],
  ['a.b/x.JSONL', { format: 'ndjson' }],
  ['x.csv', {}],
  ['x.TSV', { hasTabs: true }],
  ['x.tsv.gz', { hasTabs: true, isPacked: true }],
  ['x.ndjson.gz', { format: 'ndjson', isPacked: true }],
  ['x.XLSX', { format: 'xlsx' }],
  ['a/x.parquet', { format: 'parquet' }],
  ['x.xlsx.gz', {}],
  ['x.gz', {}],
  ['x.json', {}],
  ['ndjson', {}],
  ['-', {}],
])('takes %s for %j', (path, differing) => {
  const usual = { format: 'csv', hasTabs: false, isPacked: false };
  expect(endingOf(path)).toEqual({ ...usual, ...differing });
});
