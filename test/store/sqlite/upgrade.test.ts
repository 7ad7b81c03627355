// A state file of an earlier release is opened by this one: whatever is in it is still there.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { STATES } from '../../../src/model/enrichment/arrows.js';
import { MIGRATIONS } from '../../../src/store/sqlite/database/migrations.js';
import { openDatabase } from '../../../src/store/sqlite/database/open-database.js';
import { addTicketDigest } from '../../../src/store/sqlite/database/ticket-digest.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { runPlan } from '../../helpers/leads.js';
import { miscounts } from '../../helpers/miscounts.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const RUN_STATES = ['finished', 'replaced', 'working', 'reading'];
const TABLES = ['runs', 'holders', 'enrichments', 'results', 'leads', 'rejects'];
/** Longer than any test may take; a pause lasts no longer. */
const HELD_MS = 3_600_000;
const SETTLED = new Set<string>(['found', 'not_found', 'failed', 'timed_out']);

/** A state file as schema 1 left it: something in every table and every state. */
function writeSchema1(path: string): void {
  const db = new Database(path);
  for (const step of MIGRATIONS.slice(0, 1)) db.exec(step);
  db.pragma('application_id = 0x536c7569');
  db.pragma('user_version = 1');
  const plan = JSON.stringify(runPlan());
  for (const state of RUN_STATES) {
    db.prepare(
      `INSERT INTO runs (job, state, plan, columns, lead_count, reject_count, started_at, ended_at)
       VALUES ('nightly', ?, ?, '[]', 9, 1, 5, 6)`,
    ).run(state, plan);
  }
  db.exec(`INSERT INTO holders VALUES ('nightly', 4711, 'here', 5);
           INSERT INTO sending VALUES ('acc', 0, '[7, ${Date.now() + HELD_MS}]'), ('killed', 1, '[]'), ('none', 0, '[]')`);
  const enrichment = db.prepare(
    `INSERT INTO enrichments (fingerprint, run_id, paid_by, state, ask, inputs, ticket, reason, credits,
       submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at)
     VALUES (randomblob(16), 3, ?, ?, 'find_email', '{"firstName":"ada"}', 'enr_1', 'why', 5, ?, 1, 2, 1, 1, ?)`,
  );
  const lead = db.prepare(`INSERT INTO leads VALUES (3, ?, 0, ?, '["ada"]', null, ?, 1)`);
  const inEachState = STATES.map((state) => ({ state, sentAt: 1 as number | null }));
  for (const { state, sentAt } of [...inEachState, { state: 'queued', sentAt: null }]) {
    const settledAt = SETTLED.has(state) ? 1 : null;
    const paidBy = sentAt === null ? null : 3;
    const { lastInsertRowid: id } = enrichment.run(paidBy, state, sentAt, settledAt);
    lead.run(id, id, id);
    if (state === 'found') db.prepare(`INSERT INTO results VALUES (?, '{}')`).run(id);
  }
  db.exec(`INSERT INTO leads VALUES (4, 1, 0, 2, '["bob"]', 'no name', null, 0);
           INSERT INTO rejects VALUES (1, 3, 0, 9, 'unclosed_quote', '"x')`);
  db.close();
}

function readTables(db: Database.Database): Record<string, unknown[]> {
  return Object.fromEntries(
    TABLES.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()]),
  );
}

describe('a state file of schema 1', () => {
  const path = join(tempFolder(), 'old.db');
  let db: Database.Database;
  let before: Record<string, unknown[]>;

  beforeAll(() => {
    writeSchema1(path);
    const old = new Database(path, { readonly: true });
    before = readTables(old);
    old.close();
    db = openDatabase(path);
    return () => db.close();
  });

  it('keeps every row, and every reference between them', () => {
    const { enrichments = [], leads = [], ...others } = before;
    type Old = { readonly credits: number; readonly state: string };
    const now = (enrichments as Old[]).map(({ credits, ...enrichment }) => ({
      ...enrichment,
      thousandths: credits * 1000,
      ask: 'e',
      inputs: '["ada",null,null,null,null,null]',
      ...(['found', 'not_found', 'failed'].includes(enrichment.state) ? { deadline_at: null } : {}),
    }));
    const withoutCells = (leads as { cells: string }[]).map(({ cells: _own, ...lead }) => lead);
    expect(readTables(db)).toMatchObject({ ...others, leads: withoutCells, enrichments: now });
    expect(Object.values(before).every((rows) => rows.length > 0)).toBe(true);
    expect(db.pragma('foreign_key_check')).toEqual([]);
    expect(db.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length);
  });

  it('shows the same cells, and sends the same inputs', async () => {
    const store = openSqliteStore(path);
    const answers = [...(await store.answers(3, 0, 99)), ...(await store.answers(4, 0, 99))];
    expect(answers.map(({ cells }) => cells)).toEqual([
      ...[...STATES, 'queued'].map(() => ['ada']),
      ['bob'],
    ]);
    expect(answers.map(({ inputs }) => inputs)).toEqual([
      ...[...STATES, 'queued'].map(() => ({ firstName: 'ada' })),
      {},
    ]);
    await store.close();
  });

  it('shows the same credits', async () => {
    const store = openSqliteStore(path);
    const credits = (await store.answers(3, 0, 99)).map((answer) => answer.credits);
    expect(credits).toEqual([...STATES.map(() => 5), 0]);
    expect(await store.tally(3)).toMatchObject({ credits: 5 * STATES.length });
    expect(miscounts(path)).toEqual([]);
    expect(await store.commitment(3)).toMatchObject({ spent: 5 * (STATES.length + 1) });
    await store.close();
  });

  it('knows of no mapping, no run that was pruned, no job that is paused, and no file that is done', () => {
    const runs = db.prepare('SELECT DISTINCT mapping, pruned_at FROM runs').all();
    expect(runs).toEqual([{ mapping: '[]', pruned_at: null }]);
    expect(db.prepare('SELECT * FROM pauses').all()).toEqual([]);
    expect(db.prepare('SELECT * FROM done_files').all()).toEqual([]);
  });

  it('holds what its senders left of the limit, and a whole window after one that was killed', async () => {
    const store = openSqliteStore(path);
    const limit = { requests: 2, perMs: 1_000 };
    const now = { at: Date.now(), steady: null };
    const first = async (account: string) => {
      const sender = await store.joinLimit(account, limit, now);
      const request = {
        seq: 1,
        seen: 0,
        limit,
        keeps: 0,
        returnedMs: [],
        wants: 2,
        pauseMs: 0,
        trial: null,
      };
      return store.exchangeSlots(sender, request, now);
    };
    const granted = await first('acc');
    expect(granted).toMatchObject({ slots: 2, pauseMs: 0 });
    expect(granted?.takenMs).toHaveLength(1);
    expect(granted?.takenMs[0]).toBeGreaterThan(0);
    expect(granted?.takenMs[0]).toBeLessThanOrEqual(HELD_MS);
    // Which slots are taken is unknown: none is used for a window.
    const { pauseMs = 0 } = (await first('killed')) ?? {};
    expect(pauseMs).toBeGreaterThan(0);
    expect(await first('none')).toMatchObject({ slots: 2, takenMs: [], pauseMs: 0 });
    await store.close();
  });

  it('has counted nothing over time of its runs, and does not begin to in their middle', async () => {
    const store = openSqliteStore(path);
    const { id: after } = await store.startRun(runPlan({ job: 'weekly' }), 5);
    expect(await store.series(after)).toMatchObject({ buckets: [] });
    await store.noteRequests(3, { seconds: [], http: [1] });
    expect(await store.series(3)).toBeNull();
    await store.close();
  });

  it('has sent once whatever was sent, and never what was not', () => {
    const sends = db.prepare('SELECT state, send_count FROM enrichments ORDER BY id').raw().all();
    expect(sends).toEqual([...STATES.map((state) => [state, 1]), ['queued', 0]]);
  });

  it('still refuses what must not be: wrong arrows, and leads of no run', () => {
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
    expect(() =>
      db.exec(`UPDATE enrichments SET state = 'queued', settled_at = NULL WHERE state = 'found'`),
    ).toThrow(/cannot move along this arrow/);
    expect(() => db.exec(`INSERT INTO leads VALUES (99, 1, 0, 1, null, null, 0, 0)`)).toThrow(
      /FOREIGN KEY/,
    );
  });

  it('goes on where it was: its run can be cancelled, its late ticket is taken', async () => {
    const store = openSqliteStore(path);
    expect(await store.cancelRun(4, 10)).toBe(true);
    expect(await store.findOpenRun('nightly')).toMatchObject({ id: 3, leadCount: 9 });
    const id = STATES.indexOf('submitting') + 1;
    const record = { id, send: 1, at: 10, kind: 'accepted', ticket: 'enr_2' } as const;
    expect(await store.recordSubmits([{ ...record, pollAt: 11, deadlineAt: 12 }])).toEqual([id]);
    expect(miscounts(path)).toEqual([]);
    await store.close();
  });
});

describe('a state file of schema 2', () => {
  const path = join(tempFolder(), 'old.db');

  it('keeps its runs, takes a contact list for each, and no second one', async () => {
    const old = new Database(path);
    for (const step of MIGRATIONS.slice(0, 2)) old.exec(step);
    old.pragma('application_id = 0x536c7569');
    old.pragma('user_version = 2');
    old
      .prepare(
        `INSERT INTO runs (job, state, plan, started_at) VALUES ('nightly', 'working', ?, 5)`,
      )
      .run(JSON.stringify(runPlan()));
    old.close();

    const store = openSqliteStore(path);
    expect(await store.findOpenRun('nightly')).toMatchObject({ id: 1, job: 'nightly' });
    expect(await store.findList(1)).toBeNull();
    expect(await store.wantList(1, 'Warm')).toMatchObject({ runId: 1, state: 'wanted' });
    const none = { version: null, fields: [] };
    expect(await store.exchangePeopleSchema('acc', none, 6)).toBeNull();
    const fields = [{ name: 'title', type: 'string' }];
    const before = new Database(path);
    before.prepare('UPDATE seen_fields SET fields = ?').run(JSON.stringify(fields));
    before.close();
    expect(await store.exchangePeopleSchema('acc', none, 7)).toEqual({ version: null, fields });
    await store.close();

    const db = openDatabase(path);
    expect(db.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length);
    const insert = (values: string) => () =>
      db.exec(`INSERT INTO lists (run_id, name, state, list_id, reason) VALUES (${values})`);
    expect(insert(`1, 'Warm', 'wanted', NULL, NULL`)).toThrow(/UNIQUE/);
    expect(insert(`9, 'Warm', 'wanted', NULL, NULL`)).toThrow(/FOREIGN KEY/);
    expect(insert(`NULL, 'Warm', 'created', NULL, NULL`)).toThrow(/CHECK/);
    expect(insert(`NULL, 'Warm', 'wanted', 'clt_1', NULL`)).toThrow(/CHECK/);
    expect(insert(`NULL, 'Warm', 'uncertain', NULL, NULL`)).toThrow(/CHECK/);
    expect(insert(`NULL, 'Warm', 'lost', NULL, NULL`)).toThrow(/CHECK/);
    db.close();
  });
});

describe('answers whose place was taken under schema 6', () => {
  const path = join(tempFolder(), 'taken.db');

  beforeAll(() => {
    const db = new Database(path);
    for (const step of MIGRATIONS.slice(0, 6)) db.exec(step);
    db.pragma('application_id = 0x536c7569');
    db.pragma('user_version = 6');
    const insert = db.prepare(
      `INSERT INTO enrichments (fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason,
         submitted_at, settled_at)
       VALUES (?, ?, 1, 1, ?, 'find_email', '{"firstName":"ada"}', ?, 'why', 1, ?)`,
    );
    const plan = JSON.stringify(runPlan());
    db.prepare(
      `INSERT INTO runs (job, state, plan, started_at) VALUES ('nightly', 'working', ?, 1)`,
    ).run(plan);
    const [asked, failed] = [Buffer.from('asked'), Buffer.from('failed')];
    insert.run(asked, 0, 'not_found', 'enr_1', 1);
    insert.run(asked, 0, 'found', 'enr_2', 2);
    insert.run(asked, 1, 'queued', null, null);
    insert.run(failed, 0, 'failed', 'enr_4', 4);
    insert.run(failed, 1, 'queued', null, null);
    for (const [i, id] of [3, 5].entries()) {
      db.prepare(`INSERT INTO leads VALUES (1, ?, 0, ?, '["ada"]', null, ?, 1)`).run(
        i + 1,
        i + 2,
        id,
      );
    }
    db.exec(`INSERT INTO results VALUES (2, '{"find_email":{"email":"a@b.c"}}')`);
    db.close();
  });

  it('stand again, and count, as long as what took it was never sent', async () => {
    const store = openSqliteStore(path);
    expect(await store.answers(1, 0, 9)).toMatchObject([
      {
        status: 'found',
        source: 'cache',
        enrichedAt: 2,
        result: { find_email: { email: 'a@b.c' } },
      },
      { status: 'queued' },
    ]);
    const known = ['asked', 'failed'].map((text) => ({ fingerprint: Buffer.from(text) }));
    expect(await store.peek(known, 2)).toEqual(['fresh', 'fresh']);
    expect(await store.peek(known, 5)).toEqual(['new', 'new']);
    await store.close();
  });
});

it('keeps of the deliveries of schema 15 the bodies that are still needed, and knows the others again', async () => {
  const path = join(tempFolder(), 'delivered.db');
  const old = new Database(path);
  for (const step of MIGRATIONS.slice(0, 15)) old.exec(step);
  old.pragma('application_id = 0x536c7569');
  old.pragma('user_version = 15');
  const insert = old.prepare(
    `INSERT INTO deliveries (scope, enrichment_id, received_at, body, digest, times)
     VALUES ('acc', ?, ?, ?, ?, 2)`,
  );
  const outcomes = [[1, 0, 0], [2, 0, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0], undefined];
  const now = 1_700_000_000_000;
  for (const [i, outcome] of outcomes.entries()) {
    const body = `{"n":${i}}`;
    const digest = createHash('sha256').update(`acc ${i} null\n${body}`).digest().readUIntBE(0, 6);
    const { lastInsertRowid: id } = insert.run(i, now, body, digest);
    if (outcome === undefined || i === 3) {
      old.prepare(`INSERT INTO pending_deliveries VALUES ('acc', ?)`).run(id);
    }
    if (outcome === undefined) continue;
    old.prepare('INSERT INTO handled_deliveries VALUES (?, 9, ?, ?, ?)').run(id, ...outcome);
  }
  old.exec(`INSERT INTO unread_deliveries VALUES (5); INSERT INTO unknown_tickets VALUES ('t', 2)`);
  old.close();

  const store = openSqliteStore(path);
  expect(await store.listDeliveries(9)).toMatchObject([
    { id: 6, handledAt: null, settled: null, bytes: 7, times: 2 },
    { id: 5, handledAt: 9, settled: 1, bytes: 7, times: 2 },
    { id: 4, handledAt: null, bytes: 7, times: 2 },
    { id: 3, handledAt: 9, settled: 0, unchanged: 1, unknown: 0, bytes: 7 },
    { id: 2, handledAt: 9, settled: 2, unchanged: 0, unknown: 1, bytes: 7 },
    { id: 1, handledAt: 9, settled: 1, unchanged: 0, unknown: 0, bytes: null, times: 2 },
  ]);
  const again = { scope: 'acc', enrichmentId: 2, callId: null, receivedAt: now + 1 };
  const bodies = [`{"n":2}`, `{"n":9}`].map((body) => ({ ...again, body }));
  expect(await store.keepArrivals(bodies)).toMatchObject({ repeated: 1, kept: 1 });
  expect(await store.replayDeliveries('acc')).toMatchObject({ withoutBody: 1 });
  await store.close();
});

it('knows of a state file of schema 15 the longest fresh-for of any run, and how fast it grew', async () => {
  const path = join(tempFolder(), 'told.db');
  const old = new Database(path);
  for (const step of MIGRATIONS.slice(0, 15)) old.exec(step);
  old.pragma('application_id = 0x536c7569');
  old.pragma('user_version = 15');
  const insert = old.prepare(
    `INSERT INTO runs (job, state, plan, started_at) VALUES (?, 'cancelled', ?, 1)`,
  );
  for (const freshForMs of [7, 90, 30]) {
    insert.run('nightly', JSON.stringify(runPlan({ freshForMs })));
  }
  insert.run('weekly', JSON.stringify(runPlan({ freshForMs: 60 })));
  old.close();
  const store = openSqliteStore(path);
  expect(await store.longestFreshFor()).toEqual({ kind: 'known', freshForMs: 90, job: 'nightly' });
  // It has grown since its first run, at 1.
  const { bytes, unusedBytes, bytesADay } = await store.size(1 + 2 * 86_400_000);
  expect(bytesADay).toBe((bytes - unusedBytes) / 2);
  await store.close();
});

it('takes what second looks had shown under schema 28 for what those after early looks have', async () => {
  const path = join(tempFolder(), 'looked.db');
  const old = new Database(path);
  addTicketDigest(old);
  for (const step of MIGRATIONS.slice(0, 28)) old.exec(step);
  old.pragma('application_id = 0x536c7569');
  old.pragma('user_version = 28');
  old.exec(`INSERT INTO empty_answers VALUES ('acc', 'd1', 60), ('acc', 'd2', 7)`);
  old.close();
  const store = openSqliteStore(path);
  const [first, second] = [await store.trusts('acc', 'd1'), await store.trusts('acc', 'd2')];
  expect([first.early.confirmed, second.early.confirmed]).toEqual([60, 7]);
  expect(first.early.id).not.toBe(second.early.id);
  expect(first.late).toEqual({ id: 0, confirmed: 0 });
  await store.close();
});
