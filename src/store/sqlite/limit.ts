// Who sends for an account, and what each holds of its rate limit: one value for each account.
import { randomBytes } from 'node:crypto';
import type Database from 'better-sqlite3';
import {
  dealSlots,
  heldBySenders,
  joinSenders,
  leaveSenders,
  type SlotRequest,
} from '../../model/schedule/limit-shares.js';
import type { LastWord, LimitState, Speaker } from '../../model/schedule/limit-state.js';
import type { Rate } from '../../model/schedule/rate.js';
import type { Moment } from '../../ports/clock.js';
import type { LimitSender, OtherSenders } from '../../ports/store/accounts.js';
import { lockFileOf, openLock, share, takeAlone } from './database/lock-file.js';
import { atomic, type Verbs } from './database/transactions.js';
import type { Reserve } from './reserve.js';

export function prepareLimit(db: Database.Database, path: string, reserve: Reserve) {
  /** Locks that all senders of an account share for as long as they live: a killed sender has none. */
  const signs = new Map<string, Database.Database>();
  const { exchange, join, leave } = prepareSenders(db, reserve);

  return {
    joinLimit: (account, limit, now) => {
      const sign = openLock(lockFileOf(path, 'senders', account), 0);
      try {
        const sender = { account, id: randomBytes(6).toString('hex') };
        join(sender, limit, now, sign);
        signs.set(sender.id, sign);
        return sender;
      } catch (error) {
        sign.close();
        throw error;
      }
    },
    exchangeSlots: exchange,
    leaveLimit: (sender, last, now) => {
      // That makes room for what is written last.
      reserve.release(sender.id);
      leave(sender, last, now);
      signs.get(sender.id)?.close();
      signs.delete(sender.id);
    },
    close: () => {
      for (const sign of signs.values()) sign.close();
      signs.clear();
    },
  } satisfies Partial<Verbs>;
}

function prepareSenders(db: Database.Database, reserve: Reserve) {
  const write = db.prepare<[string, string]>(
    'INSERT OR REPLACE INTO limits (account, state) VALUES (?, ?)',
  );
  const remove = db.prepare<[string]>('DELETE FROM limits WHERE account = ?');
  const readState = prepareRead(db);
  const save = (account: string, state: LimitState | null): void => {
    if (state === null) remove.run(account);
    else write.run(account, JSON.stringify(state));
  };

  return {
    join: atomic(
      db,
      (sender: LimitSender, limit: Rate, now: Moment, sign: Database.Database): void => {
        // The state file is this process's for the moment: no other sender joins or leaves meanwhile.
        const isAlone = takeAlone(sign);
        if (isAlone) sign.exec('COMMIT');
        share(sign);
        const state = readState(sender.account);
        if (isAlone) for (const { id } of state?.senders ?? []) reserve.release(id);
        save(sender.account, joinSenders(state, limit, speaker(sender, now, isAlone)));
        reserve.hold(sender.id);
      },
    ),
    exchange: atomic(db, (sender: LimitSender, request: SlotRequest, now: Moment) => {
      const { account } = sender;
      const { grant, state } = dealSlots(readState(account), request, speaker(sender, now));
      save(account, state);
      return grant;
    }),
    leave: atomic(db, (sender: LimitSender, last: LastWord, now: Moment): void => {
      const { account } = sender;
      save(account, leaveSenders(readState(account), last, speaker(sender, now)));
    }),
  };
}

/** All of them are of this machine: who is dead is known by their lock as one joins, and later by its silence. */
function speaker({ id }: LimitSender, now: Moment, isAlone = false): Speaker {
  return { id, origin: null, now, isDead: () => isAlone };
}

function prepareRead(db: Database.Database): (account: string) => LimitState | null {
  const read = db.prepare<[string], string>('SELECT state FROM limits WHERE account = ?').pluck();
  return (account) => {
    const state = read.get(account);
    return state === undefined ? null : (JSON.parse(state) as LimitState);
  };
}

/** What the past and present senders of the account hold; changes nothing. */
export function lookAtSenders(
  db: Database.Database,
  account: string,
  limit: Rate,
  now: Moment,
): OtherSenders {
  return heldBySenders(prepareRead(db)(account), limit, now);
}
