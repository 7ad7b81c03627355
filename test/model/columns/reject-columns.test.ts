import { expect, it } from 'vitest';
import { REJECT_COLUMNS, rejectRow } from '../../../src/model/columns/reject-columns.js';

it('names the source of a reject, and keeps its raw text', () => {
  const reject = { source: 1, line: 7, reason: 'not an object', raw: '=1' };
  const row = rejectRow(reject, ['a.ndjson', 'b.ndjson']);
  expect(Object.fromEntries(REJECT_COLUMNS.map(({ key }, n) => [key, row[n]]))).toEqual({
    source: 'b.ndjson',
    line: 7,
    reason: 'not an object',
    raw: '=1',
  });
});
