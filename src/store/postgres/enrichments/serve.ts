// Carries out what `store/enrichments/serve.ts` decides, in the database: many at once.
import type { Ask } from '../../../model/ask.js';
import type { Result } from '../../../model/result.js';
import type { IngestTimes } from '../../../ports/store/enrichments.js';
import {
  findServing,
  isAccepted,
  isOpen,
  type Served,
  takeFrom,
  WIDE_ROW,
  type WideRow,
} from '../../enrichments/serve.js';
import { type RequestRow, toAskSets, toAsks, toRequest } from '../../enrichments/stored-request.js';
import { createSeriesNotes } from '../../runs/series.js';
import type { Sql } from '../database/database.js';
import { writeSeries } from '../runs/series.js';
import { lockAccountOf, type Verbs } from '../verbs.js';
import { doubt, keepTexts } from './held.js';
import { readHeld } from './known.js';

/** An enrichment that is queued, or waits for a wider one, and takes what comes of it. */
export interface Taker {
  readonly id: number;
  readonly runId: number;
  readonly ask: readonly Ask[];
  readonly wideId: number;
}

interface Taking extends Taker {
  readonly served: Served;
}

/** Inside another verb's transaction, which has locked them. One may take from another, which has taken then. */
export async function takeAll(
  sql: Sql,
  takers: readonly Taker[],
  times: Pick<IngestTimes, 'at' | 'deadlineAt'>,
): Promise<Taking[]> {
  const taken: Taking[] = [];
  for (let left = takers; left.length > 0; ) {
    const ids = new Set(left.map(({ id }) => id));
    const ready = left.filter(({ wideId }) => !ids.has(wideId));
    taken.push(...(await takeSome(sql, ready, times)));
    left = left.filter(({ wideId }) => ids.has(wideId));
  }
  return taken;
}

async function takeSome(
  sql: Sql,
  takers: readonly Taker[],
  times: Pick<IngestTimes, 'at' | 'deadlineAt'>,
): Promise<Taking[]> {
  const rows = await sql.rows<WideRow & { body: string | null }>(
    `SELECT ${WIDE_ROW}, r.body FROM enrichments e LEFT JOIN results r ON r.enrichment_id = e.id
     WHERE e.id = ANY($1)`,
    [takers.map(({ wideId }) => wideId)],
  );
  const wides = new Map(rows.map((row) => [row.id, row]));
  const taking = takers.map((taker): Taking => {
    const row = wides.get(taker.wideId);
    if (row === undefined) throw new Error(`there is no enrichment ${taker.wideId}`);
    const result = row.body === null ? null : (JSON.parse(row.body) as Result);
    const wide = { ...row, request: toRequest(row), result };
    return { ...taker, served: takeFrom(wide, taker.ask, times) };
  });
  await write(sql, taking);
  return taking;
}

async function write(sql: Sql, taking: readonly Taking[]): Promise<void> {
  const column = <K extends keyof Served>(key: K) => taking.map(({ served }) => served[key]);
  const ids = taking.map(({ id }) => id);
  // Along the arrows: what may have an answer was sent.
  await sql.run(
    `UPDATE enrichments e SET state = 'submitting', submitted_at = t.at
     FROM unnest($1::bigint[], $2::bigint[]) AS t (id, at) WHERE e.id = t.id AND e.state = 'queued'`,
    [ids, column('submitted_at')],
  );
  await doubt(
    sql,
    taking.flatMap(({ id, served }) => (served.state === 'submitting' ? [] : [id])),
  );
  await sql.run(
    `UPDATE enrichments e SET state = t.state, run_id = t.run_id, paid_by = t.paid_by, served_by = t.served_by,
       inputs = coalesce(t.inputs, e.inputs), ticket = t.ticket, reason = t.reason, submitted_at = t.submitted_at,
       poll_at = t.poll_at, deadline_at = t.deadline_at, settled_at = t.settled_at, answered_at = t.answered_at,
       was_empty = t.was_empty, believed = t.believed
     FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[],
       $8::text[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::smallint[], $15::bigint[])
       AS t (id, state, run_id, paid_by, served_by, inputs, ticket, reason, submitted_at, poll_at, deadline_at,
         settled_at, answered_at, was_empty, believed)
     WHERE e.id = t.id`,
    [
      ids,
      column('state'),
      taking.map(({ runId }) => runId),
      column('paid_by'),
      taking.map(({ wideId }) => wideId),
      column('inputs'),
      column('ticket'),
      column('reason'),
      column('submitted_at'),
      column('poll_at'),
      column('deadline_at'),
      column('settled_at'),
      column('answered_at'),
      column('was_empty'),
      column('believed'),
    ],
  );
  const results = taking.flatMap(({ id, served }): [number, string][] =>
    served.result === null ? [] : [[id, JSON.stringify(served.result)]],
  );
  await keepTexts(sql, 'results', new Map(results));
  const open = taking.filter(({ served }) => isOpen(served));
  if (open.length === 0) return;
  await sql.run('UPDATE enrichments SET serves = true WHERE id = ANY($1)', [
    open.map(({ wideId }) => wideId),
  ]);
  await sql.run(
    `INSERT INTO unread_answers (enrichment_id, body)
     SELECT t.id, u.body FROM unnest($1::bigint[], $2::bigint[]) AS t (id, wide_id)
       JOIN unread_answers u ON u.enrichment_id = t.wide_id
     ON CONFLICT (enrichment_id) DO UPDATE SET body = excluded.body`,
    [open.map(({ id }) => id), open.map(({ wideId }) => wideId)],
  );
}

export const serveReads = {
  asked: async (sql) =>
    toAskSets(await sql.rows<Pick<RequestRow, 'ask'>>('SELECT ask FROM asked ORDER BY ask')),
  queued: async (sql, runId, afterId, limit) => {
    const rows = await sql.rows<RequestRow & { id: number }>(
      `SELECT id, ask, inputs FROM enrichments
       WHERE run_id = $1 AND state = 'queued' AND poll_at IS NULL AND id > $2 AND lost_sends = 0 ORDER BY id LIMIT $3`,
      [runId, afterId, limit],
    );
    return rows.map(({ id, ...row }) => ({ id, request: toRequest(row) }));
  },
} satisfies Partial<Verbs>;

interface OwnRow {
  readonly id: number;
  readonly fingerprint: Uint8Array;
  readonly ask: string;
}

export const serveWrites = {
  serve: async (sql, runId, questions, times) => {
    await lockAccountOf(sql, runId);
    const rows = await sql.rows<OwnRow>(
      `SELECT id, fingerprint, ask FROM enrichments
       WHERE id = ANY($1) AND run_id = $2 AND state = 'queued' AND is_current AND lost_sends = 0`,
      [questions.map(({ id }) => id), runId],
    );
    const widerOf = new Map(questions.map(({ id, wider }) => [id, wider]));
    const leads = rows.map((row) => ({ ...row, wider: widerOf.get(row.id) ?? [] }));
    if (leads.length === 0) return 0;
    const held = await readHeld(sql, leads, { locks: true });
    const takers = leads.flatMap(({ ask, id, ...lead }): Taker[] => {
      const own = held.current(lead.fingerprint);
      if (own?.id !== id || own.state !== 'queued' || own.run_id !== runId) return [];
      const serving = findServing(held, lead, times);
      if (serving === undefined || !isAccepted(serving.row)) return [];
      return [{ id, runId, ask: toAsks(ask), wideId: serving.row.id }];
    });
    const notes = createSeriesNotes();
    for (const { id, served } of await takeAll(sql, takers, times)) {
      const { result, state } = served;
      if (result === null || (state !== 'found' && state !== 'not_found')) continue;
      const settlement = { id, at: times.at, outcome: state, result, credits: 0 };
      notes.addAnswer([0, runId, null, null, 0, 0], settlement, 'submit');
    }
    await writeSeries(sql, notes);
    return takers.length;
  },
} satisfies Partial<Verbs>;
