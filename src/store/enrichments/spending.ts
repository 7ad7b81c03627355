// The spending of accounts, in quarters of an hour (UTC), and the caps that bound it. The sums change in the transaction
// that changes the enrichment, and claims of an account with a cap wait for each other: so a cap holds over all
// processes.
import { fromThousandths, toThousandths } from '../../model/credits.js';
import { type Cost, costOf, type Locked } from '../../model/enrichment/locked.js';
import {
  CAP_PERIODS,
  type CapState,
  type Caps,
  leftOf,
  periodAt,
  quarterOf,
} from '../../model/schedule/caps.js';
import type { Sql } from '../sql.js';

export async function keepSpending(sql: Sql, costs: Locked['costs']): Promise<void> {
  const before = [...costs.values()].flatMap((cost) => cost ?? []);
  const after = [...costs.keys()].flatMap((row) => costOf(row) ?? []);
  await addCosts(sql, after, before);
}

/** Gives back what is reserved for sends of enrichments that cannot be charged. */
export async function release(sql: Sql, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const reserved = await sql.rows<Cost>(
    `SELECT coalesce(paid_by, run_id) AS run, counted_at AS quarter, 0 AS spent, price_max AS reserved
     FROM enrichments WHERE id = ANY ($1) AND counted_at IS NOT NULL`,
    [ids],
  );
  await addCosts(sql, [], reserved);
}

/** Adds costs, and takes off others. Rows are locked in their order; several runs of an account may add to one. */
export async function addCosts(
  sql: Sql,
  costs: readonly Cost[],
  others: readonly Cost[] = [],
): Promise<void> {
  const accounts = await accountsOf(sql, [...costs, ...others]);
  const sums = new Map<
    string,
    { account: string; quarter: number; spent: number; reserved: number }
  >();
  const add = ({ quarter, reserved, run, spent }: Cost, sign: 1 | -1): void => {
    const account = accounts.get(run) as string;
    const key = `${account} ${quarter}`;
    const sum = sums.get(key) ?? { account, quarter, spent: 0, reserved: 0 };
    sum.spent += sign * spent;
    sum.reserved += sign * reserved;
    sums.set(key, sum);
  };
  for (const cost of costs) add(cost, 1);
  for (const cost of others) add(cost, -1);
  await sql.insert(
    'spending',
    [...sums]
      .filter(([, { reserved, spent }]) => reserved !== 0 || spent !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, sum]) => sum),
    `ON CONFLICT (account, quarter) DO UPDATE SET
       spent = spending.spent + excluded.spent, reserved = spending.reserved + excluded.reserved`,
  );
}

/** The accounts of runs, which never change. */
const ACCOUNTS = new WeakMap<Sql, Map<number, string>>();

async function accountsOf(sql: Sql, costs: readonly Cost[]): Promise<Map<number, string>> {
  const known = ACCOUNTS.get(sql) ?? new Map<number, string>();
  ACCOUNTS.set(sql, known);
  const unknown = new Set(costs.flatMap(({ run }) => (known.has(run) ? [] : run)));
  if (unknown.size === 0) return known;
  const rows = await sql.rows<{ id: number; account: string }>(
    'SELECT id, account FROM runs WHERE id = ANY ($1)',
    [[...unknown]],
  );
  for (const { account, id } of rows) known.set(id, account);
  return known;
}

export interface CapRow {
  readonly day: number | null;
  readonly month: number | null;
  readonly timezone: string | null;
}

/** Undefined for an account without a cap. */
export function toCaps({ day, month, timezone }: CapRow): Caps | undefined {
  if (timezone === null) return undefined;
  return {
    timezone,
    ...(day !== null && { day: fromThousandths(day) }),
    ...(month !== null && { month: fromThousandths(month) }),
  };
}

/** The moment by the state's clock: that of the server, or of this machine if the state is a file. */
export async function stateTime(sql: Sql, at: number): Promise<number> {
  if (sql.kind === 'sqlite') return at;
  const now = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
  return (await sql.value<number>(now)) ?? at;
}

/** Each cap in its period at `at`, those of the account first. */
export async function readCaps(
  sql: Sql,
  account: string,
  at: number,
  caps: Readonly<Partial<Record<CapState['of'], Caps | undefined>>>,
): Promise<CapState[]> {
  const states: CapState[] = [];
  for (const of of ['account', 'job'] as const) {
    for (const period of CAP_PERIODS) {
      const credits = caps[of]?.[period];
      const timezone = caps[of]?.timezone;
      if (credits === undefined || timezone === undefined) continue;
      const { from, until } = periodAt(period, at, timezone);
      const sum = await sql.row<{ spent: number; reserved: number }>(
        `SELECT coalesce(sum(spent), 0)::bigint AS spent, coalesce(sum(reserved), 0)::bigint AS reserved FROM spending
         WHERE account = $1 AND quarter >= $2 AND quarter < $3`,
        [account, from, until],
      );
      states.push({
        of,
        period,
        timezone,
        credits,
        spent: fromThousandths(sum?.spent ?? 0),
        reserved: fromThousandths(sum?.reserved ?? 0),
        from,
        until,
      });
    }
  }
  return states;
}

/** The room of a claim, which no other claim takes before its transaction ends. */
export interface ClaimRoom {
  /** The quarter of an hour to which its sends count. */
  readonly countedAt: number;
  /** In thousandths; false if it does not fit. */
  take(price: number): boolean;
}

interface ClaimingRow extends CapRow {
  readonly account: string;
  /** Whether it holds the leads of a waterfall: such a run sends nothing itself. */
  readonly isHolder: boolean;
}

export async function openClaimRoom(
  sql: Sql,
  runId: number,
  at: number,
  job: Caps | undefined,
): Promise<ClaimRoom> {
  const row = await sql.row<ClaimingRow>(
    `SELECT r.account, c.day, c.month, c.timezone,
       EXISTS (SELECT 1 FROM runs s WHERE s.step_of = r.id) AS is_holder
     FROM runs r LEFT JOIN caps c ON c.account = r.account WHERE r.id = $1`,
    [runId],
  );
  if (row === undefined) throw new Error(`run ${runId} does not exist`);
  const caps = { account: toCaps(row), job };
  const isCapped = caps.account !== undefined || job !== undefined;
  if (isCapped) await sql.lock(`caps ${row.account}`);
  const now = await stateTime(sql, at);
  const states = isCapped ? await readCaps(sql, row.account, now, caps) : [];
  let left = Math.min(
    Number.POSITIVE_INFINITY,
    ...states.map((state) => toThousandths(leftOf(state))),
  );
  return {
    countedAt: quarterOf(now),
    take: (price) => {
      if (row.isHolder || (price > 0 && price > left)) return false;
      left -= price;
      return true;
    },
  };
}
