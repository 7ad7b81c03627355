// What is remembered of an account: its senders and what each leaves of the rate limit's window, for which asks its
// answers could be read, and the fields of its people.
import type Database from 'better-sqlite3';
import type { SchemaField, SeenSchema } from '../model/resources/schema-drift.js';
import {
  elapsedMs,
  type HeldLimit,
  holdsAnything,
  leftOf,
  type Rate,
  together,
  wholeWindow,
} from '../model/schedule/rate.js';
import type { Moment } from '../ports/clock.js';
import type { BegunSending, KnownAccount, OtherSenders } from '../ports/store/accounts.js';
import { lockFileOf, openLock, share, takeAlone } from './database/lock-file.js';
import { atomic, type Verbs } from './database/transactions.js';
import type { Reserve } from './reserve.js';

interface SenderRow {
  readonly id: number;
  readonly window_ms: number;
  readonly ended_at: number | null;
  readonly boot: string | null;
  readonly steady_ms: number | null;
  readonly slots_ms: string | null;
  readonly pause_ms: number;
}

export function prepareAccounts(db: Database.Database, path: string, reserve: Reserve) {
  return { ...prepareSending(db, path, reserve), ...prepareReadings(db), ...prepareKnown(db) };
}

function prepareKnown(db: Database.Database) {
  // Steps over the runs of each account: the index has them together.
  const next = db.prepare<[string], { account: string }>(
    `SELECT json_extract(plan, '$.account') AS account FROM runs
     WHERE json_extract(plan, '$.account') > ? ORDER BY 1 LIMIT 1`,
  );
  const newest = db.prepare<[string], Omit<KnownAccount, 'account'>>(
    `SELECT json_extract(plan, '$.address') AS address, id AS run FROM runs
     WHERE json_extract(plan, '$.account') = ? ORDER BY id DESC LIMIT 1`,
  );

  return {
    accounts: atomic(db, () => {
      const known: KnownAccount[] = [];
      for (let row = next.get(''); row !== undefined; row = next.get(row.account)) {
        const run = newest.get(row.account);
        if (run !== undefined) known.push({ ...row, ...run });
      }
      return known.sort((a, b) => b.run - a.run);
    }),
  } satisfies Partial<Verbs>;
}

function prepareReadings(db: Database.Database) {
  const readings = db.prepare<[string, string], { ask: string }>(
    'SELECT ask FROM readings WHERE account = ? AND dialect = ?',
  );
  const note = db.prepare<[string, string, string]>(
    'INSERT OR IGNORE INTO readings (account, dialect, ask) VALUES (?, ?, ?)',
  );
  const confirmed = db.prepare<[string, string], { count: number }>(
    'SELECT confirmed AS count FROM empty_answers WHERE account = ? AND dialect = ?',
  );
  const readFields = db.prepare<[string], { fields: string }>(
    'SELECT fields FROM seen_fields WHERE account = ?',
  );
  const writeFields = db.prepare<[string, number, string]>(
    'INSERT OR REPLACE INTO seen_fields (account, seen_at, fields) VALUES (?, ?, ?)',
  );

  return {
    readings: (account, dialect) => readings.all(account, dialect).map(({ ask }) => ask),
    noteReadings: atomic(db, (account, dialect, asks) => {
      for (const ask of asks) note.run(account, dialect, ask);
    }),
    confirmedEmpties: (account, dialect) => confirmed.get(account, dialect)?.count ?? 0,
    exchangePeopleSchema: atomic(db, (account, schema, at) => {
      const before = readFields.get(account);
      writeFields.run(account, at, JSON.stringify(schema));
      if (before === undefined) return null;
      const seen = JSON.parse(before.fields) as SeenSchema | SchemaField[];
      // Earlier releases kept the fields alone.
      return Array.isArray(seen) ? { version: null, fields: seen } : seen;
    }),
  } satisfies Partial<Verbs>;
}

function prepareSending(db: Database.Database, path: string, reserve: Reserve) {
  /** Locks that all senders of an account share for as long as they live: a killed sender has none. */
  const signs = new Map<number, Database.Database>();
  const { begin, end } = prepareSenders(db, reserve);

  return {
    beginSending: (account, limit, now) => {
      const sign = openLock(lockFileOf(path, 'senders', account), 0);
      try {
        const begun = begin(account, limit, now, sign);
        signs.set(begun.sender, sign);
        return begun;
      } catch (error) {
        sign.close();
        throw error;
      }
    },
    endSending: (sender, held, now) => {
      // That makes room for what is written last.
      reserve.release(sender);
      end(sender, held, now);
      signs.get(sender)?.close();
      signs.delete(sender);
    },
    close: () => {
      for (const sign of signs.values()) sign.close();
      signs.clear();
    },
  } satisfies Partial<Verbs>;
}

function prepareSenders(db: Database.Database, reserve: Reserve) {
  const insert = db.prepare<[string, number]>(
    'INSERT INTO senders (account, window_ms) VALUES (?, ?)',
  );
  const remove = db.prepare<[number]>('DELETE FROM senders WHERE id = ?');
  const leave = db.prepare<[string, number, number]>(
    'UPDATE senders SET slots_ms = ?, pause_ms = ? WHERE id = ?',
  );
  // What the sender leaves stays as it is, and counts from now on.
  const restart = db.prepare<[number, string | null, number | null, number]>(
    'UPDATE senders SET ended_at = ?, boot = ?, steady_ms = ? WHERE id = ?',
  );
  const endAt = (id: number, { at, steady }: Moment): void => {
    const ms = steady === null ? null : Math.round(steady.ms);
    restart.run(Math.round(at), steady?.boot ?? null, ms, id);
  };

  return {
    begin: atomic(
      db,
      (account: string, limit: Rate, now: Moment, sign: Database.Database): BegunSending => {
        // The state file is this process's for the moment: no other sender begins or ends meanwhile.
        const isAlone = takeAlone(sign);
        if (isAlone) sign.exec('COMMIT');
        share(sign);
        const others = sendersOf(db, account);
        for (const row of others) {
          const wasKilled = row.ended_at === null && isAlone;
          if (wasKilled) reserve.release(row.id);
          if (isOver(row, limit, now)) remove.run(row.id);
          else if (wasKilled || elapsedOf(row, now) === null) endAt(row.id, now);
        }
        const sender = Number(insert.run(account, windowOf(limit)).lastInsertRowid);
        reserve.hold(sender);
        return { sender, ...whatTheyHold(others, limit, now) };
      },
    ),
    end: atomic(db, (sender: number, held: HeldLimit, now: Moment): void => {
      if (!holdsAnything(held)) {
        remove.run(sender);
        return;
      }
      endAt(sender, now);
      leave.run(JSON.stringify(held.slotsMs), Math.ceil(held.pauseMs), sender);
    }),
  };
}

/** What the past and present senders of the account hold; changes nothing. */
export function lookAtSenders(
  db: Database.Database,
  account: string,
  limit: Rate,
  now: Moment,
): OtherSenders {
  return whatTheyHold(sendersOf(db, account), limit, now);
}

function sendersOf(db: Database.Database, account: string): SenderRow[] {
  return db.prepare<[string], SenderRow>('SELECT * FROM senders WHERE account = ?').all(account);
}

function whatTheyHold(rows: readonly SenderRow[], limit: Rate, now: Moment): OtherSenders {
  return {
    held: together(rows.map((row) => heldBy(row, limit, now))),
    isSending: rows.some((row) => row.ended_at === null),
  };
}

function heldBy(row: SenderRow, limit: Rate, now: Moment): HeldLimit {
  const elapsed = elapsedOf(row, now) ?? 0;
  if (row.slots_ms === null) return wholeWindow(limit, windowOf(limit, row) - elapsed);
  const slotsMs = JSON.parse(row.slots_ms) as number[];
  return leftOf({ slotsMs, pauseMs: row.pause_ms }, elapsed);
}

/** Whether the sender holds nothing any more, under any limit. */
function isOver(row: SenderRow, limit: Rate, now: Moment): boolean {
  const elapsed = elapsedOf(row, now);
  if (row.ended_at === null || elapsed === null) return false;
  if (row.slots_ms === null) return elapsed >= windowOf(limit, row);
  return !holdsAnything(heldBy(row, limit, now));
}

/** Null where that is unknown; 0 for a sender that has not ended. */
function elapsedOf({ boot, ended_at, steady_ms }: SenderRow, now: Moment): number | null {
  if (ended_at === null) return 0;
  const steady = boot === null || steady_ms === null ? null : { boot, ms: steady_ms };
  return elapsedMs({ at: ended_at, steady }, now);
}

/** The longer window, where a sender kept to another limit. */
function windowOf(limit: Rate, row?: SenderRow): number {
  return Math.max(row?.window_ms ?? 0, limit === 'off' ? 0 : limit.perMs);
}
