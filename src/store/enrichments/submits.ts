// Intent before money: claims enrichments durably, then records the answers to their requests.
import type { Prices } from '../../model/ask.js';
import { toThousandths } from '../../model/credits.js';
import { keepUnread, settle } from '../../model/enrichment/answer.js';
import { type Enrichment, type Held, openHeld } from '../../model/enrichment/held.js';
import { claim, record } from '../../model/enrichment/send.js';
import type { Taken } from '../../model/enrichment/serve.js';
import { serveQueued } from '../../model/enrichment/share.js';
import { toAsks, toRequest } from '../../model/enrichment/stored-request.js';
import { highestPrice } from '../../model/verdict.js';
import type { ServedByWider, WideningTerms } from '../../ports/store/enrichments.js';
import { lockAccountOf, lockTickets, type Sql } from '../sql.js';
import { withhold } from '../suppressions.js';
import { type Verbs, write } from '../verb.js';
import { changedIn, HELD, hold, save } from './held.js';
import { openBook, readAsked } from './known.js';
import { IS_SUPPRESSED } from './known-answers.js';
import { judgeShared } from './shared-tickets.js';
import { openClaimRoom } from './spending.js';

// A run that was cancelled meanwhile, or whose job was paused, sends nothing more. Rows that another claim has locked
// are passed over.
const QUEUED = `enrichments e JOIN runs r ON r.id = e.run_id
  WHERE e.run_id = $1 AND e.state = 'queued' AND NOT (${IS_SUPPRESSED}) AND r.state IN ('reading', 'working')
    AND NOT EXISTS (SELECT 1 FROM pauses WHERE job = r.job)`;
const FIRST = 'ORDER BY e.poll_at, e.id LIMIT $2';
const LOCKED = 'FOR UPDATE OF e SKIP LOCKED';

export const submitVerbs = {
  claim: write('hot', 'paying', async (sql, runId, limit, at, terms = {}) => {
    const { caps, isAlike = false, prices, wider } = terms;
    await lockAccountOf(sql, runId);
    const looking = wider && { ...wider, at, of: wider.among(await readAsked(sql)) };
    const room = await openClaimRoom(sql, runId, at, caps);
    const { countedAt } = room;
    const claimed: Enrichment[] = [];
    const settled: { id: number; outcome: Settled }[] = [];
    const taken = { awaiting: 0, cached: 0, shared: 0 };
    let isMet = false;
    // The places of those that are withheld or served go to the next ones: a claim that is not full says that no more
    // are queued.
    for (let isWhole = false; !isWhole && !isMet && claimed.length < limit; ) {
      const alike = isAlike ? (claimed[0]?.ask ?? 'any') : undefined;
      const first = await holdFirst(sql, { runId, limit: limit - claimed.length, alike }, looking);
      const { held, rows } = first;
      const { ids: withheld } = await withhold(sql, rows, true);
      isWhole = first.isWhole && withheld.size === 0;
      for (const row of rows.filter(({ id }) => !withheld.has(id))) {
        const how = first.serve(row);
        if (how !== undefined) {
          isWhole = false;
          taken[how] += 1;
          const { id, state } = row;
          if (how === 'cached') settled.push({ id, outcome: state as Settled });
          continue;
        }
        const priceMax = priceOf(row, prices);
        // Nothing that was queued later goes first.
        isMet = !room.take(priceMax);
        if (isMet) break;
        if (claim(held, row, { at, countedAt, priceMax })) claimed.push(row);
      }
      await save(sql, held);
    }
    const { awaiting, shared } = taken;
    return {
      claimed: claimed
        .sort((a, b) => a.id - b.id)
        .map((row) => ({ id: row.id, send: row.sendCount, request: toRequest(row) })),
      served: { settled, awaiting, shared },
    };
  }),
  recordSubmits: write('hot', 'saving', async (sql, records) => {
    const isTold = records.some((one) => one.kind === 'accepted' && one.atOnce !== undefined);
    // Of two verbs that settle by one ticket as they save it, the second sees the first.
    if (isTold) await lockTickets(sql, 'to look');
    else if (records.some(({ kind }) => kind === 'accepted')) await lockTickets(sql, 'to save');
    const held = await hold(
      sql,
      records.map(({ id }) => id),
    );
    const changed = records.filter((one) => record(held, one));
    const accepted = changed.flatMap((one) => (one.kind === 'accepted' ? one : []));
    const answers = accepted.flatMap(({ atOnce }) => (atOnce?.kind === 'settle' ? atOnce : []));
    for (const one of await judgeShared(sql, held, answers)) settle(held, one);
    for (const { atOnce } of accepted) {
      if (atOnce?.kind === 'unread') keepUnread(held, atOnce.answer);
    }
    await save(sql, held);
    await reviveTickets(sql, [...held.learnt.keys()]);
    return changedIn(held, changed);
  }),
} satisfies Partial<Verbs>;

/** The most that its send may cost, in thousandths; 0 where no price is stated. */
function priceOf({ ask }: Enrichment, prices: Prices | undefined): number {
  return prices === undefined ? 0 : toThousandths(highestPrice(toAsks(ask), prices));
}

type Settled = ServedByWider['settled'][number]['outcome'];

interface Naming {
  readonly runId: number;
  readonly limit: number;
  /** The asks of all that are named; `any`: those of the first. Undefined: they may differ. */
  readonly alike: string | undefined;
}

interface Looking extends Pick<WideningTerms, 'deadlineAt' | 'freshSince'> {
  readonly at: number;
  readonly of: ReturnType<WideningTerms['among']>;
}

/** The queued enrichments that are first, locked, with the wider questions that may serve them. */
interface First {
  readonly held: Held;
  readonly rows: readonly Enrichment[];
  /** Whether there are no others among those that were named. */
  readonly isWhole: boolean;
  /** Serves one, if a wider question does; returns how. */
  readonly serve: (row: Enrichment) => Taken | undefined;
}

async function holdFirst(sql: Sql, naming: Naming, looking: Looking | undefined): Promise<First> {
  const widerOf = (row: Enrichment) => looking?.of?.(toRequest(row)) ?? [];
  // The rows are locked together with the wider questions, in the order of their ids.
  const named = looking?.of === undefined ? [] : await nameFirst(sql, naming);
  const leads = new Map(named.map((row) => [row.id, { ...row, wider: widerOf(row) }]));
  const isPlain = (row: Enrichment): boolean => widerOf(row).length === 0;
  if (looking === undefined || named.every(isPlain)) {
    const all = await nameFirst(sql, naming, LOCKED);
    // Others may have been queued meanwhile.
    const rows = all.filter(isPlain);
    const isWhole = rows.length === all.length;
    return { held: openHeld(rows), rows, isWhole, serve: () => undefined };
  }
  const book = await openBook(sql, [...leads.values()], looking.freshSince, [...leads.keys()]);
  const rows = named.flatMap(({ id }) => {
    const row = book.byId(id);
    return row?.state === 'queued' && row.runId === naming.runId ? [row] : [];
  });
  return {
    held: book,
    rows,
    isWhole: rows.length === named.length,
    serve: (row) =>
      serveQueued(book, row, { times: looking, wider: leads.get(row.id)?.wider ?? [] }),
  };
}

async function nameFirst(
  sql: Sql,
  { alike, limit, runId }: Naming,
  locked = '',
): Promise<Enrichment[]> {
  if (alike === undefined) {
    return sql.rows(`SELECT ${HELD} FROM ${QUEUED} ${FIRST} ${locked}`, [runId, limit]);
  }
  const oldest =
    alike === 'any'
      ? await sql.row<Pick<Enrichment, 'ask'>>(`SELECT e.ask FROM ${QUEUED} ${FIRST} ${locked}`, [
          runId,
          1,
        ])
      : { ask: alike };
  if (oldest === undefined) return [];
  return sql.rows(`SELECT ${HELD} FROM ${QUEUED} AND e.ask = $3 ${FIRST} ${locked}`, [
    runId,
    limit,
    oldest.ask,
  ]);
}

/**
 * Makes the deliveries that came before these tickets were known pending again. Part of another verb's transaction,
 * which has locked tickets.
 */
export async function reviveTickets(sql: Sql, tickets: readonly string[]): Promise<void> {
  if (tickets.length === 0) return;
  const known = await sql.rows<{ ticket: string; delivery_id: number }>(
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
    [known.map(({ delivery_id }) => delivery_id)],
  );
}
