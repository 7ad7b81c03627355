// From which database nothing is paid for, and what is said of it.
import { describe, expect, it } from 'vitest';
import { SluiceError } from '../../../src/model/errors.js';
import type { JobLock } from '../../../src/ports/store/store.js';
import {
  examineServer,
  openPostgresStore,
  type PostgresStoreOptions,
  trustDatabase,
} from '../../../src/store/postgres/open-postgres-store.js';
import { runPlan } from '../../helpers/leads.js';
import { testState } from '../../helpers/postgres.js';

const HOLDER = { pid: process.pid, host: 'here', since: 0 };
const { address, pool } = await testState();

async function lockAt(where: string, options?: PostgresStoreOptions): Promise<JobLock['kind']> {
  const store = await openPostgresStore(where, options);
  try {
    const lock = await store.lockJob('job', HOLDER);
    if (lock.kind === 'taken') await lock.release();
    return lock.kind;
  } finally {
    await store.close();
  }
}

async function refusal(where: string, options?: PostgresStoreOptions): Promise<string> {
  const error: unknown = await lockAt(where, options).then(
    () => 'it was not refused',
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(SluiceError);
  expect(error).toMatchObject({ code: 'store' });
  return (error as SluiceError).message;
}

describe('before a process works on a job', () => {
  it('refuses a server that may lose what it has answered', async () => {
    const careless = `${address}&options=-c%20synchronous_commit%3Doff`;
    expect(await refusal(careless)).toContain('Set synchronous_commit = on');
  });

  it('refuses where this clock is not like the one of the server, either way', async () => {
    expect(await refusal(address, { now: () => Date.now() + 60_000 })).toMatch(
      /is (59|60)\.\d s ahead of that of the database/,
    );
    expect(await refusal(address, { now: () => Date.now() - 3_600_000 })).toMatch(
      /is 3\d{3}\.\d s behind that of the database/,
    );
  });

  it('refuses another server than before, until it is told to trust it', async () => {
    expect(await trustDatabase(address)).toBe(false);
    for (const change of ["timeline = '000000FF'", "server = '7000000000000000000'"]) {
      await pool.query(`UPDATE identity SET ${change}`);
      expect(await refusal(address)).toMatch(
        /a standby was promoted, or a backup was restored.*could be paid for twice.*sluice state trust --state '?postgres:/,
      );
      expect(await trustDatabase(address)).toBe(true);
      expect(await lockAt(address)).toBe('taken');
    }
  });
});

describe('while it works', () => {
  it('pays for nothing from the moment on when another server has taken over', async () => {
    const store = await openPostgresStore(address);
    const run = await store.startRun(runPlan(), 0);
    const list = await store.wantList(run.id, 'list');
    const lock = await store.lockJob('job', HOLDER);
    if (lock.kind !== 'taken') throw new Error('the job is taken');
    expect(await lock.store.maySend()).toBe(true);
    await pool.query("UPDATE identity SET timeline = '000000FF'");
    // Not a job that another process has taken over: that would end with another exit code and another advice.
    await expect(lock.store.maySend()).rejects.toMatchObject({ code: 'store' });
    await expect(lock.store.beginList(list.id)).rejects.toMatchObject({});
    // What is paid for already is kept.
    await lock.store.finishReading(run.id);
    await lock.release();
    await store.close();
    await trustDatabase(address);
  });
});

describe('a database that takes no writes', () => {
  const isRefused = { code: 'store' };

  it('is told at once where nothing could be said while it is waited for', async () => {
    const readOnly = `${address}&options=-c%20default_transaction_read_only%3Don`;
    const store = await openPostgresStore(readOnly);
    await expect(store.pauseJob('job', 0)).rejects.toMatchObject(isRefused);
    await store.close();
    await expect(trustDatabase(readOnly)).rejects.toMatchObject(isRefused);
    expect((await examineServer(readOnly)).problem?.message).toContain('it takes no writes');
  });

  it('is waited for once, and looked at all the same', async () => {
    const told: (string | null)[] = [];
    const readOnly = `${address}&options=-c%20default_transaction_read_only%3Don`;
    const store = await openPostgresStore(readOnly, {
      patienceMs: 5_000,
      onTrouble: (why) => told.push(why),
    });
    await expect(store.pauseJob('job', 0)).rejects.toMatchObject(isRefused);
    await expect(store.pauseJob('job', null)).rejects.toMatchObject(isRefused);
    expect((await store.jobNow('job')).pausedAt).toBe(null);
    expect(told).toHaveLength(1);
    await store.close();
  });
});
