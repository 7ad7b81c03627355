import { expect, it } from 'vitest';
import { createTroubleLog } from '../../src/queue/trouble-log.js';

it('tells one trouble of many, and gives up where there are tens of thousands', () => {
  const told: string[] = [];
  let isHopeless = 0;
  const log = createTroubleLog(
    (message) => told.push(message),
    () => {
      isHopeless += 1;
    },
  );
  for (let i = 0; i < 100; i += 1) log.note(new Error('refused'));
  expect(told).toEqual(['The queue has trouble: refused']);
  expect(isHopeless).toBe(0);
  for (let i = 0; i < 30_000; i += 1) log.note(new Error('refused'));
  expect(told).toHaveLength(1);
  expect(isHopeless).toBe(1);
  log.close();
});
