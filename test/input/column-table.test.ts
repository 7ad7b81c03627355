import { describe, expect, it } from 'vitest';
import { ColumnTable } from '../../src/input/column-table.js';

describe('ColumnTable', () => {
  it('merges headers by key, in order of first appearance', () => {
    const table = new ColumnTable();
    expect(table.addHeader(['a', 'b', 'a'])).toEqual([0, 1, 2]);
    expect(table.addHeader(['c', ' b', 'a'])).toEqual([3, 1, 0]);
    expect(table.columns.map((column) => column.key)).toEqual(['a', 'b', 'a_2', 'c']);
  });

  it('puts a JSON key under the CSV column of the same name', () => {
    const table = new ColumnTable();
    table.addHeader(['a', 'b']);
    expect([table.positionOf('b'), table.positionOf('c'), table.positionOf('b')]).toEqual([
      1, 2, 1,
    ]);
  });

  it('never changes a list of columns that it handed out', () => {
    const table = new ColumnTable();
    table.addHeader(['a']);
    const before = table.columns;
    table.positionOf('b');
    expect(before).toHaveLength(1);
    expect(table.columns).toHaveLength(2);
  });

  it('refuses to grow without end', () => {
    const table = new ColumnTable();
    for (let index = 0; index < 16_384; index += 1) table.positionOf(`k${index}`);
    expect(() => table.positionOf('one more')).toThrow('more than 16384 columns');
  });
});
