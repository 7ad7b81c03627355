// The story of one line, put together from every table that knows something of it.
import type Database from 'better-sqlite3';
import type { EnrichmentState } from '../../model/enrichment.js';
import type { Reject } from '../../model/lead.js';
import type { MappedInput } from '../../model/mapping.js';
import type { Result } from '../../model/result.js';
import type { JsonValue } from '../../model/text/json.js';
import type { JournalEntry } from '../../ports/store/deliveries.js';
import type { LeadHistory, LineEntries, SharingLead } from '../../ports/store/runs.js';
import { snapshot } from '../database/atomic.js';
import { JOURNAL_ENTRY } from '../deliveries/deliveries.js';
import { answeredAt, IS_ASKED_AGAIN, OLDER_ANSWER } from '../enrichments/known-answers.js';
import { toRequest } from '../enrichments/to-request.js';
import { NEVER } from '../enrichments/unread.js';

/** More of those who share are counted, and not named. */
const SHARING_MAX = 20;

interface StoryRow {
  position: number;
  source: number;
  line: number;
  cells: string;
  note: string | null;
  is_payer: number;
  id: number | null;
  fingerprint: Uint8Array;
  is_current: number;
  state: EnrichmentState;
  ask: string;
  inputs: string;
  ticket: string | null;
  reason: string | null;
  credits: number;
  run_id: number;
  paid_by: number | null;
  send_count: number;
  lost_sends: number;
  submitted_at: number | null;
  poll_count: number;
  poll_at: number | null;
  deadline_at: number | null;
  settled_at: number | null;
  body: string | null;
  stands_since: number | null;
}

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
    line: snapshot(db, (runId: number, line: number, source: number | null): LineEntries => {
      const told = leads(runId, line, source);
      const refused = rejects.all(runId, line, source);
      const isNeither = told.length === 0 && refused.length === 0;
      return {
        leads: told,
        rejects: refused,
        mapping: JSON.parse(mapping.get(runId)?.mapping ?? '[]') as MappedInput[],
        lineBefore: isNeither ? (before.get(runId, line, source)?.line ?? null) : null,
      };
    }),
    deliveriesAbout: prepareDeliveriesAbout(db),
  };
}

function prepareDeliveriesAbout(db: Database.Database) {
  // The mark as a value of its own: enr_1 is not told by a body that speaks of enr_10.
  const about = db.prepare<[number, string, number], JournalEntry>(
    `${JOURNAL_ENTRY} WHERE d.enrichment_id = ? OR EXISTS (
       SELECT 1 FROM json_each(?) mark WHERE instr(d.body, mark.value) > 0
         AND EXISTS (SELECT 1 FROM json_tree(d.body) part WHERE part.atom = mark.value))
     ORDER BY d.id LIMIT ?`,
  );

  return (enrichmentId: number, marks: readonly string[], limit: number): JournalEntry[] =>
    about.all(enrichmentId, JSON.stringify(marks), limit);
}

function prepareLeads(db: Database.Database) {
  const leads = db.prepare<[number, number, number | null], StoryRow>(
    `SELECT l.position, l.source, l.line, l.cells, l.note,
       l.is_first = 1 AND e.paid_by IS l.run_id AS is_payer, e.*, r.body,
       CASE WHEN ${IS_ASKED_AGAIN} THEN coalesce(${answeredAt('o')}, e.answered_at) END AS stands_since
     FROM leads l
     LEFT JOIN enrichments e ON e.id = l.enrichment_id
     LEFT JOIN ${OLDER_ANSWER}
     LEFT JOIN results r ON r.enrichment_id = e.id
     WHERE l.run_id = ? AND l.line = ? AND l.source = coalesce(?, l.source) ORDER BY l.position`,
  );
  const sharing = db.prepare<[number, number, number], SharingLead & { n: number }>(
    `SELECT run_id AS runId, source, line, count(*) OVER () AS n FROM leads
     WHERE enrichment_id = ? AND NOT (run_id = ? AND position = ?)
     ORDER BY run_id, position LIMIT ${SHARING_MAX}`,
  );

  const tell = (row: StoryRow, runId: number): LeadHistory => {
    const lead = toLead(row);
    if (row.id === null) return { ...lead, enrichment: null };
    const shared = sharing.all(row.id, runId, row.position);
    const sharedWith = shared.map(({ runId, source, line }) => ({ runId, source, line }));
    const sharedCount = shared[0]?.n ?? 0;
    return { ...lead, enrichment: { id: row.id, ...toEnrichment(row), sharedWith, sharedCount } };
  };

  return (runId: number, line: number, source: number | null): LeadHistory[] =>
    leads.all(runId, line, source).map((row) => tell(row, runId));
}

function toLead({ position, source, line, note, cells, is_payer }: StoryRow) {
  return {
    position,
    source,
    line,
    note,
    cells: JSON.parse(cells) as JsonValue[],
    isPayer: is_payer === 1,
  };
}

function toEnrichment(row: StoryRow) {
  return {
    fingerprint: row.fingerprint,
    isCurrent: row.is_current === 1,
    state: row.state,
    request: toRequest(row),
    ticket: row.ticket,
    reason: row.reason,
    credits: row.credits,
    runId: row.run_id,
    paidBy: row.paid_by,
    sendCount: row.send_count,
    lostSends: row.lost_sends,
    submittedAt: row.submitted_at,
    pollCount: row.poll_count,
    pollAt: row.poll_at === NEVER ? null : row.poll_at,
    deadlineAt: row.deadline_at,
    settledAt: row.settled_at,
    standsSince: row.stands_since,
    result: row.body === null ? null : (JSON.parse(row.body) as Result),
  };
}
