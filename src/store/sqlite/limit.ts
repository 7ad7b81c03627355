// The senders of an account, and what each holds of its rate limit: one value for each account.
import { randomBytes } from 'node:crypto';
import {
  askLimit,
  joinOwners,
  type LimitState,
  leaveOwners,
  type Speaker,
  seenFrom,
} from '../../model/schedule/limit.js';
import type { Rate } from '../../model/schedule/rate.js';
import type { Moment } from '../../ports/clock.js';
import type { LimitSender, OtherSenders } from '../../ports/store/accounts.js';
import type { Sql } from '../sql.js';
import { type Verbs, write } from '../verb.js';
import type Database from './database/better-sqlite3.js';
import { lockFileOf, openLock, share, takeAlone } from './database/lock-file.js';
import type { Reserve } from './reserve.js';

async function readState(sql: Sql, account: string): Promise<LimitState | null> {
  const state = await sql.value<string>('SELECT state FROM limits WHERE account = $1', [account]);
  return state === undefined ? null : (JSON.parse(state) as LimitState);
}

async function save(sql: Sql, account: string, state: LimitState | null): Promise<void> {
  if (state === null) {
    await sql.run('DELETE FROM limits WHERE account = $1', [account]);
    return;
  }
  const conflict = 'ON CONFLICT (account) DO UPDATE SET state = excluded.state';
  await sql.insert('limits', [{ account, state: JSON.stringify(state) }], conflict);
}

/** All are on this machine: a dead one is known by its missing lock when another joins, and later by its silence. */
function speaker({ id }: LimitSender, now: Moment, isAlone = false): Speaker {
  return { id, origin: null, now, isDead: () => isAlone };
}

export function limitVerbs(path: string, reserve: Reserve) {
  /** The locks that all senders of an account share for as long as they live: a killed sender has none. */
  const signs = new Map<string, Database.Database>();
  const join = async (
    sql: Sql,
    sender: LimitSender,
    limit: Rate,
    now: Moment,
    sign: Database.Database,
  ): Promise<void> => {
    // This process has the state file for the moment: no other sender joins or leaves meanwhile.
    const isAlone = takeAlone(sign);
    if (isAlone) sign.exec('COMMIT');
    share(sign);
    const state = await readState(sql, sender.account);
    if (isAlone) for (const { id } of state?.owners ?? []) reserve.release(id);
    await save(sql, sender.account, joinOwners(state, limit, speaker(sender, now, isAlone)));
    reserve.hold(sender.id);
  };

  const verbs = {
    joinLimit: write(async (sql, account, limit, now) => {
      const sign = openLock(lockFileOf(path, 'senders', account), 0);
      try {
        const sender = { account, id: randomBytes(6).toString('hex') };
        await join(sql, sender, limit, now, sign);
        signs.set(sender.id, sign);
        return sender;
      } catch (error) {
        sign.close();
        throw error;
      }
    }),
    askLimit: write(async (sql, sender, ask, now) => {
      const { account } = sender;
      const before = await readState(sql, account);
      const { grant, state } = askLimit(before, ask, speaker(sender, now));
      await save(sql, account, state);
      return grant;
    }),
    leaveLimit: write(async (sql, sender, last, now) => {
      const { account } = sender;
      // The released room may be needed for the row that is written last.
      reserve.release(sender.id);
      await save(
        sql,
        account,
        leaveOwners(await readState(sql, account), last, speaker(sender, now)),
      );
      signs.get(sender.id)?.close();
      signs.delete(sender.id);
    }),
  } satisfies Partial<Verbs>;
  const close = (): void => {
    for (const sign of signs.values()) sign.close();
    signs.clear();
  };
  return { verbs, close };
}

export async function lookAtSenders(sql: Sql, account: string, now: Moment): Promise<OtherSenders> {
  return seenFrom(await readState(sql, account), now);
}
