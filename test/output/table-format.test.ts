import { expect, it } from 'vitest';
import { formatOfPath } from '../../src/output/table-format.js';

it.each([
  ['x.ndjson', 'ndjson'],
  ['a.b/x.JSONL', 'ndjson'],
  ['x.csv', 'csv'],
  ['x.json', 'csv'],
  ['ndjson', 'csv'],
  ['-', 'csv'],
])('takes %s for %s', (path, format) => {
  expect(formatOfPath(path)).toBe(format);
});
