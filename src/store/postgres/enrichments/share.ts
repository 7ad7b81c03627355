// Finds the enrichments that answer the leads of a batch, or makes them, as `store/enrichments/share.ts` decides.
import type { AskedLead, IngestTimes } from '../../../ports/store/enrichments.js';
import { NEVER } from '../../enrichments/due.js';
import { type Before, type KnownRow, NOTHING_BEFORE } from '../../enrichments/known.js';
import { decideTaker, findServing, provisionally } from '../../enrichments/serve.js';
import { decideShare, findInstead, type How } from '../../enrichments/share.js';
import { type RequestRow, toRequestRow } from '../../enrichments/stored-request.js';
import type { Sql } from '../database/database.js';
import type { Held, HeldRow } from './known.js';
import { reopenTimedOut, requeueUncertain, retire } from './put-back.js';
import { type Taker, takeAll } from './serve.js';

/** How a lead comes by its enrichment, and what is noted of the lead. */
export interface Shared {
  readonly id: number;
  readonly how: How;
  readonly note: string | null;
}

/** A new enrichment has an id below zero until it is written. */
interface Created {
  readonly row: HeldRow;
  readonly request: RequestRow;
}

interface Shares {
  /** In the order of the leads: each sees what was decided for those before it. */
  share(lead: AskedLead): Shared;
  readonly created: readonly Created[];
  /** Known by a former fingerprint until now; written already, or not. */
  readonly renamed: ReadonlySet<HeldRow>;
  /** Ids by what is to be done with them. */
  readonly steps: Readonly<
    Record<'take_over' | 'reopen' | 'requeue' | 'replace', readonly number[]>
  >;
  /** Those that take what comes of wider questions. */
  readonly takers: readonly Taker[];
}

export function openShares(held: Held, runId: number, times: IngestTimes): Shares {
  const created: Created[] = [];
  const renamed = new Set<HeldRow>();
  const steps = { take_over: [], reopen: [], requeue: [], replace: [] } as Record<
    keyof Shares['steps'],
    number[]
  >;
  const takers: Taker[] = [];

  const create = ({ fingerprint, request }: AskedLead, before: Before): HeldRow => {
    const row: HeldRow = {
      id: -1 - created.length,
      fingerprint,
      ...before,
      run_id: runId,
      paid_by: null,
      state: 'queued',
      ticket: null,
      settled_at: null,
      answered_at: null,
      served_by: null,
      wanted: null,
    };
    created.push({ row, request: toRequestRow(request) });
    held.put(row);
    return row;
  };

  /** The lead by the fingerprint under which it is known. */
  const whatIsKnown = (lead: AskedLead): AskedLead => {
    const { fingerprint, formerFingerprint } = lead;
    const former = formerFingerprint && held.current(formerFingerprint);
    // Only where no enrichment counts for the new fingerprint. The history of the former one stays where it is.
    if (former !== undefined && held.current(fingerprint) === undefined) {
      held.rename(former, fingerprint);
      renamed.add(former);
    }
    const instead = findInstead(held, lead, times.freshSince);
    return instead === undefined ? lead : { ...lead, ...instead };
  };

  const serve = (lead: AskedLead, wide: KnownRow): Shared => {
    const own = held.current(lead.fingerprint);
    const taker = decideTaker(own);
    if (taker.id === null && own !== undefined) steps.replace.push(own.id);
    const row = taker.id === null ? create(lead, taker.before) : (held.byId(taker.id) as HeldRow);
    takers.push({ id: row.id, ask: lead.request.ask, runId, wideId: wide.id });
    const { how, ...now } = provisionally(wide);
    Object.assign(row, now, { run_id: runId });
    return { id: row.id, how, note: lead.note };
  };

  const share = (entry: AskedLead): Shared => {
    const lead = whatIsKnown(entry);
    const { note } = lead;
    const serving = findServing(held, lead, times);
    if (serving !== undefined) return serve(lead, serving.row);
    const row = held.current(lead.fingerprint);
    if (row === undefined) return { id: create(lead, NOTHING_BEFORE).id, how: 'queued', note };
    const decision = decideShare(held, row, runId, times);
    const { id, step } = decision;
    if (step === 'share') return { id, how: decision.how, note };
    steps[step].push(id);
    if (step === 'replace') return { id: create(lead, decision.before).id, how: 'queued', note };
    const { how, state } = decision;
    // Nothing of this has ended, also where it had timed out.
    Object.assign(held.byId(id) as HeldRow, { run_id: runId, state, settled_at: null });
    return { id, how, note };
  };

  return { share, created, renamed, steps, takers };
}

/** Returns the id that an enrichment has now. */
export async function writeShares(
  sql: Sql,
  runId: number,
  { created, renamed, steps, takers }: Shares,
  times: IngestTimes,
): Promise<(id: number) => number> {
  await retire(sql, steps.replace);
  await rename(
    sql,
    [...renamed].filter(({ id }) => id > 0),
    new Set(steps.replace),
  );
  if (steps.take_over.length > 0) {
    await sql.run(
      `UPDATE enrichments SET run_id = $2, poll_at = CASE WHEN poll_at = ${NEVER} THEN $3 ELSE poll_at END
       WHERE id = ANY($1)`,
      [steps.take_over, runId, times.at],
    );
  }
  await reopenTimedOut(sql, steps.reopen, runId, times);
  await requeueUncertain(sql, steps.requeue, runId);
  const ids = await create(sql, runId, created);
  const idOf = (id: number) => (id < 0 ? (ids[-1 - id] as number) : id);
  const taking = takers.map((one) => ({ ...one, id: idOf(one.id), wideId: idOf(one.wideId) }));
  await takeAll(sql, taking, times);
  return idOf;
}

/** In two steps: one may take the fingerprint that another has left. */
async function rename(
  sql: Sql,
  rows: readonly HeldRow[],
  retired: ReadonlySet<number>,
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await retire(sql, ids);
  await sql.run(
    `UPDATE enrichments e SET fingerprint = r.fingerprint, is_current = r.is_current
     FROM unnest($1::bigint[], $2::bytea[], $3::boolean[]) AS r (id, fingerprint, is_current)
     WHERE e.id = r.id`,
    [ids, rows.map(({ fingerprint }) => fingerprint), rows.map(({ id }) => !retired.has(id))],
  );
}

/** Returns their ids, in the same order. */
async function create(sql: Sql, runId: number, created: readonly Created[]): Promise<number[]> {
  if (created.length === 0) return [];
  const rows = await sql.rows<{ id: number }>(
    `WITH noted AS (
       INSERT INTO asked SELECT DISTINCT ask FROM unnest($3::text[]) AS n (ask) ORDER BY ask ON CONFLICT DO NOTHING)
     INSERT INTO enrichments (run_id, fingerprint, ask, inputs, older_answer, predecessor)
     SELECT $1, fingerprint, ask, inputs, older_answer, predecessor
     FROM unnest($2::bytea[], $3::text[], $4::text[], $5::bigint[], $6::bigint[]) WITH ORDINALITY
       AS n (fingerprint, ask, inputs, older_answer, predecessor, ord)
     ORDER BY ord RETURNING id`,
    [
      runId,
      created.map(({ row }) => row.fingerprint),
      created.map(({ request }) => request.ask),
      created.map(({ request }) => request.inputs),
      created.map(({ row }) => row.older_answer),
      created.map(({ row }) => row.predecessor),
    ],
  );
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}
