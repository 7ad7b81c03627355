// Results on their way in: which tickets are due, which must wait, how each one ends, and which could not be read.
import { toThousandths } from '../../../model/credits.js';
import type { Postponement, Settlement, UnreadAnswer } from '../../../ports/store/enrichments.js';
import {
  AWAITED_FROM,
  AWAITED_ROW,
  type AwaitedRow,
  emptinessOf,
  emptinessOfBelief,
  NEVER,
  toAwaited,
} from '../../enrichments/due.js';
import { settlementFor } from '../../enrichments/serve.js';
import { NO_INPUTS, toAsks, toRequest } from '../../enrichments/stored-request.js';
import { type AnsweredBy, createSeriesNotes, type SeriesNotes } from '../../runs/series.js';
import type { Sql } from '../database/database.js';
import { writeSeries } from '../runs/series.js';
import type { Verbs } from '../verbs.js';
import { type Held, type HeldEnrichment, hold, save, seenOf, servedBy } from './held.js';

const AWAITED = `SELECT ${AWAITED_ROW} FROM ${AWAITED_FROM} WHERE e.run_id = $1 AND e.state = 'awaiting'`;

export const settleReads = {
  awaited: async (sql, runId, limit, until = NEVER) => {
    const last = Math.min(Math.floor(until), NEVER - 1);
    const rows = await sql.rows<AwaitedRow>(
      `(${AWAITED} AND e.poll_at <= $2 ORDER BY e.poll_at, e.id LIMIT $3)
       UNION ALL (${AWAITED} AND e.poll_at > $2 AND e.poll_at < ${NEVER} ORDER BY e.poll_at, e.id LIMIT 1)`,
      [runId, last, limit],
    );
    return rows
      .sort((a, b) => a.pollAt - b.pollAt || a.id - b.id)
      .slice(0, limit)
      .map(toAwaited);
  },
} satisfies Partial<Verbs>;

export const settleWrites = {
  pollSooner: async (sql, runId, later, pollAt) => {
    await makeDue(sql, runId, pollAt, { from: later + 1, to: NEVER - 1 });
  },
  postpone: async (sql, postponements, at) => {
    const held = await hold(
      sql,
      postponements.map(({ id }) => id),
    );
    const notes = createSeriesNotes();
    for (const one of postponements) {
      const row = postponeOne(held, one);
      if (row !== undefined) notes.addPollInVain(row.runId, at);
    }
    await save(sql, held);
    await writeSeries(sql, notes);
  },
  settle: async (sql, settlements) => {
    const held = await hold(
      sql,
      settlements.map(({ id }) => id),
    );
    const notes = createSeriesNotes();
    const changed = settlements.filter((one) => settleOne(held, one, { notes, by: 'polled' }));
    await save(sql, held);
    await writeSeries(sql, notes);
    return changed.map(({ id }) => id);
  },
  keepUnread: async (sql, answers) => {
    const held = await hold(
      sql,
      answers.map(({ id }) => id),
    );
    const kept = answers.filter((answer) => keepOne(held, answer));
    await save(sql, held);
    return kept.map(({ id }) => id);
  },
  reviveUnread: (sql, runId, at) => makeDue(sql, runId, at, { from: NEVER, to: NEVER }),
} satisfies Partial<Verbs>;

/** What the run awaits, and would ask for within this time, is due at `at`. Returns how many. */
function makeDue(
  sql: Sql,
  runId: number,
  at: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<number> {
  return sql.run(
    `UPDATE enrichments SET poll_at = $1 WHERE id = ANY (ARRAY(SELECT id FROM enrichments
       WHERE run_id = $2 AND state = 'awaiting' AND poll_at BETWEEN $3 AND $4 ORDER BY id FOR UPDATE))`,
    [at, runId, from, to],
  );
}

/** Whether the answer is kept. */
export function keepOne({ changed, rows, unread }: Held, answer: UnreadAnswer): boolean {
  const row = rows.get(answer.id);
  if (row?.state !== 'awaiting') return false;
  row.pollAt = NEVER;
  row.reason = answer.reason;
  changed.add(row);
  unread.set(row.id, answer.body);
  return true;
}

/** What is postponed; undefined where it is not awaited. */
export function postponeOne(
  { changed, rows }: Held,
  postponement: Postponement,
): HeldEnrichment | undefined {
  const row = rows.get(postponement.id);
  if (row?.state !== 'awaiting') return undefined;
  row.pollAt = postponement.pollAt;
  row.wasEmpty = emptinessOf(postponement);
  row.pollCount += 1;
  changed.add(row);
  return row;
}

/** Whether the enrichment has changed. */
export function settleOne(
  held: Held,
  settlement: Settlement,
  counting: { readonly notes: SeriesNotes; readonly by: AnsweredBy },
): boolean {
  const { by, notes } = counting;
  const row = held.rows.get(settlement.id);
  if (row === undefined) return false;
  const before = seenOf(row);
  if (!end(row, settlement)) return false;
  held.changed.add(row);
  notes.addAnswer(before, settlement, by);
  if ('result' in settlement) held.results.set(row.id, JSON.stringify(settlement.result));
  if (settlement.secondLook !== undefined) held.looks.push(settlement.secondLook);
  // An answer that could not be read is still there when a later run goes on asking.
  if (settlement.outcome !== 'timed_out') {
    held.read.add(row.id);
    held.unread.delete(row.id);
  }
  for (const served of servedBy(held, row)) {
    const wide = toRequest({ ask: row.ask, inputs: row.inputs ?? NO_INPUTS });
    const one = settlementFor(served.id, toAsks(served.ask), wide, settlement);
    if (one === undefined) continue;
    if (served.state === 'submitting') {
      served.state = 'uncertain';
      held.doubted.add(served);
    }
    settleOne(held, one, counting);
  }
  return true;
}

/** Whether the enrichment has changed. */
function end(row: HeldEnrichment, settlement: Settlement): boolean {
  if (settlement.outcome === 'timed_out') return timeOut(row, settlement.at, settlement.reason);
  // An answer is taken in any state in which one may still come; a second answer changes nothing.
  if (row.state !== 'awaiting' && row.state !== 'timed_out' && row.state !== 'uncertain') {
    return false;
  }
  row.state = settlement.outcome;
  row.settledAt = settlement.at;
  row.pollAt = null;
  row.deadlineAt = null;
  row.believed = null;
  switch (settlement.outcome) {
    case 'found':
    case 'not_found':
      row.reason = null;
      row.thousandths = toThousandths(settlement.credits);
      row.answeredAt = null;
      if (settlement.believed !== undefined) {
        row.wasEmpty = emptinessOfBelief(settlement.believed);
        row.believed = settlement.believed.trust;
      }
      return true;
    case 'failed':
      row.reason = settlement.reason;
      row.thousandths = 0;
      return true;
  }
}

/** Whether the enrichment has changed. */
function timeOut(row: HeldEnrichment, at: number, reason: string): boolean {
  if (row.state !== 'awaiting') return false;
  row.pollAt = null;
  if (row.answeredAt === null) {
    row.state = 'timed_out';
    row.reason = reason;
    row.settledAt = at;
    return true;
  }
  // Its ticket was read again without an answer: its earlier answer counts.
  row.state = 'not_found';
  row.reason = null;
  row.settledAt = row.answeredAt;
  row.answeredAt = null;
  row.deadlineAt = null;
  return true;
}
