// Sends and their cost. Enrichments say it as long as they are there; sums are kept of those that leave, and digests of
// their tickets.
import { fromThousandths } from '../model/credits.js';
import { platformTicket } from '../model/enrichment/shared-ticket.js';
import { NO_INPUTS, toAsks } from '../model/enrichment/stored-request.js';
import { groupBy } from '../model/group-by.js';
import {
  type ChargeOutcome,
  type KnownCharge,
  QUARTER_MS,
  type Span,
} from '../ports/store/charges.js';
import { keptKey, keyedDigest, signingKey } from './deliveries/signing-key.js';
import type { Sql } from './sql.js';
import { read, type Verbs } from './verb.js';

const DIGEST_BYTES = 16;
const KEPT_AT_ONCE = 2_000;

/** Those of forgotten people were kept before; a request that was refused is no charge. */
const WAS_SENT = `e.paid_by IS NOT NULL AND e.inputs <> '${NO_INPUTS}' AND e.state <> 'queued'
  AND (e.state <> 'failed' OR e.ticket IS NOT NULL)`;
const OUTCOME = `CASE
    WHEN e.state = 'found' OR e.state = 'not_found' OR e.state = 'failed' THEN e.state
    WHEN e.answered_at IS NOT NULL THEN 'not_found'
    WHEN e.ticket IS NOT NULL THEN 'unanswered' ELSE 'uncertain' END`;
/** Tickets with a blank are ours: the platform gave none. */
const IS_NAMED = `(e.ticket IS NOT NULL AND e.ticket NOT LIKE '% %')`;
const IS_ANSWERED = `(e.state = 'found' OR e.state = 'not_found' OR e.state = 'failed')`;
const SENT_AT = `(e.submitted_at / ${QUARTER_MS} * ${QUARTER_MS})`;
const ANSWERED_AT = `(CASE WHEN ${IS_ANSWERED} AND e.settled_at > e.submitted_at THEN e.settled_at
    ELSE e.submitted_at END / ${QUARTER_MS} * ${QUARTER_MS})`;
/** The part before the mark by which one ticket of a bulk call is told from another. */
const SHARED_TICKET = {
  sqlite: `substr(e.ticket, 1, instr(e.ticket, '~') - 1)`,
  postgres: `split_part(e.ticket, '~', 1)`,
} as const;
const SENT = `e.sent AS ask, ${OUTCOME} AS outcome, e.thousandths, ${SENT_AT} AS sent_at, ${ANSWERED_AT} AS answered_at`;
const KEPT_SENT = `s.ask, s.outcome, s.thousandths, s.sent_at, s.answered_at`;
const LIVE = 'enrichments e JOIN runs r ON r.id = e.paid_by';
const KEPT = 'charged_tickets t JOIN charge_sums s ON s.id = t.sum_id';

interface SentRow {
  readonly ask: string;
  readonly outcome: ChargeOutcome;
  readonly thousandths: number;
  readonly sentAt: number;
  readonly answeredAt: number;
}
type LeavingRow = SentRow & { readonly account: string; readonly ticket: string | null };
type LiveRow = SentRow & { readonly id: number; readonly ticket: string };
interface KeptRow extends SentRow {
  readonly digest: Uint8Array;
  readonly sumId: number;
  readonly times: number;
}

export async function keepCharges(sql: Sql, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += KEPT_AT_ONCE) {
    const rows = await sql.rows<LeavingRow>(
      `SELECT r.account, e.ticket, ${SENT} FROM ${LIVE} WHERE e.id = ANY ($1) AND ${WAS_SENT}`,
      [ids.slice(from, from + KEPT_AT_ONCE)],
    );
    const named = rows.map((row) => ({
      ...row,
      ticket: row.ticket === null ? null : platformTicket(row.ticket),
    }));
    if (named.length > 0) await keepAll(sql, named);
  }
}

async function keepAll(sql: Sql, rows: readonly LeavingRow[]): Promise<void> {
  const key = await signingKey(sql);
  const alike = groupBy(rows, ({ ticket, ...kind }) =>
    JSON.stringify([...Object.values(kind), ticket === null]),
  );
  const tickets = new Map<string, { digest: Uint8Array; sumId: number; times: number }>();
  for (const group of alike.values()) {
    const sumId = await addToSum(sql, group);
    for (const { ticket } of group) {
      if (ticket === null) continue;
      const name = `${sumId} ${ticket}`;
      const times = (tickets.get(name)?.times ?? 0) + 1;
      tickets.set(name, { digest: digestOf(key, ticket), sumId, times });
    }
  }
  await sql.insert(
    'charged_tickets',
    [...tickets.values()],
    'ON CONFLICT (digest, sum_id) DO UPDATE SET times = charged_tickets.times + excluded.times',
  );
}

/** Adds charges that are alike to the sum of their kind; returns its id. The account is locked. */
async function addToSum(sql: Sql, group: readonly LeavingRow[]): Promise<number> {
  const [first] = group;
  if (first === undefined) throw new Error('a group has a row');
  const { ticket, ...kind } = first;
  const { account, answeredAt, ask, outcome, sentAt, thousandths } = kind;
  const isNamed = ticket !== null;
  const known = await sql.value<number>(
    `SELECT id FROM charge_sums WHERE account = $1 AND sent_at = $2 AND answered_at = $3 AND ask = $4
       AND outcome = $5 AND thousandths = $6 AND is_named = $7`,
    [account, sentAt, answeredAt, ask, outcome, thousandths, isNamed],
  );
  if (known !== undefined) {
    await sql.run('UPDATE charge_sums SET count = count + $1 WHERE id = $2', [group.length, known]);
    return known;
  }
  const [id] = await sql.insertIds('charge_sums', [{ ...kind, isNamed, count: group.length }]);
  return id as number;
}

/** Only this state can make it: a list of tickets alone does not tell who is in the state. */
function digestOf(key: Uint8Array, ticket: string): Uint8Array {
  return keyedDigest(key, 'charge', ticket).subarray(0, DIGEST_BYTES);
}

function toSent({ answeredAt, ask, outcome, sentAt, thousandths }: SentRow) {
  return { ask: toAsks(ask), outcome, credits: fromThousandths(thousandths), sentAt, answeredAt };
}

function toLive(row: LiveRow) {
  const ticket = platformTicket(row.ticket) ?? row.ticket;
  return { key: `e${row.id}`, ticket, ...toSent(row) };
}

function toKept<T extends string | null>(row: KeptRow & { readonly ticket: T }) {
  return Array.from({ length: row.times }, () => ({
    key: `d${Buffer.from(row.digest).toString('hex')}${row.sumId}`,
    ticket: row.ticket,
    ...toSent(row),
  }));
}

async function paidLive(
  sql: Sql,
  account: string,
  { from, until }: Span,
  after: number,
  limit: number,
) {
  const rows = await sql.rows<LiveRow>(
    `SELECT e.id, e.ticket, ${SENT} FROM ${LIVE} WHERE e.id > $4 AND r.account = $1 AND ${WAS_SENT}
       AND ${IS_NAMED} AND e.thousandths > 0 AND ${IS_ANSWERED}
       AND ${SENT_AT} >= $2 AND ${ANSWERED_AT} < $3 ORDER BY e.id LIMIT $5`,
    [account, from, until, after, limit],
  );
  return rows.map(toLive);
}

async function paidKept(
  sql: Sql,
  account: string,
  { from, until }: Span,
  after: string,
  limit: number,
) {
  const digest = Buffer.from(after.slice(0, 2 * DIGEST_BYTES), 'hex');
  const sumId = Number(after.slice(2 * DIGEST_BYTES));
  const rows = await sql.rows<KeptRow>(
    `SELECT t.digest, t.sum_id, t.times, ${KEPT_SENT} FROM ${KEPT}
     WHERE (t.digest, t.sum_id) > ($4::bytea, $5::bigint) AND s.account = $1 AND s.thousandths > 0 AND s.sent_at >= $2
       AND s.answered_at < $3
     ORDER BY t.digest, t.sum_id LIMIT $6`,
    [account, from, until, digest, sumId, limit],
  );
  return rows.flatMap((row) => toKept({ ...row, ticket: null }));
}

export const chargeVerbs = {
  chargesOf: read(async (sql, account, tickets, mayBeShared) => {
    if (tickets.length === 0) return [];
    const live = await sql.rows<LiveRow>(
      `SELECT e.id, e.ticket, ${SENT} FROM ${LIVE} WHERE e.ticket = ANY ($1) AND r.account = $2 AND ${WAS_SENT}`,
      [tickets, account],
    );
    if (mayBeShared) {
      // No index helps here, and a list with the ids of bulk calls is short.
      live.push(
        ...(await sql.rows<LiveRow>(
          `SELECT e.id, e.ticket, ${SENT} FROM ${LIVE} WHERE e.ticket LIKE '%~%' AND ${SHARED_TICKET[sql.kind]} = ANY ($1)
             AND r.account = $2 AND ${WAS_SENT}`,
          [tickets, account],
        )),
      );
    }
    const key = await keptKey(sql);
    if (key === undefined) return live.map(toLive);
    const byDigest = new Map(
      tickets.map((ticket) => [Buffer.from(digestOf(key, ticket)).toString('hex'), ticket]),
    );
    const kept = await sql.rows<KeptRow>(
      `SELECT t.digest, t.sum_id, t.times, ${KEPT_SENT} FROM ${KEPT} WHERE t.digest = ANY ($1) AND s.account = $2`,
      [[...byDigest.keys()].map((hex) => Buffer.from(hex, 'hex')), account],
    );
    const known = kept.flatMap((row) => {
      const ticket = byDigest.get(Buffer.from(row.digest).toString('hex')) ?? '';
      return toKept({ ...row, ticket });
    });
    return [...live.map(toLive), ...known];
  }),
  countSends: read(async (sql, account, { from, until }) => {
    const counts = await sql.row<{ all: number; unnamed: number }>(
      `SELECT coalesce(sum(n), 0)::bigint AS "all", coalesce(sum(CASE WHEN is_named THEN 0 ELSE n END), 0)::bigint AS unnamed
       FROM (
         SELECT ${SENT_AT} AS sent_at, ${ANSWERED_AT} AS answered_at, ${IS_NAMED} AS is_named, 1 AS n
         FROM ${LIVE} WHERE r.account = $1 AND ${WAS_SENT}
         UNION ALL SELECT sent_at, answered_at, is_named, count FROM charge_sums WHERE account = $1) AS sent
       WHERE sent_at < $3 AND answered_at >= $2`,
      [account, from, until],
    );
    const shared = await sql.row(
      `SELECT 1 FROM ${LIVE} WHERE r.account = $1 AND e.ticket LIKE '%~%' LIMIT 1`,
      [account],
    );
    return { all: 0, unnamed: 0, ...counts, hasSharedTickets: shared !== undefined };
  }),
  paidCharges: read(async (sql, account, span, after, limit): Promise<KnownCharge[]> => {
    const isKept = after?.startsWith('d') === true;
    const live = isKept
      ? []
      : await paidLive(sql, account, span, Number(after?.slice(1) ?? 0), limit);
    if (live.length === limit) return live;
    const digest = isKept ? (after?.slice(1) ?? '') : '';
    return [...live, ...(await paidKept(sql, account, span, digest, limit))];
  }),
} satisfies Partial<Verbs>;
