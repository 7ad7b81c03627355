// Adds leads, and decides for each whether it costs anything: the one place where payments are shared.
import type Database from 'better-sqlite3';
import type { EnrichmentState } from '../../model/enrichment.js';
import type { Column } from '../../model/lead.js';
import type { MappedInput } from '../../model/mapping.js';
import type { IngestBatch, IngestCount, IngestTimes, LeadEntry } from '../../ports/store/store.js';
import { atomic } from '../database/atomic.js';
import { ENDED_BY_ID, type EndedRow, isFresh, isReadAgain, wasAccepted } from './known-answers.js';
import { NEVER } from './unread.js';

interface CurrentRow {
  id: number;
  run_id: number;
  paid_by: number | null;
  state: EnrichmentState;
  ticket: string | null;
  settled_at: number | null;
  older_answer: number | null;
  predecessor: number | null;
  answered_at: number | null;
}

/** What came before a new enrichment, and stands or counts until it is so far. */
type Before = Pick<CurrentRow, 'older_answer' | 'predecessor'>;
const NOTHING_BEFORE: Before = { older_answer: null, predecessor: null };

interface ProgressRow {
  lead_count: number;
  columns: string;
  mapping: string;
}

/** The user said so: it is sent once more, by the run that is told to; the run, the run again, the enrichment. */
export const REQUEUE_UNCERTAIN = `UPDATE enrichments SET state = 'queued', run_id = ?, reason = NULL,
    lost_sends = CASE WHEN paid_by = ? THEN lost_sends + 1 ELSE 0 END, paid_by = NULL
  WHERE id = ?`;

/** Its ticket is asked for again, for nothing; the run, when, until when, the enrichment. */
export const REOPEN_TIMED_OUT = `UPDATE enrichments SET state = 'awaiting', run_id = ?, poll_at = ?, deadline_at = ?,
       reason = NULL, settled_at = NULL
     WHERE id = ?`;

type AskedLead = LeadEntry & { kind: 'asked' };

/** How a lead came by its enrichment. */
type Share = { id: number; how: 'queued' | 'awaiting' | 'cached' | 'shared'; isFirst: boolean };

export function prepareIngest(db: Database.Database) {
  const progress = db.prepare<[number], ProgressRow>(
    'SELECT lead_count, columns, mapping FROM runs WHERE id = ?',
  );
  const current = db.prepare<[Uint8Array], CurrentRow>(
    `SELECT id, run_id, paid_by, state, ticket, settled_at, older_answer, predecessor, answered_at
     FROM enrichments
     WHERE fingerprint = ? AND is_current = 1`,
  );
  // Where none counts for the new fingerprint. The history of the former one stays where it is.
  const adoptFormer = db.prepare<[Uint8Array, Uint8Array, Uint8Array]>(
    `UPDATE enrichments SET fingerprint = ? WHERE fingerprint = ? AND is_current = 1
       AND NOT EXISTS (SELECT 1 FROM enrichments WHERE fingerprint = ? AND is_current = 1)`,
  );
  const retire = db.prepare<[number]>('UPDATE enrichments SET is_current = 0 WHERE id = ?');
  const insertEnrichment = db.prepare<
    [Uint8Array, number, string, string, number | null, number | null]
  >(
    `INSERT INTO enrichments (fingerprint, run_id, ask, inputs, older_answer, predecessor)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (fingerprint) WHERE is_current = 1 DO NOTHING`,
  );
  const ended = db.prepare<[number], EndedRow>(ENDED_BY_ID);
  const takeOver = db.prepare<[number, number, number]>(
    `UPDATE enrichments SET run_id = ?, poll_at = CASE WHEN poll_at = ${NEVER} THEN ? ELSE poll_at END
     WHERE id = ?`,
  );
  const reopen = db.prepare<[number, number, number, number]>(REOPEN_TIMED_OUT);
  const requeue = db.prepare<[number, number, number]>(REQUEUE_UNCERTAIN);
  const insertLead = db.prepare<
    [number, number, number, number, string, string | null, number | null, number]
  >(
    `INSERT INTO leads (run_id, position, source, line, cells, note, enrichment_id, is_first)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertReject = db.prepare<[number, number, number, string, string]>(
    'INSERT OR IGNORE INTO rejects (run_id, source, line, reason, raw) VALUES (?, ?, ?, ?, ?)',
  );
  const advance = db.prepare<[number, number, string, string, number]>(
    `UPDATE runs SET lead_count = ?, reject_count = reject_count + ?, columns = ?, mapping = ?
     WHERE id = ?`,
  );

  /** Undefined where there is one already. */
  const create = (runId: number, lead: AskedLead, known: Before): Share | undefined => {
    const { ask, inputs } = lead.request;
    const { changes, lastInsertRowid } = insertEnrichment.run(
      lead.fingerprint,
      runId,
      ask.join(','),
      JSON.stringify(inputs),
      known.older_answer,
      known.predecessor,
    );
    if (changes === 0) return undefined;
    return { id: Number(lastInsertRowid), how: 'queued', isFirst: true };
  };

  /** Most leads are new: to look first would go through the index of fingerprints twice. */
  const share = (
    runId: number,
    lead: AskedLead,
    times: IngestTimes,
    known = NOTHING_BEFORE,
  ): Share => create(runId, lead, known) ?? shareCurrent(runId, lead, times);

  /** What was never accepted takes the place of nothing that is fresh for the run that asks. */
  const shareOlder = (runId: number, row: CurrentRow, times: IngestTimes): Share | undefined => {
    const one = row.predecessor === null ? undefined : ended.get(row.predecessor);
    if (one === undefined) return undefined;
    if (isReadAgain(one)) return join(runId, one, 'awaiting', times);
    return isFresh(one, times.freshSince)
      ? { id: one.id, how: 'cached', isFirst: false }
      : undefined;
  };

  const shareCurrent = (runId: number, lead: AskedLead, times: IngestTimes): Share => {
    const row = current.get(lead.fingerprint);
    if (row === undefined) throw new Error('an enrichment is there, and is not');
    switch (row.state) {
      case 'found':
      case 'not_found':
      case 'failed':
        if (isFresh(row, times.freshSince)) return { id: row.id, how: 'cached', isFirst: false };
        if (!wasAccepted(row)) {
          const older = shareOlder(runId, row, times);
          if (older !== undefined) return older;
          // What was refused a moment ago is refused again: another line of the same run learns nothing new.
          if (row.run_id === runId) return { id: row.id, how: 'shared', isFirst: false };
        }
        retire.run(row.id);
        return share(runId, lead, times, before(row));
      case 'queued': {
        const older = shareOlder(runId, row, times);
        if (older !== undefined) return older;
        return join(runId, row, 'queued', times);
      }
      case 'awaiting':
        return join(runId, row, 'awaiting', times);
      case 'timed_out':
        if (row.run_id === runId) return { id: row.id, how: 'shared', isFirst: false };
        reopen.run(runId, times.at, times.deadlineAt, row.id);
        return { id: row.id, how: 'awaiting', isFirst: false };
      case 'uncertain':
        if (times.resendUncertain !== true || row.paid_by === runId) {
          return { id: row.id, how: 'shared', isFirst: false };
        }
        requeue.run(runId, runId, row.id);
        return { id: row.id, how: 'queued', isFirst: true };
      case 'submitting':
        return { id: row.id, how: 'shared', isFirst: false };
    }
  };

  const join = (
    runId: number,
    row: Pick<CurrentRow, 'id' | 'run_id'>,
    how: 'queued' | 'awaiting',
    times: IngestTimes,
  ): Share => {
    if (row.run_id === runId) return { id: row.id, how: 'shared', isFirst: false };
    takeOver.run(runId, times.at, row.id);
    return { id: row.id, how, isFirst: how === 'queued' };
  };

  return atomic(db, (runId: number, batch: IngestBatch, times: IngestTimes): IngestCount => {
    const before = progress.get(runId);
    if (before === undefined) throw new Error(`run ${runId} does not exist`);
    const count = { queued: 0, awaiting: 0, cached: 0, shared: 0, skipped: 0 };
    let leadCount = before.lead_count;
    for (const lead of batch.leads) {
      if (lead.position <= leadCount) continue;
      leadCount = lead.position;
      if (lead.kind === 'asked' && lead.formerFingerprint !== undefined) {
        adoptFormer.run(lead.fingerprint, lead.formerFingerprint, lead.fingerprint);
      }
      const shared = lead.kind === 'asked' ? share(runId, lead, times) : null;
      count[shared?.how ?? 'skipped'] += 1;
      const cells = JSON.stringify(lead.cells);
      const { position, source, line, note } = lead;
      const isFirst = shared?.isFirst === true ? 1 : 0;
      insertLead.run(runId, position, source, line, cells, note, shared?.id ?? null, isFirst);
    }
    let rejectCount = 0;
    for (const reject of batch.rejects) {
      const { source, line, reason, raw } = reject;
      rejectCount += insertReject.run(runId, source, line, reason, raw).changes;
    }
    // A reading that starts over knows fewer columns at first than the leads that are in.
    const columns = longer(JSON.parse(before.columns) as Column[], batch.columns);
    const mapping = longer(JSON.parse(before.mapping) as MappedInput[], batch.mapping ?? []);
    advance.run(leadCount, rejectCount, JSON.stringify(columns), JSON.stringify(mapping), runId);
    return count;
  });
}

/** What stands and counts until the successor of an ended enrichment is so far. */
function before(row: CurrentRow): Before {
  const isAnswered = row.state !== 'failed' || row.answered_at !== null;
  return {
    older_answer: isAnswered ? row.id : row.older_answer,
    predecessor: wasAccepted(row) ? row.id : row.predecessor,
  };
}

function longer<T>(known: readonly T[], now: readonly T[]): readonly T[] {
  return now.length < known.length ? known : now;
}
