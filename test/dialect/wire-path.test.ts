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

describe('a path with elements of lists', () => {
  it.each([
    'emails[0].email',
    '[0].data',
    '[type=work]',
    'a[0][1].b',
    'emails[type=work].email',
    'custom_fields[name=ref].value',
    'email[qualification=nominative@pro]',
    'a[label=Work e-mail, first].b',
    'a[v=1.5]',
    'a[k=]b'.replace(']b', 'x]'),
    'a[k==].b',
  ])('%j is one', (text) => {
    expect(isWirePath(text)).toBe(true);
  });

  it.each([
    'a[]',
    'a[x]',
    'a[-1]',
    'a[0',
    'a0]',
    'a[0]b',
    'a.[0]',
    'a[=x]',
    'a[b.c=x]',
    'a[b c=x]',
    'a[k=]',
    'a[k=[x]]',
    'a[12345]',
    '[0].',
  ])('%j is none', (text) => {
    expect(isWirePath(text)).toBe(false);
  });

  const body = {
    emails: [
      null,
      { type: 'home', email: 'a' },
      { type: 'work', email: 'b', tags: ['x', 'y'] },
      { type: 'work', email: 'c' },
    ],
    fields: [
      { name: 'n', value: 1 },
      { name: 7, value: 2 },
      { name: true, value: 3 },
      { name: { a: 1 }, value: 4 },
    ],
    text: 'abc',
    object: { 0: 'zero' },
    mobile: { revealed: true, number: '1' },
  };

  it.each<[string, unknown]>([
    ['emails[1].email', 'a'],
    ['emails[type=work].email', 'b'],
    ['emails[type=work].tags[1]', 'y'],
    ['fields[name=7].value', 2],
    ['fields[name=true].value', 3],
    ['emails[0]', null],
    ['emails[0].email', undefined],
    ['emails[4]', undefined],
    ['emails[type=Work]', undefined],
    ['emails[toString=x]', undefined],
    ['fields[name=[object Object]]'.replace('[object Object]', 'object'), undefined],
    ['text[0]', undefined],
    ['object[0]', undefined],
    ['mobile[revealed=true].number', '1'],
    ['mobile[revealed=false].number', undefined],
    ['emails.length', undefined],
  ])('%s finds %j', (path, value) => {
    expect(valueAt(body, path)).toEqual(value);
  });

  it('may begin with an element', () => {
    expect(valueAt([{ a: [1, 2] }], '[0].a[1]')).toBe(2);
    expect(valueAt([{ k: 'x', v: 1 }], '[k=x].v')).toBe(1);
  });
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
