import { describe, expect, it } from 'vitest';
import { placeAt, placeOf, readPlaces } from '../../../src/sandbox/dialect/wire-places.js';
import { refuseStrange } from '../../../src/sandbox/routes/read-request.js';

describe('the place that is written', () => {
  it('is the first, and the second in a webhook where there is one', () => {
    expect([placeOf(['a', 'b', 'c']), placeOf(['a', 'b', 'c'], 'webhook')]).toEqual(['a', 'b']);
    expect([placeOf(['a'], 'webhook'), placeOf([], 'webhook')]).toEqual(['a', undefined]);
  });
});

describe('placeAt', () => {
  it.each([
    [{ a: 1 }, 'b.c', 2, { a: 1, b: { c: 2 } }],
    [{ b: { a: 1 } }, 'b', { c: 2 }, { b: { a: 1, c: 2 } }],
    [{ b: 1 }, 'b.c', 2, { b: { c: 2 } }],
    [{ a: 1 }, '.', { b: 2 }, { a: 1, b: 2 }],
    [{}, '.', [1], [1]],
    [{}, '.', 'x', 'x'],
    [{}, 'a[0].b', 1, { a: [{ b: 1 }] }],
    [{ a: [{ b: 1 }] }, 'a[0].c', 2, { a: [{ b: 1, c: 2 }] }],
    [{}, 'a[2]', 1, { a: [{}, {}, 1] }],
    [{}, '[0].a', 1, [{ a: 1 }]],
    [{}, 'a[k=x].b', 1, { a: [{ k: 'x', b: 1 }] }],
    [{ a: [{ k: 'x', b: 1 }] }, 'a[k=x].c', 2, { a: [{ k: 'x', b: 1, c: 2 }] }],
    [{}, 'a[k=x]', { k: 'z', b: 1 }, { a: [{ k: 'z', b: 1 }] }],
    [{ a: [{ k: 'y' }] }, 'a[k=x]', { b: 1 }, { a: [{ k: 'y' }, { k: 'x', b: 1 }] }],
  ])('%j with %s', (body, path, value, whole) => {
    expect(placeAt(body, path, value)).toEqual(whole);
  });
});

describe('readPlaces', () => {
  const places = { name: 'who.name', mail: 'who.at.mail', key: 'key' };

  it('finds what is there', () => {
    const body = { who: { name: 'Ada', at: { mail: 'a@b.c' } } };
    expect(readPlaces(body, places, refuseStrange)).toEqual({ name: 'Ada', mail: 'a@b.c' });
  });

  it.each([
    [[], 'The body must be an object.'],
    ['x', 'The body must be an object.'],
    [{ name: 'Ada' }, 'The body has no place name.'],
    [{ who: { at: { phone: 1 } } }, 'The body has no place who.at.phone.'],
    [{ who: 'Ada' }, 'The body has no place who.'],
  ])('refuses %j', (body, sentence) => {
    expect(() => readPlaces(body, places, refuseStrange)).toThrow(
      expect.objectContaining({ message: sentence, statusCode: 400 }),
    );
  });
});
