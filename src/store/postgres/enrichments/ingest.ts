// Adds leads: each once, with the enrichment that answers it. A batch is looked up at once, decided lead by lead, and
// written at once, while no other verb adds enrichments to the account.
import type {
  AskedLead,
  IngestBatch,
  IngestTimes,
  LeadEntry,
} from '../../../ports/store/enrichments.js';
import { type LearntRow, learnMore } from '../../runs/reading.js';
import { createSeriesNotes } from '../../runs/series.js';
import type { Sql } from '../database/database.js';
import { writeSeries } from '../runs/series.js';
import { lockAccountOf, type Verbs } from '../verbs.js';
import { readHeld } from './known.js';
import { openShares, type Shared, writeShares } from './share.js';

interface ProgressRow extends LearntRow {
  readonly leadCount: number;
}

export const ingestWrites = {
  ingest: async (sql, runId, batch, times) => {
    await lockAccountOf(sql, runId);
    const before = (await sql.row<ProgressRow>(
      'SELECT lead_count AS "leadCount", columns, mapping FROM runs WHERE id = $1',
      [runId],
    )) as ProgressRow;
    const leads = batch.leads.filter(({ position }) => position > before.leadCount);
    const shared = await shareAll(sql, runId, leads, times);
    const count = { queued: 0, awaiting: 0, cached: 0, shared: 0, skipped: 0, notAsked: 0 };
    for (const [i, { kind }] of leads.entries()) {
      count[shared[i]?.how ?? (kind === 'not_asked' ? 'notAsked' : 'skipped')] += 1;
    }
    await addLeads(sql, runId, leads, shared);
    const rejects = await addRejects(sql, runId, batch.rejects);
    const { columns, mapping } = learnMore(before, batch);
    await sql.run(
      `UPDATE runs SET lead_count = $2, reject_count = reject_count + $3, columns = $4, mapping = $5
       WHERE id = $1`,
      [runId, leads.at(-1)?.position ?? before.leadCount, rejects, columns, mapping],
    );
    const notes = createSeriesNotes();
    notes.addLeads(runId, times.at, count);
    await writeSeries(sql, notes);
    return count;
  },
} satisfies Partial<Verbs>;

/** How each lead comes by its enrichment, in the same order; nothing where it is not asked. */
async function shareAll(
  sql: Sql,
  runId: number,
  leads: readonly LeadEntry[],
  times: IngestTimes,
): Promise<(Shared | undefined)[]> {
  const asked = leads.filter(isAsked);
  if (asked.length === 0) return [];
  const shares = openShares(await readHeld(sql, asked, { locks: true }), runId, times);
  const shared = leads.map((lead) => (isAsked(lead) ? shares.share(lead) : undefined));
  const idOf = await writeShares(sql, runId, shares, times);
  return shared.map((one) => one && { ...one, id: idOf(one.id) });
}

async function addLeads(
  sql: Sql,
  runId: number,
  leads: readonly LeadEntry[],
  shared: readonly (Shared | undefined)[],
): Promise<void> {
  if (leads.length === 0) return;
  await sql.run(
    `INSERT INTO leads (run_id, position, source, line, cells, note, enrichment_id, is_first, not_asked)
     SELECT $1, * FROM unnest($2::integer[], $3::integer[], $4::integer[], $5::text[], $6::text[],
       $7::bigint[], $8::boolean[], $9::boolean[])`,
    [
      runId,
      leads.map(({ position }) => position),
      leads.map(({ source }) => source),
      leads.map(({ line }) => line),
      leads.map(({ cells }) => JSON.stringify(cells)),
      leads.map(({ note }, i) => (shared[i] === undefined ? note : shared[i].note)),
      leads.map((_, i) => shared[i]?.id ?? null),
      leads.map((_, i) => shared[i]?.how === 'queued'),
      leads.map(({ kind }) => kind === 'not_asked'),
    ],
  );
}

/** Returns how many were added: none that were there already. */
async function addRejects(
  sql: Sql,
  runId: number,
  rejects: IngestBatch['rejects'],
): Promise<number> {
  if (rejects.length === 0) return 0;
  return sql.run(
    `INSERT INTO rejects (run_id, source, line, reason, raw)
     SELECT $1, * FROM unnest($2::integer[], $3::integer[], $4::text[], $5::text[])
     ON CONFLICT DO NOTHING`,
    [
      runId,
      rejects.map(({ source }) => source),
      rejects.map(({ line }) => line),
      rejects.map(({ reason }) => reason),
      rejects.map(({ raw }) => raw),
    ],
  );
}

function isAsked(lead: LeadEntry): lead is AskedLead {
  return lead.kind === 'asked';
}
