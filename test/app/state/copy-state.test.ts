// A state that is taken to another place: whole, checked, and never used in two places.

import { copyFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { copyState } from '../../../src/app/state/copy-state.js';
import type { Result } from '../../../src/model/result.js';
import { identifiersOf } from '../../../src/model/suppression.js';
import type { JsonValue } from '../../../src/model/text/json.js';
import type { StateArchive, StateContents } from '../../../src/ports/store/archive.js';
import type { Store } from '../../../src/ports/store/store.js';
import { openArchive, openStore } from '../../../src/store/open-store.js';
import { ARCHIVE_TABLES, LIMITS } from '../../../src/store/tables.js';
import { accepted, found, T0, TIMES } from '../../contract/store-bench.js';
import { fillState } from '../../helpers/full-state.js';
import { asked, COLUMNS, knownBy, runPlan } from '../../helpers/leads.js';
import { inBrief, isLong } from '../../helpers/long.js';
import { miscounts } from '../../helpers/miscounts.js';
import { type TestState, testState } from '../../helpers/postgres.js';
import { columnsOf } from '../../helpers/state.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { startListener } from '../../webhook/start-listener.js';

const folder = tempFolder();
let count = 0;
const newPath = (): string => join(folder, `state-${(count += 1)}.db`);
let database: TestState;
beforeAll(async () => {
  database = await testState();
});

/** A state file with something of everything. */
async function fullState(): Promise<string> {
  const path = newPath();
  await using(path, fillState);
  return path;
}

async function using<R>(state: string, work: (store: Store) => Promise<R>): Promise<R> {
  const store = await openStore(state);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function between<R>(
  from: string,
  to: string,
  work: (source: StateArchive, target: StateArchive) => Promise<R>,
): Promise<R> {
  const source = await openArchive(from, 'source');
  try {
    const target = await openArchive(to, 'target');
    try {
      return await work(source, target);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

const copy = (from: string, to: string) => between(from, to, (...both) => copyState(...both));

/** As a program that uses the state sees it. */
const seen = (state: string) =>
  using(state, async (store) => {
    const runs = await store.listRuns(10);
    const ofRuns = await Promise.all(
      runs.map(async ({ id }) => ({
        tally: await store.tally(id),
        answers: await store.answers(id, { after: 0, limit: 100 }),
        rejects: (await store.rejects(id, 0, 100)).map(({ raw, ...reject }) => ({
          ...reject,
          raw: raw.replaceAll('\0', '\u{fffd}'),
        })),
        series: await store.series(id),
        list: await store.findList(id),
        history: await store.lineHistory(id, 0, 2),
      })),
    );
    return {
      runs,
      ofRuns,
      key: Buffer.from(await store.signingKey()).toString('hex'),
      sends: await store.countSends('acc', { from: 0, until: T0 * 2 }),
      charged: await store.paidCharges('acc', { from: 0, until: T0 * 2 }, null, 20),
      deliveries: await store.listDeliveries(20),
      refused: await store.refusedDeliveries(),
      pending: await store.pendingDeliveries('acc', 20),
      events: await store.events({}, { after: 0, limit: 20 }),
      hashed: await store.hashedFiles('hourly'),
      done: await store.doneFiles('hourly', 't1', ['d1']),
      paused: (await store.jobNow('open')).pausedAt,
      readings: await store.readings('acc', 'd'),
      fresh: await store.longestFreshFor(),
      accounts: await store.accounts(),
      suppressions: await store.suppressions(0, 10),
      suppressed: await store.suppressionsOf(
        ['ADA@example.com', 'x@suppressed.example', 'x@example.com'].map((email) =>
          identifiersOf({ email }),
        ),
      ),
    };
  });

describe('what a copy takes along', () => {
  const LEFT = {
    file: ['holders', 'identity', 'pruning', 'sizes'],
    // Of a state file alone, which may be moved with the files beside it: made anew for each place.
    columns: ['read_files.from_state', 'written_files.from_state'],
    database: ['commits', 'identity', 'leases', 'pruning', 'sizes'],
  };

  it('is every table and column of both stores that says something of the state', async () => {
    const path = await fullState();
    const tables = Object.keys(await columnsOf(path));
    const copied = [...ARCHIVE_TABLES, LIMITS].map(({ name }) => name);
    expect(tables.sort()).toEqual([...copied, ...LEFT.file].sort());
    const there = await columnsOf(database.pool);
    expect(Object.keys(there).sort()).toEqual([...copied, ...LEFT.database].sort());
    for (const { columns, name } of ARCHIVE_TABLES) {
      const found = there[name]?.filter((column) => !LEFT.columns.includes(`${name}.${column}`));
      expect({ name, columns: found?.sort() }).toEqual({
        name,
        columns: Object.keys(columns).sort(),
      });
    }
  });

  it('is there again on the way to a database and back', async () => {
    await database.empty();
    const [first, last] = [await fullState(), newPath()];
    const before = await seen(first);
    const there = await copy(first, database.address);
    expect(there.tables.filter(({ rows }) => rows === 0)).toEqual([]);
    expect(there.rows).toBe(there.tables.reduce((sum, { rows }) => sum + rows, 0));
    const back = await copy(database.address, last);
    expect(back).toEqual(there);
    expect(await seen(last)).toEqual(before);
    expect(miscounts(last)).toEqual([]);
  });

  it('is there again where a database came first', async () => {
    await database.empty();
    await using(database.address, fillState);
    const before = await seen(database.address);
    const [there, again] = [newPath(), newPath()];
    const report = await copy(database.address, there);
    expect(report.tables.filter(({ rows }) => rows === 0)).toEqual([]);
    expect(await seen(there)).toEqual(before);
    expect(miscounts(there)).toEqual([]);
    expect((await copy(there, again)).tables).toEqual(report.tables);
  });

  it('has the limit along, which is kept to over both', async () => {
    await database.empty();
    const [first, last] = [newPath(), newPath()];
    const rate = [{ requests: 2, perMs: 86_400_000 }];
    const word = { endedAgoMs: [], keeps: 0, cleared: [] };
    const asks = { ...word, seq: 1, rate, wants: 2, waits: [], aheadMs: 86_400_000 };
    const at = Date.now();
    await using(first, async (store) => {
      await store.startRun(runPlan(), T0);
      const sender = await store.joinLimit('acc', rate, { at, steady: null });
      const now = { at, steady: { boot: 'b', ms: 7 } };
      expect(await store.askLimit(sender, asks, now)).toMatchObject({ startsInMs: [0, 0] });
      await store.leaveLimit(sender, { ...word, endedAgoMs: [6_400_000] }, now);
    });
    await copy(first, database.address);
    await copy(database.address, last);
    await using(last, async (store) => {
      const now = { at: Date.now(), steady: null };
      const sender = await store.joinLimit('acc', rate, now);
      const granted = await store.askLimit(sender, asks, now);
      const [, laterMs = 0] = granted?.startsInMs ?? [];
      const left = 80_000_000 - (now.at - at);
      expect(laterMs).toBeGreaterThanOrEqual(left);
      // A long window counts by the quarter of an hour.
      expect(laterMs).toBeLessThan(left + 910_000);
    });
  });

  it('is used there as it was here: nothing is paid for twice, and no number is given twice', async () => {
    const [first, last] = [await fullState(), newPath()];
    const newest = (await using(first, (store) => store.listRuns(1)))[0]?.id ?? 0;
    await copy(first, last);
    await using(last, async (store) => {
      const run = await store.startRun(runPlan({ job: 'later' }), T0 + 9_000);
      expect(run.id).toBe(newest + 1);
      const leads = [asked(1, 'nightly found'), asked(2, 'nightly unread'), asked(3, 'new')];
      const counted = await store.ingest(run.id, { columns: COLUMNS, leads, rejects: [] }, TIMES);
      expect(counted).toMatchObject({ cached: 1, awaiting: 1, queued: 1 });
      const known = [knownBy('hourly not_found')];
      expect(await store.peek('acc', known, T0 - 1)).toMatchObject([{ state: 'fresh' }]);
    });
    expect(miscounts(last)).toEqual([]);
  });
});

const oddText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('\0', '\ud800x', '\\N', '{"a":', "'; --", '\\u0000', 'NULL', '{}', ''),
  fc.nat(200_000).map((length) => '🦊"'.repeat(length / 2)),
);
const oddValue = fc.oneof(
  oddText,
  fc.jsonValue({ maxDepth: 2 }).map((value) => value as JsonValue),
  fc.constant<JsonValue>({ b: 1, a: { 10: null, 9: [] } }),
);

it.runIf(isLong)('takes along whatever texts and values there are', async () => {
  const noted = fc.array(fc.record({ raw: oddText, cells: fc.array(oddValue), found: oddValue }), {
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(noted, async (notes) => {
      await database.empty();
      const [first, last] = [newPath(), newPath()];
      await using(first, async (store) => {
        const run = await store.startRun(runPlan(), T0);
        const leads = notes.map(({ cells }, i) => ({ ...asked(i + 1, `who ${i}`), cells }));
        const rejects = notes.map(({ raw }, i) => ({ source: 0, line: i + 1, reason: 'odd', raw }));
        await store.ingest(run.id, { columns: COLUMNS, leads, rejects }, TIMES);
        const sent = (await store.claim(run.id, notes.length, T0)).claimed;
        await store.recordSubmits(sent.map((one) => accepted(one)));
        const result = (i: number) => ({ find_email: notes[i]?.found }) as unknown as Result;
        await store.settle(sent.map(({ id }, i) => ({ ...found(id), result: result(i) })));
      });
      const before = await seen(first);
      await copy(first, database.address);
      await copy(database.address, last);
      expect(await seen(last)).toEqual(before);
    }),
    { numRuns: 12 },
  );
});

/** The archive fails at its nth transaction: in the middle of its work, or when that is done. */
const failing = (archive: StateArchive, n: number, where: 'in the middle' | 'at its end') => {
  let calls = 0;
  const fails: StateArchive['alone'] = (work) =>
    archive.alone(async (contents) => {
      if ((calls += 1) !== n) return work(contents);
      let writes = 0;
      const write: StateContents['write'] = async (...args) => {
        if (where === 'in the middle' && (writes += 1) === 5) throw new Error('cut off');
        await contents.write(...args);
      };
      await work({ ...contents, write });
      throw new Error('cut off');
    });
  return { ...archive, alone: fails };
};

describe('a copy that is cut off', () => {
  /** The state, a place, and what a copy has done by then. */
  const cutCopy = async (n: number, where: 'in the middle' | 'at its end') => {
    const [from, to] = [await fullState(), newPath()];
    const plain = newPath();
    copyFileSync(from, plain);
    const cut = between(from, to, (one, other) => copyState(one, failing(other, n, where)));
    await expect(cut).rejects.toThrow('cut off');
    return { from, to, plain };
  };

  it.each([
    [1, 'at its end'],
    [2, 'in the middle'],
  ] as const)('has done nothing (%i, %s), and is made anew', async (n, where) => {
    const { from, plain, to } = await cutCopy(n, where);
    expect(await seen(from)).toEqual(await seen(plain));
    await using(from, (store) => store.pauseJob('later', T0));
    if (n === 2) {
      await expect(openStore(to)).rejects.toThrow('half a copy of');
      await expect(copy(plain, to)).rejects.toThrow('half a copy of');
    }
    await copy(from, to);
    await using(to, async (store) => expect((await store.jobNow('later')).pausedAt).toBe(T0));
    expect(miscounts(to)).toEqual([]);
  });

  it('between the ends of both leaves neither in use, until it is made anew', async () => {
    const { from, plain, to } = await cutCopy(2, 'at its end');
    await using(from, (store) => expect(store.pauseJob('a', T0)).rejects.toThrow('was moved to'));
    await expect(openStore(to)).rejects.toThrow('half a copy of');
    await expect(copy(from, newPath())).rejects.toThrow(`was moved to ${to} already`);
    const { tables } = await copy(from, to);
    expect(tables).toEqual((await copy(plain, newPath())).tables);
    expect(miscounts(to)).toEqual([]);
  });
});

describe.each(inBrief(['a file'], ['a database']))('one state in one place: %s', (kind) => {
  let from = '';
  beforeEach(async () => {
    from = newPath();
    if (kind === 'a database') {
      await database.empty();
      from = database.address;
    }
    await using(from, async (store) => {
      const run = await store.startRun(runPlan(), T0);
      await store.pauseJob('nightly', T0);
      await store.finishReading(run.id);
    });
  });

  const holder = { pid: process.pid, host: hostname(), since: T0 };
  const delivery = { scope: 'acc', enrichmentId: null, callId: null, receivedAt: T0, body: '{}' };

  it('is not copied while a process works on a job, and is used as before', async () => {
    const to = newPath();
    // A lock ends with its process, and a lease after a while.
    const wait = kind === 'a file' ? '' : ', or in \\d+ s where it was killed';
    await using(from, async (store) => {
      const lock = await store.lockJob('nightly', holder);
      await expect(copy(from, to)).rejects.toMatchObject({
        code: 'busy',
        message: expect.stringMatching(`on the job nightly .* when that has ended${wait}\\.$`),
      });
      if (lock.kind === 'taken') await lock.release();
      expect(await store.keepArrivals([delivery])).toMatchObject({ kept: 1 });
    });
    expect((await copy(from, to)).rows).toBeGreaterThan(0);
  });

  it('is not copied while a process sends without a job', async () => {
    const to = newPath();
    const rate = [{ requests: 2, perMs: 1_000 }];
    await using(from, async (store) => {
      const now = { at: Date.now(), steady: null };
      const sender = await store.joinLimit('acc', rate, now);
      await expect(copy(from, to)).rejects.toMatchObject({
        code: 'busy',
        message: expect.stringMatching(
          /^A process sends requests, by the rate limit .* has ended, or in \d+ s where it was killed\.$/,
        ) as string,
      });
      await store.leaveLimit(sender, { endedAgoMs: [500], keeps: 0, cleared: [] }, now);
    });
    expect((await copy(from, to)).rows).toBeGreaterThan(0);
  });

  it('sends and receives nothing once it was moved, also where it was opened before', async () => {
    const to = newPath();
    await using(from, async (before) => {
      const listener = await startListener({
        keep: async (arrivals) => void (await before.keepArrivals(arrivals)),
      });
      expect((await listener.post('{"n":1}')).status).toBe(200);
      await copy(from, to);
      expect((await listener.post('{"n":2}')).status).toBe(503);
      await expect(before.checkWriting()).rejects.toThrow('was moved to');
      await using(from, async (after) => {
        for (const store of [before, after]) {
          const moved = { code: 'store', facts: { moved_to: to } };
          await expect(store.lockJob('nightly', holder)).rejects.toMatchObject(moved);
          await expect(store.keepArrivals([delivery])).rejects.toMatchObject(moved);
          const old = { at: T0, before: T0, freshSince: T0 };
          await expect(store.prune(old, true)).rejects.toMatchObject(moved);
          expect(await store.listRuns(1)).toHaveLength(1);
        }
        expect(after.movedTo).toBe(to);
        await expect(after.pauseJob('nightly', null)).rejects.toThrow(`was moved to ${to}`);
        const written = { role: 'table', job: 'nightly', run: 1 } as const;
        await after.noteWritten('/o.csv', { ...written, looks: [] });
        expect((await after.knownFiles()).written).toEqual([]);
      });
    });
    await using(to, async (store) => {
      expect(store.movedTo).toBe(null);
      expect((await store.jobNow('nightly')).pausedAt).toBe(T0);
    });
    await expect(copy(from, newPath())).rejects.toThrow(`was moved to ${to} already`);
    await expect(copy(from, to)).rejects.toThrow(`was moved to ${to} already`);
  });

  it('is never mixed with another one, nor copied to itself', async () => {
    const other = newPath();
    await using(other, (store) => store.pauseJob('other', T0));
    await expect(copy(from, other)).rejects.toThrow('is a state already (it has pauses)');
    await expect(copy(from, from)).rejects.toThrow('to itself');
    await using(from, async (store) => expect(store.movedTo).toBe(null));
  });

  it('is not given to a target that keeps something else', async () => {
    const to = newPath();
    const changed = between(from, to, (source, target) =>
      copyState(source, {
        ...target,
        alone: (work) =>
          target.alone((contents) =>
            work({
              ...contents,
              write: (table, rows) =>
                contents.write(
                  table,
                  table.name === 'pauses' ? rows.map((row) => ({ ...row, since: 1 })) : rows,
                ),
            }),
          ),
      }),
    );
    await expect(changed).rejects.toThrow('a row of pauses differs');
    await expect(openStore(to)).rejects.toThrow('is half a copy of');
    await copy(from, to);
    await using(to, async (store) => expect((await store.jobNow('nightly')).pausedAt).toBe(T0));
  });
});
