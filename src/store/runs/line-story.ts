import { fromThousandths } from '../../model/credits.js';
import { NEVER } from '../../model/enrichment/locked.js';
import { toAsks, toRequest } from '../../model/enrichment/stored-request.js';
import type {
  EnrichmentHistory,
  KnownAsks,
  LeadHistory,
  SharingLead,
} from '../../ports/store/runs.js';
import {
  answeredAt,
  IS_API,
  IS_ASKED_AGAIN,
  IS_SUPPRESSED,
  isImported,
  OLDER_ANSWER,
  SHOWN_REASON,
} from '../enrichments/known-answers.js';
import { toldTicket } from '../maintenance/forgetting.js';
import type { Sql } from '../sql.js';

/** The greatest number of leads with the same enrichment that are named; all are counted. */
const SHARING_MAX = 20;

/** A `LeadHistory` and its `EnrichmentHistory` as one row: JSON is text. */
export type StoryRow = Omit<LeadHistory, 'cells' | 'enrichment'> &
  Omit<
    EnrichmentHistory,
    'id' | 'request' | 'credits' | 'result' | 'sharedWith' | 'sharedCount' | 'known' | 'foundSince'
  > & {
    /** Null for a lead without an enrichment, as all following fields then are. */
    readonly id: number | null;
    readonly ask: string;
    readonly inputs: string;
    readonly thousandths: number;
  };

export const STORY_COLUMNS = `l.position, l.source, l.line, l.note, l.not_asked AS is_not_asked, ${IS_API} AS is_payer,
    e.id, e.fingerprint, e.is_current, e.state, e.ask, e.inputs, ${toldTicket('e.ticket')} AS ticket,
    ${SHOWN_REASON} AS reason, ${IS_SUPPRESSED} AS is_suppressed, ${isImported('e')} AS is_imported, e.thousandths,
    e.run_id, e.paid_by, e.send_count, e.lost_sends, e.submitted_at, e.poll_count,
    nullif(e.poll_at, ${NEVER}) AS poll_at, e.deadline_at, e.settled_at,
    CASE WHEN ${IS_ASKED_AGAIN} THEN coalesce(${answeredAt('o')}, e.answered_at) END AS stands_since`;

export const TOLD_LEADS = `leads l
  LEFT JOIN enrichments e ON e.id = l.enrichment_id
  LEFT JOIN ${OLDER_ANSWER}
  LEFT JOIN results r ON r.enrichment_id = e.id AND NOT (${IS_SUPPRESSED})`;

interface Sharing {
  /** The first of them. */
  readonly leads: readonly SharingLead[];
  readonly count: number;
}

/** The leads that have an enrichment, but for one of them. */
export async function leadsSharing(
  sql: Sql,
  enrichment: number,
  [run, position]: readonly [run: number, position: number] = [0, 0],
): Promise<Sharing> {
  const leads = await sql.rows<SharingLead & { readonly n: number }>(
    `SELECT run_id, source, line, count(*) OVER () AS n FROM leads
     WHERE enrichment_id = $1 AND NOT (run_id = $2 AND position = $3)
       AND run_id IN (SELECT id FROM runs WHERE pruned_at IS NULL)
     ORDER BY run_id, position LIMIT ${SHARING_MAX}`,
    [enrichment, run, position],
  );
  return { leads: leads.map(({ n: _count, ...lead }) => lead), count: leads[0]?.n ?? 0 };
}

export const KNOWN_ASKS = `SELECT s.ask, f.id AS enrichment_id, coalesce(f.paid_by, f.run_id) AS run_id,
    coalesce(f.answered_at, f.settled_at) AS answered_at, ${isImported('f')} AS is_imported,
    (SELECT min(l.line) FROM leads l WHERE l.enrichment_id = f.id AND l.run_id = coalesce(f.paid_by, f.run_id)) AS line
  FROM stands s JOIN enrichments f ON f.id = s.from_id WHERE s.enrichment_id = $1 ORDER BY s.ask`;

export type KnownAsksRow = Omit<KnownAsks, 'asks'> & { readonly ask: string };

export function toLeadHistory(
  row: StoryRow,
  kept: Pick<LeadHistory, 'cells'> & Pick<EnrichmentHistory, 'result'>,
  sharing: Sharing,
  known: readonly KnownAsksRow[],
  foundSince: EnrichmentHistory['foundSince'],
): LeadHistory {
  const { position, source, line, note, isNotAsked, isPayer, id, ...asked } = row;
  const { cells, result } = kept;
  const lead = { position, source, line, note, isNotAsked, isPayer, cells };
  if (id === null) return { ...lead, enrichment: null };
  const { ask, inputs, thousandths, ...history } = asked;
  const enrichment = {
    ...history,
    id,
    request: toRequest({ ask, inputs }),
    credits: fromThousandths(thousandths),
    result,
    foundSince,
    known: known.map(({ ask: some, ...from }) => ({ ...from, asks: toAsks(some) })),
    sharedWith: sharing.leads,
    sharedCount: sharing.count,
  };
  return { ...lead, enrichment };
}
