// A verb is performed exactly once, wherever its connection is cut.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { parseDatabaseAddress } from '../../../../src/store/postgres/database/address.js';
import {
  type Database,
  openDatabase,
  type Sql,
} from '../../../../src/store/postgres/database/database.js';
import { migrateDatabase } from '../../../../src/store/postgres/open-postgres-store.js';
import { type Cut, type Cutter, openCutter } from '../../../helpers/connection-cutter.js';
import { type TestState, testState } from '../../../helpers/postgres.js';

let state: TestState;
let cutter: Cutter;
/** At which COMMIT from now the connection is cut, and where. */
let next: { n: number; side: Cut } = { n: 0, side: 'before' };
let database: Database;

beforeAll(async () => {
  state = await testState();
  const url = new URL(state.address);
  cutter = await openCutter(Number(url.port), () => {
    next.n -= 1;
    return next.n === 0 ? next.side : undefined;
  });
  url.port = String(cutter.port);
  database = openDatabase(parseDatabaseAddress(url.href));
  await state.pool.query('CREATE TABLE counter (id integer PRIMARY KEY, n integer NOT NULL)');
  await state.pool.query('INSERT INTO counter VALUES (1, 0)');
});
afterAll(async () => {
  await database.close();
  cutter.close();
});
afterEach(() => state.pool.query('UPDATE counter SET n = 0'));

const addOne = async (sql: Sql): Promise<number> =>
  (await sql.row<{ n: number }>('UPDATE counter SET n = n + 1 WHERE id = 1 RETURNING n'))?.n ?? -1;
const counted = async (): Promise<number> =>
  (await state.pool.query<{ n: number }>('SELECT n FROM counter')).rows[0]?.n ?? -1;

it.each<Cut>(['before', 'after'])(
  'a write whose connection is cut %s its COMMIT arrives is performed once',
  async (where) => {
    await database.perform(addOne, { kind: 'write' });
    const before = cutter.cuts();
    next = { n: 1, side: where };
    expect(await database.perform(addOne, { kind: 'write' })).toBe(2);
    expect(cutter.cuts()).toBe(before + 1);
    expect(await counted()).toBe(2);
  },
);

it('writes that are cut again and again, side by side, are each performed once', async () => {
  const sides: Cut[] = ['before', 'after'];
  const results: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    next = { n: 1 + (round % 3), side: sides[round % 2] as Cut };
    const work = Array.from({ length: 4 }, () => database.perform(addOne, { kind: 'write' }));
    results.push(...(await Promise.all(work)));
  }
  expect(results.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, i) => i + 1));
  expect(await counted()).toBe(24);
});

/** Where the server has this default for each transaction. */
function openWith(setting: string): Database {
  const url = new URL(state.address);
  url.searchParams.set('options', `-c ${setting}`);
  return openDatabase(parseDatabaseAddress(url.href));
}

it.each(['repeatable\\ read', 'serializable'])(
  'a write sees what was committed since it began where transactions are %s',
  async (isolation) => {
    const strict = openWith(`default_transaction_isolation=${isolation}`);
    const addAfterAnother = async (sql: Sql): Promise<number> => {
      await state.pool.query('UPDATE counter SET n = n + 1');
      return addOne(sql);
    };
    expect(await strict.perform(addAfterAnother, { kind: 'write' })).toBe(2);
    await strict.close();
  },
);

it('a write waits for what another one holds where no lock is waited for', async () => {
  const hasty = openWith('lock_timeout=1');
  const client = await state.pool.connect();
  await client.query('BEGIN; UPDATE counter SET n = n + 1');
  let isOver = false;
  const added = hasty.perform(addOne, { kind: 'write' });
  void added.catch(() => undefined).finally(() => (isOver = true));
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE counter%'
    AND clock_timestamp() - query_start > interval '50 ms'`;
  while (!isOver && (await state.pool.query(waiting)).rowCount === 0) continue;
  await client.query('COMMIT');
  client.release();
  expect(await added).toBe(2);
  await hasty.close();
});

it('what a verb throws undoes it, and is not repeated', async () => {
  let times = 0;
  const failing = async (sql: Sql): Promise<void> => {
    times += 1;
    await addOne(sql);
    throw new Error('no');
  };
  await expect(database.perform(failing, { kind: 'write' })).rejects.toThrow('no');
  expect([times, await counted()]).toEqual([1, 0]);
});

it('a reading that is cut is read again', async () => {
  await database.perform(addOne, { kind: 'write' });
  next = { n: 1, side: 'after' };
  const read = (sql: Sql) => sql.row<{ n: number }>('SELECT n FROM counter');
  expect(await database.perform(read, { kind: 'snapshot' })).toEqual({ n: 1 });
});

it('connections that the server ends again and again end no process', async () => {
  // Those of other tests are in another database.
  const name = `ended_${process.pid}`;
  await state.pool.query(`CREATE DATABASE ${name}`);
  const address = state.address.replace(/\/postgres\?.*/, `/${name}`);
  await migrateDatabase(address);
  const own = openDatabase(parseDatabaseAddress(address));
  await own.perform((sql) => sql.run('CREATE TABLE counter (id integer, n integer)'), {
    kind: 'write',
  });
  await own.perform((sql) => sql.run('INSERT INTO counter VALUES (1, 0)'), { kind: 'write' });
  let isOver = false;
  const end = async (): Promise<void> => {
    while (!isOver) {
      await state.pool.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
        [name],
      );
    }
  };
  const ending = end();
  const work = Array.from({ length: 20 }, () => own.perform(addOne, { kind: 'write' }));
  // Between two blows a verb needs a moment.
  const [first] = await Promise.allSettled([Promise.race([...work, sleep(1_000)])]);
  isOver = true;
  await ending;
  const results = await Promise.all(work);
  expect(first.status).toBe('fulfilled');
  expect(results.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  await own.close();
});

it('an address that nothing answers at is said at once', async () => {
  const nowhere = openDatabase(parseDatabaseAddress('postgres://sluice@127.0.0.1:1/postgres'));
  await expect(nowhere.perform(addOne, { kind: 'write' })).rejects.toThrow(
    'The database postgres://sluice@127.0.0.1:1/postgres cannot be used: nothing answers there.',
  );
  await nowhere.close();
});
