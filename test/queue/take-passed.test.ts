// An entry that the worker which has it cannot do, on a real PostgreSQL. What is passed on waits for an hour here: until
// then only a worker that looks for it takes it.
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Dispatcher, QueueEntry, Turn, Work } from '../../src/ports/dispatcher.js';
import { openBullmqDispatcher } from '../../src/queue/open-bullmq-dispatcher.js';
import { COMMAND_MS } from '../helpers/patience.js';
import { postgresAddress } from '../helpers/postgres-server.js';
import { loadDriver } from '../helpers/queue-driver.js';

const until = { timeout: COMMAND_MS };
const HOUR_MS = 3_600_000;
let count = 0;
let name = '';
let queue: Dispatcher;
let works: Work[] = [];
let troubles: string[] = [];

beforeEach(async () => {
  works = [];
  troubles = [];
  name = `passed-${process.pid}-${(count += 1)}`;
  queue = await openBullmqDispatcher(
    {
      connectionString: await postgresAddress(),
      name,
      shown: 'the test',
      load: loadDriver,
    },
    { passedMs: HOUR_MS, lockMs: 10_000 },
  );
});

afterEach(async () => {
  await Promise.all(works.map((work) => work.stop()));
  await queue.close();
});

const entry = (job: string): QueueEntry => ({ job, isFromFile: false });

/** A worker that can do these jobs, one at a time. */
async function startWorker(
  jobs: readonly string[],
  take: (job: string) => Promise<Turn> = async () => ({ kind: 'done' }),
): Promise<void> {
  const canTake = async ({ job }: QueueEntry): Promise<boolean> => jobs.includes(job);
  const work = await queue.work({
    concurrency: 1,
    canTake,
    take: async (one) => ((await canTake(one)) ? take(one.job) : { kind: 'elsewhere' }),
    sweep: () => Promise.resolve(),
    onTrouble: (message) => troubles.push(message),
    onTakeover: () => undefined,
    onHopeless: () => undefined,
  });
  works.push(work);
}

const NOTHING = { waiting: 0, active: 0, parked: 0 };

it('each of many entries comes to the one worker that can do it', async () => {
  const jobs = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const done: string[] = [];
  const take = async (job: string): Promise<Turn> => {
    done.push(job);
    return { kind: 'done' };
  };
  await Promise.all(jobs.map((job) => startWorker([job], take)));
  await Promise.all(jobs.map((job) => queue.enqueue(entry(job))));
  await expect.poll(() => done.toSorted(), until).toEqual(jobs);
  await expect.poll(() => queue.counts(), until).toEqual(NOTHING);
  expect(troubles).toEqual([]);
});

it('it comes to that worker where that starts later, or has room later', async () => {
  await startWorker([]);
  await queue.enqueue(entry('a'));
  await expect.poll(() => queue.counts(), until).toMatchObject({ parked: 1 });
  const done: string[] = [];
  let end = (): void => undefined;
  await startWorker(['a', 'b'], async (job) => {
    done.push(job);
    if (job === 'a') await new Promise<void>((resolve) => (end = resolve));
    return { kind: 'done' };
  });
  await expect.poll(() => done, until).toEqual(['a']);
  await queue.enqueue(entry('b'));
  await expect.poll(() => queue.counts(), until).toMatchObject({ active: 1, parked: 1 });
  end();
  await expect.poll(() => done, until).toEqual(['a', 'b']);
});

it('a worker that has done a part of it keeps to the time that it says then', async () => {
  await startWorker([]);
  await queue.enqueue(entry('a'));
  await expect.poll(() => queue.counts(), until).toMatchObject({ parked: 1 });
  let taken = 0;
  const take = async (job: string): Promise<Turn> => {
    if (job === 'a') taken += 1;
    return job === 'a' ? { kind: 'later', ms: HOUR_MS } : { kind: 'done' };
  };
  await startWorker(['a', 'b'], take);
  await expect.poll(() => taken, until).toBe(1);
  // While it is free, it looks for what was passed on.
  await queue.enqueue(entry('b'));
  await expect.poll(() => queue.counts(), until).toEqual({ ...NOTHING, parked: 1 });
  expect(taken).toBe(1);
});

it('its lock is renewed as that of any other', async () => {
  await startWorker([]);
  await queue.enqueue(entry('a'));
  await expect.poll(() => queue.counts(), until).toMatchObject({ parked: 1 });
  let end = (): void => undefined;
  await startWorker(['a'], async () => {
    await new Promise<void>((resolve) => (end = resolve));
    return { kind: 'done' };
  });
  const server = new Client({ connectionString: await postgresAddress() });
  await server.connect();
  const ends = new Set<number>();
  const look = async (): Promise<number> => {
    const { rows } = await server.query<{ ms: number }>(
      `SELECT locked_until_ms::float8 AS ms FROM bullmq.job WHERE queue = $1 AND state = 'active'`,
      [`${name}-runs`],
    );
    for (const { ms } of rows) ends.add(ms);
    return ends.size;
  };
  await expect.poll(look, until).toBeGreaterThan(2);
  await server.end();
  end();
  await expect.poll(() => queue.counts(), until).toEqual(NOTHING);
  expect(troubles).toEqual([]);
});
