import { expect, it } from 'vitest';
import { rejectsPath } from '../../src/output/rejects-path.js';

it.each([
  ['data/out/x.csv', 'data/out/x.rejects.csv'],
  ['data/out/x.ndjson', 'data/out/x.rejects.csv'],
  ['x.JSONL', 'x.rejects.csv'],
  ['data.csv/x', 'data.csv/x.rejects.csv'],
  ['leads.2024', 'leads.2024.rejects.csv'],
  ['out/.csv', 'out/.csv.rejects.csv'],
  ['.csv', '.csv.rejects.csv'],
  ['-', null],
])('puts the rejects of %s in %s', (output, rejects) => {
  expect(rejectsPath(output)).toBe(rejects);
});
