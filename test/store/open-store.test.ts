import { expect, it } from 'vitest';
import { checkState } from '../../src/store/open-store.js';

it.each([
  'POSTGRES://ada:geheim@db/leads',
  ' postgres://ada:geheim@db/leads',
  'postgres:/db/leads?password=geheim',
  'pg://ada:geheim@db/leads',
  'https://db.example/leads',
])('%s is no file', (state) => {
  const check = () => checkState(state);
  expect(check).toThrow('looks like an address, and is none that can be used');
  expect(check).not.toThrow('geheim');
});

it.each(['data/sluice.db', 'C:/data/sluice.db', 'C:\\data\\sluice.db', './pg://x', 'postgres.db'])(
  '%s is a file',
  (state) => {
    expect(() => checkState(state)).not.toThrow();
  },
);

it.each([':memory:', ' :memory: ', '', ' '])('"%s" names no file', (state) => {
  expect(() => checkState(state)).toThrow('would end with the process');
});
