import { expect, it } from 'vitest';
import { SluiceError } from '../../../src/model/errors.js';
import type { RunEvent } from '../../../src/model/telemetry/observe.js';
import { retryWrite } from '../../../src/run/send/send-batch.js';

function failing(times: number, error: Error) {
  const slept: number[] = [];
  let calls = 0;
  const write = async (): Promise<void> => {
    calls += 1;
    if (calls <= times) throw error;
  };
  const clock = {
    now: () => 0,
    sleep: async (ms: number) => {
      slept.push(ms);
    },
  };
  return { write, clock, slept, calls: () => calls };
}

const unheard = () => undefined;

const LOCKED = new SluiceError('store', 'The state file cannot be used: locked.');

it('writes once where nothing fails', async () => {
  const { write, clock, slept, calls } = failing(0, LOCKED);
  await retryWrite(write, clock, unheard);
  expect([calls(), slept]).toEqual([1, []]);
});

it('asks a store that fails for a moment again, with growing pauses', async () => {
  const { write, clock, slept, calls } = failing(3, LOCKED);
  const told: RunEvent[] = [];
  await retryWrite(write, clock, (event) => told.push(event));
  expect([calls(), slept]).toEqual([4, [100, 1_000, 5_000]]);
  expect(told).toEqual(
    slept.map((pauseMs, i) => ({
      kind: 'write.repeated',
      attempt: i + 1,
      pauseMs,
      reason: LOCKED.message,
    })),
  );
});

it('gives up in the end, and at once for anything but the store', async () => {
  const down = failing(99, LOCKED);
  await expect(retryWrite(down.write, down.clock, unheard)).rejects.toBe(LOCKED);
  expect(down.calls()).toBe(5);
  const bug = new Error('a bug');
  const broken = failing(99, bug);
  await expect(retryWrite(broken.write, broken.clock, unheard)).rejects.toBe(bug);
  expect(broken.calls()).toBe(1);
});
