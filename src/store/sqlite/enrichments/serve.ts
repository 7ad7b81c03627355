// Carries out what `store/enrichments/serve.ts` decides, in the state file.
import type Database from 'better-sqlite3';
import type { Ask } from '../../../model/ask.js';
import {
  type RequestRow,
  toAskSets,
  toAsks,
  toRequest,
} from '../../../model/enrichment/stored-request.js';
import type { IngestTimes, Settlement, SubmitRecord } from '../../../ports/store/enrichments.js';
import { atomic, type Verbs } from '../database/transactions.js';
import { prepareCounting } from '../runs/series.js';
import { prepareChangeAny } from './count-changes.js';
import { prepareKnown } from './peek.js';
import { KEPT_RESULT, type KeptResult, prepareKeepResult, readResult } from './result-format.js';
import {
  findServing,
  isAccepted,
  isOpen,
  recordFor,
  type Served,
  type ServedRow,
  settlementFor,
  takeFrom,
  WIDE_ROW,
  type WideRow,
} from './rules/serve.js';

const DOUBT = `UPDATE enrichments SET state = 'uncertain', reason = 'served by a wider question'
  WHERE id = ? AND state = 'submitting'`;

/** Inside another verb's transaction: the enrichment `id`, which is queued or waits for another, takes from the wider one. */
export function prepareTake(db: Database.Database) {
  const read = db.prepare<[number], WideRow & { kept: KeptResult | null }>(
    `SELECT ${WIDE_ROW}, ${KEPT_RESULT} AS kept FROM enrichments e LEFT JOIN results r ON r.enrichment_id = e.id
     WHERE e.id = ?`,
  );
  // Along the arrows: what may have an answer was sent.
  const begin = db.prepare<[number | null, number]>(
    `UPDATE enrichments SET state = 'submitting', submitted_at = ? WHERE id = ? AND state = 'queued'`,
  );
  const doubt = db.prepare<[number]>(DOUBT);
  const end = db.prepare<(string | number | null)[]>(
    `UPDATE enrichments SET state = ?, run_id = ?, paid_by = ?, served_by = ?, inputs = coalesce(?, inputs), ticket = ?,
       ticket_digest = CASE WHEN ? IS NOT NULL THEN ticket_digest(?) END, reason = ?, submitted_at = ?, poll_at = ?,
       deadline_at = ?, settled_at = ?, answered_at = ?, was_empty = ?, believed = ?
     WHERE id = ?`,
  );
  const serve = db.prepare<[number]>('UPDATE enrichments SET serves = 1 WHERE id = ?');
  const keepUnread = db.prepare<[number, number]>(
    `INSERT OR REPLACE INTO unread_answers (enrichment_id, body)
     SELECT ?, body FROM unread_answers WHERE enrichment_id = ?`,
  );
  const keepResult = prepareKeepResult(db);
  const change = prepareChangeAny(db);

  const becomes = (id: number, runId: number, servedBy: number, one: Served): void => {
    begin.run(one.submitted_at, id);
    if (one.state !== 'submitting') doubt.run(id);
    end.run(
      one.state,
      runId,
      one.paid_by,
      servedBy,
      one.inputs,
      one.ticket,
      one.ticket,
      one.ticket,
      one.reason,
      one.submitted_at,
      one.poll_at,
      one.deadline_at,
      one.settled_at,
      one.answered_at,
      one.was_empty,
      one.believed,
      id,
    );
  };

  return (
    taker: { readonly id: number; readonly ask: readonly Ask[]; readonly runId: number },
    wideId: number,
    times: Pick<IngestTimes, 'at' | 'deadlineAt'>,
  ): Served => {
    const { ask, id, runId } = taker;
    const row = read.get(wideId);
    if (row === undefined) throw new Error(`there is no enrichment ${wideId}`);
    const result = row.kept === null ? null : readResult(row.kept);
    const served = takeFrom({ ...row, request: toRequest(row), result }, ask, times);
    change(id, () => {
      becomes(id, runId, wideId, served);
      return true;
    });
    if (isOpen(served)) serve.run(wideId);
    if (served.state === 'awaiting') keepUnread.run(id, wideId);
    if (served.result !== null) keepResult(id, served.result);
    return served;
  };
}

interface WaitingRow extends ServedRow {
  /** What the wider question asks, and about what. */
  readonly wide: string;
  readonly inputs: string;
}

/** What comes of an enrichment comes of those that it serves, and have not sent anything themselves. */
export function prepareServed(db: Database.Database) {
  const waiting = db.prepare<[number], WaitingRow>(
    `SELECT s.id, s.ask, s.send_count, e.ask AS wide, e.inputs FROM enrichments e JOIN enrichments s ON s.served_by = e.id
     WHERE e.id = ? AND e.serves = 1`,
  );
  const doubt = db.prepare<[number]>(DOUBT);
  const change = prepareChangeAny(db);

  return {
    recordsFor: (record: SubmitRecord): SubmitRecord[] =>
      waiting.all(record.id).map(({ id, send_count }) => recordFor(id, send_count, record)),
    settlementsFor: (settlement: Settlement): Settlement[] =>
      waiting.all(settlement.id).flatMap(({ id, ask, wide, inputs }) => {
        const one = settlementFor(id, toAsks(ask), toRequest({ ask: wide, inputs }), settlement);
        if (one !== undefined) change(id, () => doubt.run(id).changes > 0);
        return one ?? [];
      }),
  };
}

export function prepareServing(db: Database.Database) {
  const asked = db.prepare<[], Pick<RequestRow, 'ask'>>('SELECT ask FROM asked ORDER BY ask');
  const queued = db.prepare<[number, number, number], RequestRow & { readonly id: number }>(
    `SELECT id, ask, inputs FROM enrichments
     WHERE run_id = ? AND state = 'queued' AND poll_at IS NULL AND id > ? AND lost_sends = 0 ORDER BY id LIMIT ?`,
  );

  return {
    asked: () => toAskSets(asked.all()),
    queued: (runId, afterId, limit) =>
      queued.all(runId, afterId, limit).map(({ id, ...row }) => ({ id, request: toRequest(row) })),
    serve: prepareServeQueued(db),
  } satisfies Partial<Verbs>;
}

function prepareServeQueued(db: Database.Database): Verbs['serve'] {
  const own = db.prepare<[number, number], { fingerprint: Uint8Array; ask: string }>(
    `SELECT fingerprint, ask FROM enrichments
     WHERE id = ? AND run_id = ? AND state = 'queued' AND is_current = 1 AND lost_sends = 0`,
  );
  const known = prepareKnown(db);
  const counting = prepareCounting(db);
  const take = prepareTake(db);

  const serveOne = (
    runId: number,
    { id, wider }: Parameters<Verbs['serve']>[1][number],
    times: Parameters<Verbs['serve']>[2],
  ): boolean => {
    const row = own.get(id, runId);
    if (row === undefined) return false;
    const serving = findServing(known, { fingerprint: row.fingerprint, wider }, times);
    if (serving === undefined || !isAccepted(serving.row)) return false;
    const before = counting.look(id);
    const served = take({ id, ask: toAsks(row.ask), runId }, serving.row.id, times);
    const { result, state } = served;
    if (before !== undefined && result !== null && (state === 'found' || state === 'not_found')) {
      const settlement = { id, at: times.at, outcome: state, result, credits: 0 };
      counting.addAnswer(before, settlement, 'submit');
    }
    return true;
  };
  return atomic(
    db,
    counting.within(
      (runId, questions, times) => questions.filter((one) => serveOne(runId, one, times)).length,
    ),
  );
}
