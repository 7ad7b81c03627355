import { expect, it } from 'vitest';
import { createKeyCensus } from '../../../src/model/columns/key-census.js';
import { openScratch } from '../../../src/store/sqlite/scratch.js';

const COLUMNS = ['id', 'name', 'team'].map((name) => ({ name, key: name }));

function count(key: readonly string[], rows: readonly (readonly (string | number | null)[])[]) {
  const scratch = openScratch();
  const census = createKeyCensus(key, scratch);
  for (const row of rows) census.add(COLUMNS, row);
  scratch.close();
  return census.report();
}

it('counts rows without a key, and those whose key an earlier row has', () => {
  const rows = [['1'], [' 1 '], [1], [''], [null], [], ['2'], ['1'], ['\u00A0']];
  expect(count(['id'], rows)).toEqual({ columns: ['id'], empty: 4, repeated: 3 });
});

it('takes the columns of a key together, and a row with one of them empty for one without', () => {
  const rows = [
    ['1', 'x', 'a'],
    ['1', 'y', 'b'],
    ['1', 'z', 'a'],
    ['1', 'z', ''],
    ['1,a', 'z', ''],
  ];
  expect(count(['id', 'team'], rows)).toMatchObject({ empty: 2, repeated: 1 });
});

it('finds its columns again where the input gets more of them', () => {
  const scratch = openScratch();
  const census = createKeyCensus(['id'], scratch);
  census.add(COLUMNS, ['1']);
  census.add([{ name: 'new', key: 'new' }, ...COLUMNS], ['x', '1']);
  scratch.close();
  expect(census.report().repeated).toBe(1);
});
