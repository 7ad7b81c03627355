// Results on their way in: which tickets are due, which must wait, how each one ends, and which could not be read.
import type Database from 'better-sqlite3';
import { toThousandths } from '../../../model/credits.js';
import { emptinessOf, emptinessOfBelief } from '../../../model/enrichment/answer.js';
import { NEVER } from '../../../model/enrichment/held.js';
import type {
  AwaitedEnrichment,
  Postponement,
  Settlement,
  UnreadAnswer,
} from '../../../ports/store/enrichments.js';
import { AWAITED_FROM, AWAITED_ROW, type AwaitedRow, toAwaited } from '../../enrichments/due.js';
import type { AnsweredBy } from '../../runs/series.js';
import { atomic, type Verbs } from '../database/transactions.js';
import { type Counting, prepareCounting } from '../runs/series.js';
import { prepareChange } from './count-changes.js';
import { prepareKeepResult } from './result-format.js';
import { prepareServed } from './serve.js';

export function prepareSettle(db: Database.Database) {
  const awaited = db.prepare<[number, number], AwaitedRow>(
    `SELECT ${AWAITED_ROW} FROM ${AWAITED_FROM}
     WHERE e.run_id = ? AND e.state = 'awaiting' AND e.poll_at < ${NEVER}
     ORDER BY e.poll_at LIMIT ?`,
  );
  const pollSooner = db.prepare<[number, number, number]>(
    `UPDATE enrichments SET poll_at = ?
     WHERE run_id = ? AND state = 'awaiting' AND poll_at > ? AND poll_at < ${NEVER}`,
  );
  const counting = prepareCounting(db);
  const settleOne = prepareSettleOne(db, counting, 'polled');
  const postponeOne = preparePostponeOne(db);

  return {
    awaited: (runId, limit, until = Infinity) => {
      const found: AwaitedEnrichment[] = [];
      for (const row of awaited.iterate(runId, limit)) {
        found.push(toAwaited(row));
        if (row.pollAt > until) break;
      }
      return found;
    },
    pollSooner: (runId, later, pollAt) => void pollSooner.run(pollAt, runId, later),
    postpone: atomic(
      db,
      counting.within((postponements, at) => {
        for (const one of postponements) {
          if (postponeOne(one)) counting.addPollInVain(one.id, at);
        }
      }),
    ),
    settle: atomic(
      db,
      counting.within((settlements) =>
        settlements.filter((one) => settleOne(one)).map(({ id }) => id),
      ),
    ),
    ...prepareUnread(db),
  } satisfies Partial<Verbs>;
}

/** Inside another verb's transaction. Whether the answer is kept. */
export function prepareKeepOne(db: Database.Database) {
  const park = prepareChange(
    db,
    'awaiting',
    `UPDATE enrichments SET poll_at = ${NEVER}, reason = ? WHERE id = ? AND state = 'awaiting'`,
  );
  const keep = db.prepare<[number, string]>(
    'INSERT OR REPLACE INTO unread_answers (enrichment_id, body) VALUES (?, ?)',
  );

  return ({ id, body, reason }: UnreadAnswer): boolean => {
    const isParked = park({ state: 'awaiting', reason }, reason, id);
    if (isParked) keep.run(id, body);
    return isParked;
  };
}

function prepareUnread(db: Database.Database) {
  const keepOne = prepareKeepOne(db);
  const revive = db.prepare<[number, number]>(
    `UPDATE enrichments SET poll_at = ?
     WHERE run_id = ? AND state = 'awaiting' AND poll_at = ${NEVER}`,
  );

  return {
    keepUnread: atomic(db, (answers) => answers.filter(keepOne).map(({ id }) => id)),
    reviveUnread: (runId, at) => revive.run(at, runId).changes,
  } satisfies Partial<Verbs>;
}

/** Inside another verb's transaction. Whether it is awaited. */
export function preparePostponeOne(db: Database.Database) {
  const postpone = db.prepare<[number, number, number]>(
    `UPDATE enrichments SET poll_at = ?, was_empty = ?, poll_count = poll_count + 1
     WHERE id = ? AND state = 'awaiting'`,
  );

  return (one: Postponement): boolean =>
    postpone.run(one.pollAt, emptinessOf(one), one.id).changes > 0;
}

/** Inside another verb's transaction. Whether the enrichment has changed. */
export function prepareSettleOne(db: Database.Database, counting: Counting, by: AnsweredBy) {
  const end = prepareEnd(db);
  const dropUnread = db.prepare<[number]>('DELETE FROM unread_answers WHERE enrichment_id = ?');
  const countLook = db.prepare<[string, string, string, number]>(
    `INSERT INTO empty_answers (account, dialect, kind, confirmed, id)
     VALUES (?, ?, ?, ?, (SELECT coalesce(max(id), 0) + 1 FROM empty_answers))
     ON CONFLICT (account, dialect, kind) DO UPDATE SET
       confirmed = iif(excluded.confirmed, confirmed + 1, 0), id = iif(excluded.confirmed, id, excluded.id)`,
  );

  const { settlementsFor } = prepareServed(db);

  return function settleOne(
    settlement: Settlement,
    before = counting.look(settlement.id),
  ): boolean {
    const hasChanged = end(settlement);
    if (hasChanged && before !== undefined) counting.addAnswer(before, settlement, by);
    // An answer that could not be read is still there when a later run goes on asking.
    if (hasChanged && settlement.outcome !== 'timed_out') dropUnread.run(settlement.id);
    if (hasChanged && settlement.secondLook !== undefined) {
      const { account, dialect, isSame, kind } = settlement.secondLook;
      countLook.run(account, dialect, kind, isSame ? 1 : 0);
    }
    if (hasChanged) for (const one of settlementsFor(settlement)) settleOne(one);
    return hasChanged;
  };
}

/** Whether the enrichment has changed. */
function prepareEnd(db: Database.Database) {
  // An answer is taken in any state in which one may still come; a second answer changes nothing.
  const settle = prepareChange(
    db,
    'awaiting',
    `UPDATE enrichments SET state = ?, reason = ?, thousandths = ?, settled_at = ?, poll_at = NULL,
       deadline_at = NULL, answered_at = CASE WHEN ? = 'failed' THEN answered_at END,
       was_empty = coalesce(?, was_empty), believed = ?
     WHERE id = ? AND (state = 'awaiting' OR state = 'timed_out' OR state = 'uncertain')`,
  );
  const timeOut = prepareChange(
    db,
    'awaiting',
    `UPDATE enrichments SET state = 'timed_out', reason = ?, settled_at = ?, poll_at = NULL
     WHERE id = ? AND state = 'awaiting' AND answered_at IS NULL`,
  );
  // Its ticket was read again without an answer: its earlier answer counts.
  const stand = prepareChange(
    db,
    'awaiting',
    `UPDATE enrichments SET state = 'not_found', reason = NULL, settled_at = answered_at, answered_at = NULL,
       poll_at = NULL, deadline_at = NULL
     WHERE id = ? AND state = 'awaiting' AND answered_at IS NOT NULL`,
  );
  const keepResult = prepareKeepResult(db);

  return (settlement: Settlement): boolean => {
    const { id, at, outcome } = settlement;
    switch (outcome) {
      case 'timed_out':
        return (
          timeOut({ state: outcome, reason: settlement.reason }, settlement.reason, at, id) ||
          stand({ state: 'not_found', reason: '' }, id)
        );
      case 'failed': {
        const { reason } = settlement;
        return settle({ state: outcome, reason }, outcome, reason, 0, at, outcome, null, null, id);
      }
      case 'found':
      case 'not_found': {
        const thousandths = toThousandths(settlement.credits);
        const to = { state: outcome, reason: '', thousandths };
        const { believed } = settlement;
        const wasEmpty = believed === undefined ? null : emptinessOfBelief(believed);
        const belief = [wasEmpty, believed?.trust ?? null] as const;
        const hasChanged = settle(to, outcome, null, thousandths, at, outcome, ...belief, id);
        if (hasChanged) keepResult(id, settlement.result);
        return hasChanged;
      }
    }
  };
}
