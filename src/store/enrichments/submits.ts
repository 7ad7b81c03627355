// Intent before money: claims enrichments durably, then records the answers to their requests.
import type { Prices } from '../../model/ask.js';
import { toThousandths } from '../../model/credits.js';
import { targetOf } from '../../model/enrichment/arrows.js';
import { change, type Enrichment } from '../../model/enrichment/locked.js';
import { sentRequest, waits } from '../../model/enrichment/look.js';
import { type Book, lookOnce } from '../../model/enrichment/share.js';
import { awaitOthers, conclude, standIn, WAITS_MS } from '../../model/enrichment/stand.js';
import { toAsks } from '../../model/enrichment/stored-request.js';
import { highestPrice } from '../../model/verdict.js';
import type { Claim, ClaimTerms, SubmitRecord } from '../../ports/store/enrichments.js';
import { countOf, lockAccountOf, lockTickets, type Row, type Sql } from '../sql.js';
import { withhold } from '../suppressions.js';
import { type Verbs, write } from '../verb.js';
import { openBook } from './known.js';
import { IS_SUPPRESSED } from './known-answers.js';
import { moveAll, save } from './save.js';
import { takeLooks } from './settle.js';
import { addCosts, openClaimRoom, release } from './spending.js';

// A run that was cancelled meanwhile, or whose job was paused, sends nothing more. Those that wait for others are looked
// at again after a while. Rows that another claim has locked are passed over.
const QUEUED = `enrichments e JOIN runs r ON r.id = e.run_id
  WHERE e.run_id = $1 AND e.state = 'queued' AND NOT (${IS_SUPPRESSED}) AND r.state IN ('reading', 'working')
    AND NOT EXISTS (SELECT 1 FROM pauses WHERE job = r.job)`;
const CLAIMABLE = 'e.id, e.fingerprint, e.inputs, e.looks, e.sent, e.send_count';
/** The number of enrichments that one look at what is known takes. */
const LOOKED_AT = 500;

export const submitVerbs = {
  claim: write('hot', 'paying', async (sql, runId, limit, at, terms = {}) => {
    const { caps, isAlike = false, look, prices } = terms;
    const account = await lockAccountOf(sql, runId);
    const room = await openClaimRoom(sql, runId, at, caps);
    const { countedAt } = room;
    const claimed: Priced[] = [];
    const seen: Seen = { known: [], awaiting: 0 };
    const how = look && { ...look, at, runId };
    let isMet = false;
    // The places of those that are withheld, known or waiting go to the next ones: a claim that is not full says that no
    // more are to be sent now.
    for (let isWhole = false; !isWhole && !isMet && claimed.length < limit; ) {
      const alike = isAlike ? (claimed[0]?.sent ?? null) : undefined;
      const rows = await holdFirst(sql, [runId, limit - claimed.length, at], alike);
      const looking = look === undefined ? [] : rows.filter(({ looks }) => looks);
      const book =
        how !== undefined && looking.length > 0
          ? await openBook(sql, { account, rows: looking, freshSince: how.freshSince })
          : undefined;
      const { ids: withheld } = await withhold(sql, rows, true);
      const sends: Priced[] = [];
      for (const first of rows) {
        if (withheld.has(first.id)) continue;
        const row = first.looks ? book?.rows.get(first.id) : undefined;
        if (book !== undefined && how !== undefined && row !== undefined) {
          if (!lookAndStandIn(book, row, how, seen)) continue;
        }
        const one = row ?? first;
        const priceMax = priceOf(one, prices);
        // Nothing that was queued later goes first.
        isMet = !room.take(priceMax);
        if (isMet) break;
        sends.push({ ...one, priceMax });
        // Those after it see that it is on its way.
        if (row !== undefined) Object.assign(row, { state: 'submitting', submittedAt: at });
      }
      isWhole = sends.length === rows.length;
      if (book !== undefined) await save(sql, book);
      const submitted = await moveAll(sql, 'claimed', sends, ({ id, priceMax, sendCount }) => {
        return {
          id,
          submittedAt: at,
          sendCount: sendCount + 1,
          paidBy: runId,
          countedAt,
          priceMax,
        };
      });
      claimed.push(...submitted);
    }
    const reserved = claimed.reduce((sum, { priceMax }) => sum + priceMax, 0);
    await addCosts(sql, [{ run: runId, quarter: countedAt, spent: 0, reserved }]);
    return {
      claimed: claimed
        .sort((a, b) => a.id - b.id)
        .map((row) => ({ id: row.id, send: row.sendCount + 1, request: sentRequest(row) })),
      ...seen,
      waiting: claimed.length < limit ? await countOf(sql, WAITING, [runId, at]) : 0,
    };
  }),
  answerKnown: write(async (sql, runId, at, look, after) => {
    const account = await lockAccountOf(sql, runId);
    const rows = await sql.rows<Claimable>(
      `SELECT ${CLAIMABLE} FROM ${QUEUED} AND e.looks AND e.id > $3 ORDER BY e.id LIMIT $2
       FOR UPDATE OF e SKIP LOCKED`,
      [runId, LOOKED_AT, after],
    );
    const book = await openBook(sql, { account, rows, freshSince: look.freshSince });
    const { ids: withheld } = await withhold(sql, rows, true);
    const seen: Seen = { known: [], awaiting: 0 };
    for (const { id } of rows) {
      const row = withheld.has(id) ? undefined : book.rows.get(id);
      if (row !== undefined) lookAndStandIn(book, row, { ...look, at, runId }, seen);
    }
    await save(sql, book);
    return { ...seen, last: rows.at(-1)?.id ?? null };
  }),
  recordSubmits: write('hot', 'saving', async (sql, records) => {
    const isTold = records.some((one) => one.kind === 'accepted' && one.atOnce !== undefined);
    // Of two verbs that settle by one ticket as they save it, the second sees the first.
    if (isTold) await lockTickets(sql, 'to look');
    else if (records.some(({ kind }) => kind === 'accepted')) await lockTickets(sql, 'to save');
    const changed: SubmitRecord[] = [];
    for (const event of ENDS_OF_SENDS) {
      const some = records.filter(({ kind }) => kind === event);
      changed.push(...(await moveAll(sql, event, some, toRow, ['id', 'sendCount'])));
    }
    await release(
      sql,
      changed.flatMap(({ id, kind }) => (kind === 'unsent' || kind === 'refused' ? id : [])),
    );
    const accepted = changed.flatMap((one) => (one.kind === 'accepted' ? one : []));
    const looks = accepted.flatMap(({ atOnce }) => atOnce ?? []);
    const atOnce = new Map((await takeLooks(sql, looks)).map(({ id, state }) => [id, state]));
    await reviveTickets(
      sql,
      accepted.map(({ ticket }) => ticket),
    );
    return changed.map(({ id, kind }) => ({ id, state: atOnce.get(id) ?? targetOf(kind) }));
  }),
} satisfies Partial<Verbs>;

/** The events that a send may end in. */
const ENDS_OF_SENDS = ['accepted', 'unsent', 'refused', 'lost'] as const;

/** The row of what became of a send: that of an earlier send changes nothing. */
function toRow(one: SubmitRecord): Row {
  const sent = { id: one.id, sendCount: one.send };
  switch (one.kind) {
    case 'accepted': {
      const { callId = 0, deadlineAt, pollAt, ticket } = one;
      return { ...sent, ticket, callId, pollAt, deadlineAt, reason: null };
    }
    case 'unsent':
      return { ...sent, paidBy: null, reason: null };
    case 'refused':
      return { ...sent, settledAt: one.at, reason: one.reason };
    case 'lost':
      return { ...sent, reason: one.reason };
  }
}

/** A queued enrichment, as a claim needs it. */
type Claimable = Pick<Enrichment, 'id' | 'fingerprint' | 'inputs' | 'looks' | 'sent' | 'sendCount'>;
type Known = Claim['known'][number];
type Priced = Claimable & Pick<Enrichment, 'priceMax'>;

/** The most that its send may cost, in thousandths; 0 where no price is stated. */
function priceOf({ sent }: Claimable, prices: Prices | undefined): number {
  return prices === undefined ? 0 : toThousandths(highestPrice(toAsks(sent), prices));
}

const WAITING = `enrichments WHERE run_id = $1 AND state = 'queued' AND poll_at > $2`;

/** `alike`: the asks for which all of them are sent; null for those of the first. Undefined: they may differ. */
async function holdFirst(
  sql: Sql,
  [runId, limit, at]: readonly [runId: number, limit: number, at: number],
  alike: string | null | undefined,
): Promise<Claimable[]> {
  const due = `${QUEUED} AND coalesce(e.poll_at, 0) <= $3`;
  const isAlike = `AND e.sent = coalesce($4, (SELECT e.sent FROM ${due} ORDER BY e.poll_at, e.id LIMIT 1))`;
  return sql.rows(
    `SELECT ${CLAIMABLE} FROM ${due} ${alike === undefined ? '' : isAlike} ORDER BY e.poll_at, e.id LIMIT $2
     FOR UPDATE OF e SKIP LOCKED`,
    [runId, limit, at, ...(alike === undefined ? [] : [alike])],
  );
}

/** The answers that looks have found, and the number of those that wait for one. */
interface Seen {
  readonly known: Known[];
  awaiting: number;
}

/**
 * Ends a queued enrichment of which all is known, and has one wait for those on their way that share a key. Returns
 * whether it is to be sent.
 */
function lookAndStandIn(
  book: Book,
  row: Enrichment,
  how: NonNullable<ClaimTerms['look']> & { readonly at: number; readonly runId: number },
  seen: Seen,
): boolean {
  const sight = lookOnce(book, row, how);
  if (waits(sight)) {
    seen.awaiting += awaitOthers(book, sight, how);
    standIn(book, row, sight);
    change(book, row, { pollAt: how.at + WAITS_MS });
    return false;
  }
  if (sight.open.length > 0) {
    standIn(book, row, sight);
    return true;
  }
  conclude(book, row, sight);
  seen.known.push({ id: row.id, outcome: row.state as Known['outcome'] });
  return false;
}

/** For deliveries that came before these tickets were known. The verb whose transaction this is has locked tickets. */
export async function reviveTickets(sql: Sql, tickets: readonly string[]): Promise<void> {
  if (tickets.length === 0) return;
  const known = await sql.rows<{ ticket: string; deliveryId: number }>(
    'SELECT ticket, delivery_id FROM unknown_tickets WHERE ticket = ANY ($1)',
    [tickets],
  );
  if (known.length === 0) return;
  await sql.remove(
    'unknown_tickets',
    known.map((one) => ({ ...one })),
  );
  await sql.run(
    `UPDATE deliveries SET state = 'pending'
     WHERE id = ANY ($1) AND state <> 'pending' AND body IS NOT NULL`,
    [known.map(({ deliveryId }) => deliveryId)],
  );
}
