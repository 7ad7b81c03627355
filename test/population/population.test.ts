// A population of people as files have them, over several nights: no person ever gets another's value, no ask of anyone is
// sent twice, and what is known is not paid again.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { isLong } from '../helpers/long.js';
import { SWEEP_MS } from '../helpers/patience.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { playNights } from './nights.js';
import { createPeople } from './people.js';

const PEOPLE = isLong ? 10_000 : 300;

test.each([
  ['one process', 1],
  ['two processes', 2],
] as const)('with %s', { timeout: SWEEP_MS }, async (_, handles) => {
  const random = draw(handles);
  const path = join(tempFolder(), 'state.db');
  const stores = Array.from({ length: handles }, () => openSqliteStore(path));
  const lines = createPeople(PEOPLE, random);
  const { broken, leads, payments } = await playNights(stores, lines, random);
  for (const store of stores) await store.close();
  expect(broken).toEqual([]);
  expect(leads).toBeGreaterThan(PEOPLE);
  expect(payments).toBeLessThan(leads);
});

/** Numbers below a bound, the same for the same seed. */
function draw(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
