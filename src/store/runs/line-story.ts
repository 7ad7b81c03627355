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
  IS_ASKED_AGAIN,
  IS_SUPPRESSED,
  isImported,
  OLDER_ANSWER,
  SHOWN_REASON,
} from '../enrichments/known-answers.js';
import { toldTicket } from '../maintenance/forgetting.js';

/** The greatest number of leads with the same enrichment that are named; all are counted. */
const SHARING_MAX = 20;

/** A `LeadHistory` and its `EnrichmentHistory` as one row: JSON is text, and flags are numbers. */
export type StoryRow = Omit<LeadHistory, 'cells' | 'isNotAsked' | 'isPayer' | 'enrichment'> &
  Omit<
    EnrichmentHistory,
    | 'id'
    | 'isCurrent'
    | 'isImported'
    | 'isSuppressed'
    | 'request'
    | 'credits'
    | 'result'
    | 'sharedWith'
    | 'sharedCount'
    | 'known'
    | 'foundSince'
  > & {
    readonly isNotAsked: 0 | 1;
    readonly isPayer: 0 | 1;
    /** Null for a lead without an enrichment, as all following fields then are. */
    readonly id: number | null;
    readonly isCurrent: 0 | 1;
    readonly isImported: 0 | 1;
    readonly isSuppressed: 0 | 1;
    readonly ask: string;
    readonly inputs: string;
    readonly thousandths: number;
  };

export type SharingRow = SharingLead & { readonly n: number };

function flag(condition: string): string {
  return `CASE WHEN ${condition} THEN 1 ELSE 0 END`;
}

export const STORY_COLUMNS = `l.position, l.source, l.line, l.note, ${flag('l.not_asked')} AS "isNotAsked",
    ${flag('l.is_first AND e.paid_by IS NOT DISTINCT FROM l.run_id')} AS "isPayer",
    e.id, e.fingerprint, ${flag('e.is_current')} AS "isCurrent", e.state, e.ask, e.inputs,
    ${toldTicket('e.ticket')} AS ticket, ${SHOWN_REASON} AS reason, ${flag(IS_SUPPRESSED)} AS "isSuppressed",
    ${flag(isImported('e'))} AS "isImported", e.thousandths, e.run_id AS "runId", e.paid_by AS "paidBy", e.send_count AS "sendCount", e.lost_sends AS "lostSends",
    e.submitted_at AS "submittedAt", e.poll_count AS "pollCount", nullif(e.poll_at, ${NEVER}) AS "pollAt",
    e.deadline_at AS "deadlineAt", e.settled_at AS "settledAt",
    CASE WHEN ${IS_ASKED_AGAIN} THEN coalesce(${answeredAt('o')}, e.answered_at) END AS "standsSince"`;

export const TOLD_LEADS = `leads l
  LEFT JOIN enrichments e ON e.id = l.enrichment_id
  LEFT JOIN ${OLDER_ANSWER}
  LEFT JOIN results r ON r.enrichment_id = e.id AND NOT (${IS_SUPPRESSED})`;

/** All three are parameters. */
export function sharingLeads(enrichment: string, run: string, position: string): string {
  return `SELECT run_id AS "runId", source, line, count(*) OVER () AS n FROM leads
    WHERE enrichment_id = ${enrichment} AND NOT (run_id = ${run} AND position = ${position})
      AND run_id IN (SELECT id FROM runs WHERE pruned_at IS NULL)
    ORDER BY run_id, position LIMIT ${SHARING_MAX}`;
}

export const KNOWN_ASKS = `SELECT s.ask, f.id AS "enrichmentId", coalesce(f.paid_by, f.run_id) AS "runId",
    coalesce(f.answered_at, f.settled_at) AS "answeredAt", ${flag(isImported('f'))} AS "isImported",
    (SELECT min(l.line) FROM leads l WHERE l.enrichment_id = f.id AND l.run_id = coalesce(f.paid_by, f.run_id)) AS line
  FROM stands s JOIN enrichments f ON f.id = s.from_id WHERE s.enrichment_id = $1 ORDER BY s.ask`;

export type KnownAsksRow = Omit<KnownAsks, 'asks' | 'isImported'> & {
  readonly ask: string;
  readonly isImported: 0 | 1;
};

export function toLeadHistory(
  row: StoryRow,
  kept: Pick<LeadHistory, 'cells'> & Pick<EnrichmentHistory, 'result'>,
  sharing: readonly SharingRow[],
  known: readonly KnownAsksRow[],
  foundSince: EnrichmentHistory['foundSince'],
): LeadHistory {
  const { position, source, line, note, isNotAsked, isPayer, id, ...asked } = row;
  const { cells, result } = kept;
  const lead = { position, source, line, note, isNotAsked: isNotAsked === 1, cells };
  if (id === null) return { ...lead, isPayer: isPayer === 1, enrichment: null };
  const {
    isCurrent,
    isImported: isBought,
    isSuppressed,
    ask,
    inputs,
    thousandths,
    ...history
  } = asked;
  const enrichment = {
    ...history,
    id,
    isCurrent: isCurrent === 1,
    isImported: isBought === 1,
    isSuppressed: isSuppressed === 1,
    request: toRequest({ ask, inputs }),
    credits: fromThousandths(thousandths),
    result,
    foundSince,
    known: known.map(({ ask: some, isImported: isToo, ...from }) => ({
      ...from,
      asks: toAsks(some),
      isImported: isToo === 1,
    })),
    sharedWith: sharing.map(({ n: _count, ...other }) => other),
    sharedCount: sharing[0]?.n ?? 0,
  };
  return { ...lead, isPayer: isPayer === 1, enrichment };
}
