// The contract of the queue, on a real PostgreSQL.
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Dispatcher, QueueEntry, Turn, WorkOptions } from '../../src/ports/dispatcher.js';
import { openBullmqDispatcher } from '../../src/queue/open-bullmq-dispatcher.js';
import { COMMAND_MS } from '../helpers/patience.js';
import { postgresAddress } from '../helpers/postgres-server.js';
import { loadDriver as load } from '../helpers/queue-driver.js';

let count = 0;
let name = '';
let open: Dispatcher[] = [];
const until = { timeout: COMMAND_MS };

beforeEach(() => {
  name = `test-${process.pid}-${(count += 1)}`;
});

afterEach(async () => {
  await Promise.all(open.map((one) => one.close()));
  open = [];
});

async function openQueue(times = {}): Promise<Dispatcher> {
  const connectionString = await postgresAddress();
  const queue = await openBullmqDispatcher(
    { connectionString, name, shown: 'the test', load },
    times,
  );
  open.push(queue);
  return queue;
}

const DONE: Turn = { kind: 'done' };
const entry = (job: string): QueueEntry => ({ job, isFromFile: false });

function workOptions(
  take: (entry: QueueEntry, signal: AbortSignal) => Promise<Turn>,
  wishes: Partial<WorkOptions> = {},
): WorkOptions {
  return {
    concurrency: 2,
    take,
    canTake: async () => true,
    sweep: () => Promise.resolve(),
    onTrouble: () => undefined,
    onTakeover: () => undefined,
    onHopeless: () => undefined,
    ...wishes,
  };
}

/** A worker that answers with these turns, one after the other; closing its queue stops it. */
async function takeOn(queue: Dispatcher, ...turns: Turn[]) {
  const taken: string[] = [];
  const troubles: string[] = [];
  const take = async ({ job }: QueueEntry): Promise<Turn> => {
    taken.push(job);
    return turns[taken.length - 1] ?? DONE;
  };
  await queue.work(workOptions(take, { onTrouble: (message) => troubles.push(message) }));
  return { taken, troubles };
}

/** A worker that holds its entries until it is told to give them back. */
async function holdOn(queue: Dispatcher) {
  let wasTold = false;
  const work = await queue.work(
    workOptions(async (_, signal) => {
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      wasTold = true;
      return { kind: 'back' };
    }),
  );
  return { work, wasTold: () => wasTold };
}

/** Two workers, and how often they have swept together. */
async function sweepOn(queue: Dispatcher) {
  let sweeps = 0;
  const sweep = async (): Promise<void> => {
    sweeps += 1;
  };
  for (let n = 0; n < 2; n += 1) await queue.work(workOptions(async () => DONE, { sweep }));
  await expect.poll(() => sweeps, until).toBe(1);
  return () => sweeps;
}

async function asOwner(...statements: string[]): Promise<void> {
  const server = new Client({ connectionString: await postgresAddress() });
  await server.connect();
  for (const statement of statements) await server.query(statement);
  await server.end();
}

describe('enqueue', () => {
  it('keeps one entry for a job', async () => {
    const queue = await openQueue();
    await queue.enqueue(entry('a'));
    await queue.enqueue(entry('a'));
    await queue.enqueue(entry('b'));
    expect(await queue.counts()).toEqual({ waiting: 2, active: 0, parked: 0 });
  });

  it('keeps no second one while a worker has the first, and takes a new one after that', async () => {
    const queue = await openQueue();
    let isTaken = 0;
    let end: (turn: Turn) => void = () => undefined;
    const work = await queue.work(
      workOptions(() => {
        isTaken += 1;
        return new Promise((resolve) => {
          end = resolve;
        });
      }),
    );
    await queue.enqueue(entry('a'));
    await expect.poll(() => isTaken, until).toBe(1);
    await queue.enqueue(entry('a'));
    expect(await queue.counts()).toMatchObject({ waiting: 0, active: 1 });
    expect(work.running()).toBe(1);
    end(DONE);
    await expect.poll(() => queue.counts(), until).toMatchObject({ active: 0 });
    await queue.enqueue(entry('a'));
    await expect.poll(() => isTaken, until).toBe(2);
    end(DONE);
  });

  it('leaves one alone that waits for a time, but for a wish to wake it', async () => {
    const queue = await openQueue();
    await queue.enqueue(entry('a'), { delayMs: 3_600_000 });
    await queue.enqueue(entry('a'));
    expect(await queue.counts()).toMatchObject({ waiting: 0, parked: 1 });
    const { taken } = await takeOn(queue);
    await queue.enqueue(entry('a'), { wakes: true });
    await expect.poll(() => taken, until).toEqual(['a']);
  });
});

describe('work', () => {
  it('gives a parked entry to a worker when its time has come', async () => {
    const queue = await openQueue();
    const { taken } = await takeOn(queue, { kind: 'later', ms: 10 });
    await queue.enqueue(entry('a'));
    await expect.poll(() => taken, until).toEqual(['a', 'a']);
    await expect.poll(() => queue.counts(), until).toEqual({ waiting: 0, active: 0, parked: 0 });
  });

  it('takes times that are no whole milliseconds', async () => {
    const queue = await openQueue();
    const { taken, troubles } = await takeOn(queue, { kind: 'later', ms: 10.1533 });
    await queue.enqueue(entry('a'), { delayMs: 5.25 });
    await expect.poll(() => taken, until).toEqual(['a', 'a']);
    expect(troubles).toEqual([]);
  });

  it('gives back what it holds when it is stopped, and another worker goes on at once', async () => {
    const first = await openQueue();
    const second = await openQueue();
    const { work } = await holdOn(first);
    await first.enqueue(entry('a'));
    await expect.poll(() => work.running(), until).toBe(1);
    await work.stop();
    expect(await first.counts()).toMatchObject({ waiting: 1, active: 0 });
    const { taken } = await takeOn(second);
    await expect.poll(() => taken, until).toEqual(['a']);
  });

  it('gives an entry to another where its worker is not heard of, and tells the first', async () => {
    const times = { lockMs: 3_000, stalledCheckMs: 500 };
    const first = await openQueue(times);
    const { work, wasTold } = await holdOn(first);
    await first.enqueue(entry('a'));
    await expect.poll(() => work.running(), until).toBe(1);
    // As if it had been frozen: its lock is not renewed any more.
    await asOwner(`UPDATE bullmq.job SET lock_token = 'another' WHERE queue LIKE '%${name}-runs'`);
    await expect.poll(wasTold, until).toBe(true);
  });

  it('renews a lock many times in its length, so that a worker may stand still for most of it', async () => {
    const queue = await openQueue({ lockMs: 10_000 });
    await holdOn(queue);
    await queue.enqueue(entry('a'));
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
    await expect.poll(look, until).toBeGreaterThan(3);
    await server.end();
    const all = [...ends];
    const gaps = all.slice(1).map((end, i) => end - (all[i] as number));
    expect(Math.min(...gaps)).toBeLessThan(2_000);
  });

  it('sweeps, one worker of all', async () => {
    const queue = await openQueue();
    const sweeps = await sweepOn(queue);
    await queue.close();
    expect(sweeps()).toBe(1);
  });

  it('begins for all of the workers that begin at the same moment', async () => {
    const names = Array.from({ length: 12 }, (_, round) => `${name}-${round}`);
    for (name of names) {
      const queues = await Promise.all(Array.from({ length: 6 }, () => openQueue()));
      await Promise.all(queues.map((queue) => queue.work(workOptions(async () => DONE))));
      await Promise.all(queues.map((queue) => queue.close()));
    }
  });
});

describe('times', () => {
  it('says when a schedule is due next, in its time zone', async () => {
    const queue = await openQueue();
    const next = (pattern: string, after: string): string => {
      const at = queue.nextTime({ pattern, timezone: 'Europe/Vienna' }, Date.parse(after));
      return new Date(at).toISOString();
    };
    expect(next('0 2 * * *', '2026-01-10T00:59:59Z')).toBe('2026-01-10T01:00:00.000Z');
    expect(next('0 2 * * *', '2026-01-10T01:00:00Z')).toBe('2026-01-11T01:00:00.000Z');
    // In the night in which 02:30 does not come.
    expect(next('30 2 * * *', '2026-03-29T00:00:00Z')).toBe('2026-03-29T01:30:00.000Z');
    expect(next('0 9 * * mon', '2026-03-29T00:00:00Z')).toBe('2026-03-30T07:00:00.000Z');
  });

  it('has one worker of two sweep at a time, once however often that is wished', async () => {
    const queue = await openQueue();
    const sweeps = await sweepOn(queue);
    const at = Date.now() + 500;
    await Promise.all([queue.sweepAt(at), queue.sweepAt(at), queue.sweepAt(at)]);
    await expect.poll(sweeps, until).toBe(2);
    await queue.sweepAt(at - 1_000);
    await expect.poll(sweeps, until).toBe(3);
    await queue.close();
    expect(sweeps()).toBe(3);
  });
});

it('tells how far the clock of this machine is off', async () => {
  const queue = await openQueue();
  expect(Math.abs(await queue.clockAheadMs())).toBeLessThan(1_000);
});

describe('a role that is not the owner', () => {
  const role = `worker_${process.pid}`;
  const openAsRole = async (): Promise<Dispatcher> => {
    const address = new URL(await postgresAddress());
    address.username = role;
    const queue = await openBullmqDispatcher({
      connectionString: address.href,
      load,
      name,
      shown: 'the test',
    });
    open.push(queue);
    return queue;
  };
  beforeEach(() => asOwner(`CREATE ROLE ${role} LOGIN`));
  afterEach(async () => {
    await Promise.all(open.map((one) => one.close()));
    await asOwner(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`);
  });

  it('is told where no connection is left for it, and what helps', async () => {
    await asOwner(`ALTER ROLE ${role} CONNECTION LIMIT 0`);
    await expect(openAsRole()).rejects.toMatchObject({
      code: 'store',
      message:
        'The queue in the test cannot be opened: it has no connection left: too many clients. Run the same command again when one is free; where that lasts, raise the limit of the server (max_connections) or of its role.',
    });
  });

  it('is told which rights it lacks, and where they are described', async () => {
    await openQueue();
    const told = { code: 'store', message: expect.stringContaining('several-machines.md, Rights') };
    await expect(openAsRole()).rejects.toMatchObject(told);
    await asOwner(`GRANT USAGE ON SCHEMA bullmq TO ${role}`);
    await expect(openAsRole()).rejects.toMatchObject(told);
    await asOwner(`GRANT SELECT ON ALL TABLES IN SCHEMA bullmq TO ${role}`);
    await expect(openAsRole()).rejects.toMatchObject(told);
  });

  it('does everything with the rights that the page gives, and makes nothing', async () => {
    await openQueue();
    const page = readFileSync('docs/several-machines.md', 'utf8');
    const grants = page
      .split('\n')
      .filter((line) => /IN SCHEMA bullmq|ON SCHEMA bullmq/.test(line));
    expect(grants).toHaveLength(5);
    await asOwner(...grants.map((line) => line.replace('TO worker', `TO ${role}`)));
    const queue = await openAsRole();
    const { taken } = await takeOn(queue, { kind: 'later', ms: 1 }, { kind: 'back' });
    await queue.enqueue(entry('a'));
    await queue.sweepAt(Date.now());
    await expect.poll(() => taken, until).toHaveLength(3);
  });
});

describe('a queue that cannot be opened', () => {
  const openAt = (port: number): Promise<Dispatcher> => {
    const connectionString = `postgres://sluice@127.0.0.1:${port}/none`;
    return openBullmqDispatcher({ connectionString, name, shown: connectionString, load });
  };

  it('says that nothing answers there', async () => {
    await expect(openAt(1)).rejects.toMatchObject({
      code: 'store',
      message:
        'The queue in postgres://sluice@127.0.0.1:1/none cannot be opened: nothing answers there. Fix that and run the same command again.',
    });
  });

  it('says that PgBouncer is in between, where it is', async () => {
    const text = 'unsupported startup parameter in options: search_path';
    const fields = Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`);
    const length = Buffer.alloc(4);
    length.writeInt32BE(fields.length + length.length);
    const pooler = createServer((socket) => {
      socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, fields])));
    });
    await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
    try {
      const opening = openAt((pooler.address() as AddressInfo).port);
      await expect(opening).rejects.toMatchObject({
        code: 'store',
        message: expect.stringMatching(
          /cannot be opened: .*search_path\)\. PgBouncer is in between, .* with SLUICE_QUEUE\.$/,
        ),
      });
    } finally {
      pooler.close();
    }
  });
});
