// Refused deliveries are counted in the state, and cost it next to nothing however many come.
import { expect, it } from 'vitest';
import { countRefusals } from '../../../src/app/listen/count-refusals.js';
import type { RunEvent } from '../../../src/model/telemetry/observe.js';
import type { RefusedDeliveries } from '../../../src/ports/store/deliveries.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { createDrivenClock, settled } from '../../helpers/driven-clock.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const PACKED = { reason: 'not_json', status: 400, scope: 'acc', encoding: 'gzip' };
const EXPECTED = { scope: 'acc', reason: 'not_json', encoding: 'gzip' };

async function startCounting() {
  const store = openSqliteStore(`${tempFolder()}/state.db`);
  const clock = createDrivenClock();
  const events: RunEvent[] = [];
  const seen = { writes: 0, isBroken: false };
  const addRefused = async (refused: readonly RefusedDeliveries[]): Promise<void> => {
    seen.writes += 1;
    if (seen.isBroken) throw new Error('The disk is full.');
    await store.addRefused(refused);
  };
  const observe = (event: RunEvent) => void events.push(event);
  const counter = countRefusals({ addRefused }, clock, observe);
  return { clock, counter, events, seen, store };
}

it('writes a flood once a second, and tells of its first delivery', async () => {
  const { clock, counter, events, seen, store } = await startCounting();
  for (let n = 0; n < 1_000; n += 1) counter.add(PACKED);
  expect(seen.writes).toBe(0);
  await clock.advance(1_000);
  await settled();
  expect(seen.writes).toBe(1);
  counter.add(PACKED);
  await counter.close();
  expect(seen.writes).toBe(2);
  expect(await store.refusedDeliveries()).toMatchObject([{ ...EXPECTED, count: 1_001 }]);
  expect(events).toMatchObject([{ kind: 'run.warned', warning: 'deliveries_refused' }]);
  await store.close();
});

it('keeps what could not be written for the next time', async () => {
  const { clock, counter, seen, store } = await startCounting();
  seen.isBroken = true;
  counter.add(PACKED);
  await clock.advance(1_000);
  await settled();
  expect(seen.writes).toBe(1);
  seen.isBroken = false;
  counter.add(PACKED);
  await counter.close();
  expect(await store.refusedDeliveries()).toMatchObject([{ ...EXPECTED, count: 2 }]);
  await store.close();
});

it('counts no stranger, nothing that passes, and few encodings', async () => {
  const { counter, store } = await startCounting();
  counter.add({ ...PACKED, scope: undefined });
  counter.add({ ...PACKED, reason: 'too_busy', status: 503 });
  for (const encoding of [undefined, 'identity', 'X-GZIP', 'a\u{1b}', 'b', 'gzip, br']) {
    counter.add({ ...PACKED, encoding });
  }
  await counter.close();
  const counts = (await store.refusedDeliveries()).map(({ count, encoding }) => [encoding, count]);
  expect(counts).toEqual([
    ['', 2],
    ['gzip', 1],
    ['other', 3],
  ]);
  await store.close();
});
