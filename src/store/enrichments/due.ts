// The rows of awaited enrichments, when they are due, and who else has their tickets.

import { othersAmong, type TicketHolder } from '../../model/enrichment/shared-ticket.js';
import {
  type RequestRow,
  toAsks,
  toInputs,
  toRequest,
} from '../../model/enrichment/stored-request.js';
import type { AwaitedEnrichment } from '../../ports/store/enrichments.js';
import type { Sql } from '../sql.js';
import { IS_REMEMBERED } from './known-answers.js';

/** Columns, in SQL, of enrichment `e` with the wider enrichment `w` whose ticket it uses; an unread answer is either's. */
export const AWAITED_ROW = `e.id, e.ticket, coalesce(w.ask, e.ask) AS ask, CASE WHEN w.id IS NOT NULL THEN e.ask END AS part,
  e.inputs, e.submitted_at AS "submittedAt", e.poll_at AS "pollAt", e.deadline_at AS "deadlineAt",
  e.poll_count AS "pollCount", e.was_empty AS "wasEmpty",
  (SELECT u.body FROM unread_answers u WHERE u.enrichment_id IN (e.id, e.served_by) LIMIT 1) AS unread`;
export const AWAITED_FROM = 'enrichments e LEFT JOIN enrichments w ON w.id = e.served_by';

export type AwaitedRow = Omit<AwaitedEnrichment, 'request' | 'part' | 'wasEmpty'> &
  RequestRow & { readonly part: string | null; readonly wasEmpty: boolean | 0 | 1 };

export function toAwaited(row: AwaitedRow): AwaitedEnrichment {
  const { id, ticket, submittedAt, pollAt, deadlineAt, pollCount, unread } = row;
  const request = toRequest(row);
  const due = { id, ticket, request, submittedAt, pollAt, deadlineAt, pollCount };
  const part = row.part === null ? {} : { part: toAsks(row.part) };
  return { ...due, ...part, wasEmpty: Boolean(row.wasEmpty), unread };
}

/** The number of those with one ticket that are looked at. */
const HOLDERS_MAX = 100;
/** The questions that a wider one serves have its ticket too, and are about the same person. */
const HOLDERS = `SELECT e.ticket, e.inputs, e.run_id AS "runId",
    (SELECT min(l.line) FROM leads l WHERE l.enrichment_id = e.id AND l.run_id = e.run_id) AS line
  FROM enrichments e JOIN runs r ON r.id = e.run_id
  WHERE e.ticket = $1 AND r.account = $2 AND e.${IS_REMEMBERED} ORDER BY e.id LIMIT ${HOLDERS_MAX}`;

/** All who have one of these tickets of the account, by those tickets that more than one has. */
export async function findHolders(
  sql: Sql,
  account: string,
  tickets: readonly string[],
): Promise<TicketHolder[]> {
  if (tickets.length === 0) return [];
  const shared = await sql.rows<{ ticket: string }>(
    'SELECT ticket FROM enrichments WHERE ticket = ANY ($1) GROUP BY ticket HAVING count(*) > 1',
    [tickets],
  );
  const holders: TicketHolder[] = [];
  for (const { ticket } of shared) {
    const rows = await sql.rows<Omit<TicketHolder, 'inputs'> & { inputs: string }>(HOLDERS, [
      ticket,
      account,
    ]);
    if (rows.length > 1)
      holders.push(...rows.map((row) => ({ ...row, inputs: toInputs(row.inputs) })));
  }
  return holders;
}

/** Adds to awaited enrichments who else has their tickets. */
export async function withOthers<E extends Pick<AwaitedEnrichment, 'request'>>(
  sql: Sql,
  account: string,
  awaited: readonly (E & { readonly ticket: string | null })[],
): Promise<(E & Pick<AwaitedEnrichment, 'others'>)[]> {
  const holders = await findHolders(
    sql,
    account,
    awaited.flatMap(({ ticket }) => ticket ?? []),
  );
  if (holders.length === 0) return [...awaited];
  return awaited.map((one) => {
    const same = holders.filter(({ ticket }) => ticket === one.ticket);
    const others = othersAmong(same, one.request.inputs);
    return others.length === 0 ? one : { ...one, others };
  });
}
