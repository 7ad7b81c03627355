// Adds leads: each once, with the enrichment that answers it.
import type Database from 'better-sqlite3';
import type { Reject } from '../../../model/lead.js';
import type { IngestCount, IngestTimes, LeadEntry } from '../../../ports/store/enrichments.js';
import { type LearntRow, learnMore } from '../../runs/reading.js';
import { atomic, type Verbs } from '../database/transactions.js';
import { prepareKeepCells } from '../lead-cells.js';
import { prepareCounting } from '../runs/series.js';
import { prepareCountLead } from './count-changes.js';
import { prepareShare } from './share.js';

interface ProgressRow extends LearntRow {
  readonly lead_count: number;
}

export function prepareIngest(db: Database.Database): Verbs['ingest'] {
  const progress = db.prepare<[number], ProgressRow>(
    'SELECT lead_count, columns, mapping FROM runs WHERE id = ?',
  );
  const advance = db.prepare<[number, number, string, string, number]>(
    `UPDATE runs SET lead_count = ?, reject_count = reject_count + ?, columns = ?, mapping = ?,
       least_enrichment = NULL
     WHERE id = ?`,
  );

  const addLead = prepareAddLead(db);
  const addReject = prepareAddReject(db);
  const counting = prepareCounting(db);
  const keepCells = prepareKeepCells(db);

  const ingest: Verbs['ingest'] = (runId, batch, times) => {
    const before = progress.get(runId);
    if (before === undefined) throw new Error(`run ${runId} does not exist`);
    const count = { queued: 0, awaiting: 0, cached: 0, shared: 0, skipped: 0, notAsked: 0 };
    let leadCount = before.lead_count;
    const leads = batch.leads.filter(({ position }) => position > before.lead_count);
    for (const lead of leads) {
      leadCount = lead.position;
      count[addLead(runId, lead, times)] += 1;
    }
    keepCells(runId, leads);
    let rejectCount = 0;
    for (const reject of batch.rejects) rejectCount += addReject(runId, reject);
    const { columns, mapping } = learnMore(before, batch);
    advance.run(leadCount, rejectCount, columns, mapping, runId);
    counting.addLeads(runId, times.at, count);
    return count;
  };
  return atomic(db, counting.within(ingest));
}

/** Returns how the lead came by its enrichment. */
function prepareAddLead(db: Database.Database) {
  const insertLead = db.prepare<
    [number, number, number, number, string | null, number | null, number, number]
  >(
    `INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const share = prepareShare(db);
  const countLead = prepareCountLead(db);

  return (runId: number, lead: LeadEntry, times: IngestTimes): keyof IngestCount => {
    const shared = lead.kind === 'asked' ? share(runId, lead, times) : null;
    const { position, source, line, note } = lead;
    const isFirst = shared?.how === 'queued' ? 1 : 0;
    const isLeft = lead.kind === 'not_asked';
    const unasked = isLeft ? 1 : 0;
    insertLead.run(runId, position, source, line, note, shared?.id ?? null, isFirst, unasked);
    countLead({ runId, position, note, isLeft, shared });
    return shared?.how ?? (isLeft ? 'notAsked' : 'skipped');
  };
}

/** Returns how many were added: none where it was there already. */
function prepareAddReject(db: Database.Database) {
  const insertReject = db.prepare<[number, number, number, string, string]>(
    'INSERT OR IGNORE INTO rejects (run_id, source, line, reason, raw) VALUES (?, ?, ?, ?, ?)',
  );

  return (runId: number, { source, line, reason, raw }: Reject): number =>
    insertReject.run(runId, source, line, reason, raw).changes;
}
