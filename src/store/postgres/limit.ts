// The senders of an account, and what each holds of its rate limit: one value for each account. Time is the server's.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import {
  askLimit,
  joinOwners,
  type LimitState,
  leaveOwners,
  type Speaker,
  seenFrom,
} from '../../model/schedule/limit.js';
import type { LimitSender, OtherSenders } from '../../ports/store/accounts.js';
import type { Sql } from '../sql.js';
import { type Verbs, write } from '../verb.js';
import { isDead, realmOf } from './jobs.js';

interface LimitRow {
  readonly state: string | null;
  readonly at: number;
}

const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::float8';

/** `at` is the time at which the lock was had. */
const LOCKED = `WITH mine AS MATERIALIZED (SELECT state FROM limits WHERE account = $1 FOR UPDATE)
  SELECT state, ${NOW} AS at FROM mine`;

async function change(
  sql: Sql,
  { account, id }: LimitSender,
  work: (state: LimitState | null, speaker: Speaker) => LimitState | null,
): Promise<void> {
  let row = await sql.row<LimitRow>(LOCKED, [account]);
  if (row === undefined) {
    await sql.run('INSERT INTO limits (account) VALUES ($1) ON CONFLICT DO NOTHING', [account]);
    row = (await sql.row<LimitRow>(LOCKED, [account])) as LimitRow;
  }
  const next = work(parse(row), {
    id,
    origin: { pid: process.pid, host: hostname(), realm: realmOf() },
    now: { at: row.at, steady: null },
    isDead: (origin) => origin !== null && isDead(origin),
  });
  await sql.run('UPDATE limits SET state = $2 WHERE account = $1', [
    account,
    next === null ? null : JSON.stringify(next),
  ]);
}

function parse({ state }: LimitRow): LimitState | null {
  return state === null ? null : (JSON.parse(state) as LimitState);
}

export const limitVerbs = {
  joinLimit: write('unfenced', async (sql, account, limit) => {
    const sender = { account, id: randomBytes(6).toString('hex') };
    await change(sql, sender, (state, speaker) => joinOwners(state, limit, speaker));
    return sender;
  }),
  askLimit: write('unfenced', 'brief', async (sql, sender, ask) => {
    let answer: ReturnType<typeof askLimit> | undefined;
    await change(sql, sender, (state, speaker) => {
      answer = askLimit(state, ask, speaker);
      return answer.state;
    });
    return answer?.grant ?? null;
  }),
  leaveLimit: write('unfenced', async (sql, sender, last) => {
    await change(sql, sender, (state, speaker) => leaveOwners(state, last, speaker));
  }),
} satisfies Partial<Verbs>;

export async function lookAtSenders(sql: Sql, account: string): Promise<OtherSenders> {
  const row = await sql.row<LimitRow>(`SELECT state, ${NOW} AS at FROM limits WHERE account = $1`, [
    account,
  ]);
  const now = { at: row?.at ?? 0, steady: null };
  return seenFrom(row === undefined ? null : parse(row), now);
}
