// The history of one line, from every table that knows something of it.
import type Database from 'better-sqlite3';
import { fromThousandths } from '../../model/credits.js';
import type { Reject } from '../../model/lead.js';
import type { MappedInput } from '../../model/mapping/mapping.js';
import type { JournalEntry } from '../../ports/store/deliveries.js';
import type { EnrichmentHistory, LeadHistory, SharingLead } from '../../ports/store/runs.js';
import { snapshot, type Verbs } from '../database/transactions.js';
import { JOURNAL_ENTRY } from '../deliveries/deliveries.js';
import { answeredAt, IS_ASKED_AGAIN, OLDER_ANSWER } from '../enrichments/known-answers.js';
import { KEPT_RESULT, type KeptResult, readResult } from '../enrichments/result-format.js';
import { NEVER } from '../enrichments/settle.js';
import { toRequest } from '../enrichments/stored-request.js';
import { type CellsOf, prepareReadCells } from '../lead-cells.js';

/** More leads that share an enrichment are counted, and not named. */
const SHARING_MAX = 20;

/** A `LeadHistory` and its `EnrichmentHistory` as one row: JSON is text, and flags are numbers. */
type StoryRow = Omit<LeadHistory, 'cells' | 'isNotAsked' | 'isPayer' | 'enrichment'> &
  Omit<
    EnrichmentHistory,
    'id' | 'isCurrent' | 'request' | 'credits' | 'result' | 'sharedWith' | 'sharedCount'
  > & {
    readonly isNotAsked: number;
    readonly isPayer: number;
    /** Null for a lead without an enrichment: then all of what follows is. */
    readonly id: number | null;
    readonly isCurrent: number;
    readonly ask: string;
    readonly inputs: string;
    readonly thousandths: number;
    readonly kept: KeptResult | null;
  };

export function prepareLineHistory(db: Database.Database) {
  const rejects = db.prepare<[number, number, number | null], Reject>(
    `SELECT source, line, reason, raw FROM rejects
     WHERE run_id = ? AND line = ? AND source = coalesce(?, source) ORDER BY id`,
  );
  const mapping = db.prepare<[number], { mapping: string }>(
    'SELECT mapping FROM runs WHERE id = ?',
  );
  const before = db.prepare<[number, number, number | null], { line: number | null }>(
    `SELECT max(line) AS line FROM leads
     WHERE run_id = ? AND line < ? AND source = coalesce(?, source)`,
  );
  const leads = prepareLeads(db);

  return {
    lineHistory: snapshot(db, (runId, line, source) => {
      const found = leads(runId, line, source);
      const refused = rejects.all(runId, line, source);
      const isNeither = found.length === 0 && refused.length === 0;
      return {
        leads: found,
        rejects: refused,
        mapping: JSON.parse(mapping.get(runId)?.mapping ?? '[]') as MappedInput[],
        lineBefore: isNeither ? (before.get(runId, line, source)?.line ?? null) : null,
      };
    }),
    deliveriesAbout: prepareDeliveriesAbout(db),
  } satisfies Partial<Verbs>;
}

function prepareDeliveriesAbout(db: Database.Database): Verbs['deliveriesAbout'] {
  // The mark is a value of its own: a body that names enr_10 does not name enr_1.
  // Where the body has left, the delivery still knows what it settled.
  const about = db.prepare<[number, string, string, number], JournalEntry>(
    `${JOURNAL_ENTRY} WHERE d.enrichment_id = ? OR instr(d.also_settled, ?) > 0 OR EXISTS (
       SELECT 1 FROM json_each(?) mark WHERE instr(b.body, mark.value) > 0
         AND EXISTS (SELECT 1 FROM json_tree(b.body) part WHERE part.atom = mark.value))
     ORDER BY d.id LIMIT ?`,
  );

  return (enrichmentId, marks, limit) =>
    about.all(enrichmentId, ` ${enrichmentId} `, JSON.stringify(marks), limit);
}

function prepareLeads(db: Database.Database) {
  const leads = db.prepare<[number, number, number | null], StoryRow>(
    `SELECT l.position, l.source, l.line, l.note, l.not_asked AS isNotAsked,
       l.is_first = 1 AND e.paid_by IS l.run_id AS isPayer,
       e.id, e.fingerprint, e.is_current AS isCurrent, e.state, e.ask, e.inputs, e.ticket, e.reason, e.thousandths,
       e.run_id AS runId, e.paid_by AS paidBy, e.send_count AS sendCount, e.lost_sends AS lostSends,
       e.submitted_at AS submittedAt, e.poll_count AS pollCount, nullif(e.poll_at, ${NEVER}) AS pollAt,
       e.deadline_at AS deadlineAt, e.settled_at AS settledAt, ${KEPT_RESULT} AS kept,
       CASE WHEN ${IS_ASKED_AGAIN} THEN coalesce(${answeredAt('o')}, e.answered_at) END AS standsSince
     FROM leads l
     LEFT JOIN enrichments e ON e.id = l.enrichment_id
     LEFT JOIN ${OLDER_ANSWER}
     LEFT JOIN results r ON r.enrichment_id = e.id
     WHERE l.run_id = ? AND l.line = ? AND l.source = coalesce(?, l.source) ORDER BY l.position`,
  );
  const sharing = db.prepare<[number, number, number], SharingLead & { n: number }>(
    `SELECT run_id AS runId, source, line, count(*) OVER () AS n FROM leads
     WHERE enrichment_id = ? AND NOT (run_id = ? AND position = ?)
       AND run_id IN (SELECT id FROM runs WHERE pruned_at IS NULL)
     ORDER BY run_id, position LIMIT ${SHARING_MAX}`,
  );

  const readCells = prepareReadCells(db);

  const toLead = (row: StoryRow, runId: number, cellsOf: CellsOf): LeadHistory => {
    const { position, source, line, note, isNotAsked, isPayer, id, ...asked } = row;
    const cells = cellsOf(position);
    const lead = { position, source, line, note, isNotAsked: isNotAsked === 1, cells };
    if (id === null) return { ...lead, isPayer: isPayer === 1, enrichment: null };
    const shared = sharing.all(id, runId, position);
    const { isCurrent, ask, inputs, kept, thousandths, ...history } = asked;
    const enrichment = {
      ...history,
      id,
      isCurrent: isCurrent === 1,
      request: toRequest({ ask, inputs }),
      credits: fromThousandths(thousandths),
      result: kept === null ? null : readResult(kept),
      sharedWith: shared.map(({ n: _count, ...other }) => other),
      sharedCount: shared[0]?.n ?? 0,
    };
    return { ...lead, isPayer: isPayer === 1, enrichment };
  };

  return (runId: number, line: number, source: number | null): LeadHistory[] => {
    const cellsOf = readCells(runId);
    return leads.all(runId, line, source).map((row) => toLead(row, runId, cellsOf));
  };
}
