import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ColumnTable, freeKey, headerKeys } from '../../src/input/column-table.js';

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

describe('headerKeys', () => {
  it.each([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [
      ['a', 'a', 'a'],
      ['a', 'a_2', 'a_3'],
    ],
    [
      ['a', 'a', 'a_2'],
      ['a', 'a_3', 'a_2'],
    ],
    [
      ['a_2', 'a', 'a'],
      ['a_2', 'a', 'a_3'],
    ],
    [
      [' a', 'a '],
      ['a', 'a_2'],
    ],
    [
      ['x', '', ' '],
      ['x', 'column_2', 'column_3'],
    ],
    [
      ['', 'column_1'],
      ['column_1_2', 'column_1'],
    ],
  ])('%j become %j', (names, keys) => {
    expect(headerKeys(names)).toEqual(keys);
  });

  it('take no longer for each of many names that are one and the same', () => {
    let asked = 0;
    const taken = {
      has: (key: string) => {
        asked += 1;
        return key === 'a';
      },
    };
    const next = new Map<string, number>();
    for (let n = 2; n < 1_000; n += 1) expect(freeKey('a', 1, [taken], next)).toBe(`a_${n}`);
    expect(asked).toBeLessThan(1_100);
    // As a line of nothing but commas and one letter has them.
    expect(headerKeys(Array<string>(50_000).fill('a')).at(-1)).toBe('a_50000');
  });

  it('are unique, and every name keeps its own key once', () => {
    const name = fc.constantFrom('a', 'a_2', 'a_3', 'a_2_2', '', ' ', 'column_1', 'column_2');
    fc.assert(
      fc.property(fc.array(name), (names) => {
        const keys = headerKeys(names);
        expect(new Set(keys).size).toBe(names.length);
        for (const trimmed of names.map((each) => each.trim()).filter((each) => each !== '')) {
          const first = names.findIndex((each) => each.trim() === trimmed);
          expect(keys[first]).toBe(trimmed);
        }
      }),
    );
  });
});
