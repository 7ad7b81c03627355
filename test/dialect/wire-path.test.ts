import { describe, expect, it } from 'vitest';
import { firstValueAt, isWirePath, valueAt } from '../../src/dialect/wire-path.js';

describe('a path into JSON', () => {
  it.each(['.', 'id', 'data.enrichment.id', 'a-b._c', '0', 'x'.repeat(200)])(
    '%j is one',
    (text) => {
      expect(isWirePath(text)).toBe(true);
    },
  );

  it.each(['', '..', '.id', 'id.', 'a..b', 'a b', 'a. b', ' ', 'x'.repeat(201)])(
    '%j is none',
    (text) => {
      expect(isWirePath(text)).toBe(false);
    },
  );
});

describe('the value at a path', () => {
  const body = {
    a: { b: { c: 1 }, empty: null, list: [{ x: 1 }] },
    zero: 0,
    no: false,
    '': 'blank',
  };

  it.each([
    ['.', body],
    ['a.b.c', 1],
    ['a.b', { c: 1 }],
    ['zero', 0],
    ['no', false],
    ['a.empty', null],
  ])('%s is found', (path, value) => {
    expect(valueAt(body, path)).toEqual(value);
  });

  it.each([
    'z',
    'a.z',
    'a.b.c.d',
    'a.empty.x',
    'a.list.0',
    'a.list.length',
    'a.list.x',
    '__proto__',
    'constructor.name',
    'toString',
  ])('%s is not there', (path) => {
    expect(valueAt(body, path)).toBeUndefined();
  });

  it('is not there in what is no object', () => {
    for (const value of [undefined, null, 'text', 7, []]) {
      expect(valueAt(value, 'length')).toBeUndefined();
    }
    expect(valueAt('text', '.')).toBe('text');
  });

  it('is the first alternative that is there and not null', () => {
    expect(firstValueAt(body, ['z', 'a.empty', 'no', 'zero'])).toBe(false);
    expect(firstValueAt(body, ['z', 'a.empty'])).toBeUndefined();
    expect(firstValueAt(body, [])).toBeUndefined();
  });
});
