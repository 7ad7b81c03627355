// Adds leads: each once, with the enrichment that answers it. A batch is looked up at once, decided lead by lead
// (src/model/enrichment/share.ts), and written at once, while no other verb adds enrichments to the account.
import { type Shared, share, takeAnswer } from '../../model/enrichment/share.js';
import type { Column } from '../../model/lead.js';
import type { MappedInput } from '../../model/mapping/mapping.js';
import type { IngestBatch, IngestTimes, LeadEntry } from '../../ports/store/enrichments.js';
import { keepCells } from '../lead-cells.js';
import { leaveAside, leftAside } from '../runs/waterfall.js';
import { lockAccountOf, type Sql } from '../sql.js';
import { skipSuppressed } from '../suppressions.js';
import { type Verbs, write } from '../verb.js';
import { openBook } from './known.js';
import { save } from './save.js';

interface ProgressRow {
  readonly columns: string;
  readonly mapping: string;
  readonly leadCount: number;
  /** The run that holds the leads; null unless this is the run of a waterfall's step. */
  readonly stepOf: number | null;
}

export const ingestVerbs = {
  ingest: write('hot', async (sql, runId, batch, times) => {
    const account = await lockAccountOf(sql, runId);
    const before = (await sql.row<ProgressRow>(
      'SELECT lead_count, columns, mapping, step_of FROM runs WHERE id = $1',
      [runId],
    )) as ProgressRow;
    const isThere = await leadsThere(sql, runId, batch, before);
    const leads = await skipSuppressed(
      sql,
      batch.leads.filter(({ position }) => !isThere(position)),
    );
    const held = before.stepOf;
    const aside = await leftAside(sql, leads, { held, since: times.asideSince });
    const shared = await shareAll(sql, { runId, account }, leads, times);
    const count = { queued: 0, awaiting: 0, cached: 0, shared: 0, skipped: 0, notAsked: 0 };
    for (const [i, { kind }] of leads.entries()) {
      if (kind === 'held') continue;
      if (aside.has(shared[i]?.row.id ?? 0)) count.notAsked += 1;
      else count[shared[i]?.how ?? (kind === 'not_asked' ? 'notAsked' : 'skipped')] += 1;
    }
    await addLeads(sql, runId, leads, shared);
    if (held !== null && aside.size > 0) await leaveAside(sql, { held, run: runId }, [...aside]);
    if (held === null) await keepCells(sql, runId, leads);
    const rejects = await sql.insert(
      'rejects',
      batch.rejects.map((reject) => ({ runId, ...reject })),
      'ON CONFLICT DO NOTHING',
    );
    const { columns, mapping } = learnMore(before, batch);
    await sql.run(
      `UPDATE runs SET lead_count = $2, reject_count = reject_count + $3, columns = $4, mapping = $5
       WHERE id = $1`,
      [runId, Math.max(before.leadCount, leads.at(-1)?.position ?? 0), rejects, columns, mapping],
    );
    return count;
  }),
} satisfies Partial<Verbs>;

/** A reading that starts over knows fewer columns at first than the stored leads have. */
function learnMore(before: ProgressRow, { columns, mapping = [] }: IngestBatch) {
  return {
    columns: JSON.stringify(longer(JSON.parse(before.columns) as Column[], columns)),
    mapping: JSON.stringify(longer(JSON.parse(before.mapping) as MappedInput[], mapping)),
  };
}

function longer<T>(known: readonly T[], now: readonly T[]): readonly T[] {
  return now.length < known.length ? known : now;
}

/** The leads that the run has: those of a step come in any order. */
async function leadsThere(
  sql: Sql,
  runId: number,
  { leads }: IngestBatch,
  { leadCount, stepOf }: ProgressRow,
): Promise<(position: number) => boolean> {
  if (stepOf === null) return (position) => position <= leadCount;
  const known = await sql.list<number>(
    'SELECT position FROM leads WHERE run_id = $1 AND position = ANY ($2)',
    [runId, leads.map(({ position }) => position)],
  );
  const there = new Set(known);
  return (position) => there.has(position);
}

/** In the order of the leads; undefined if the lead is not asked. */
async function shareAll(
  sql: Sql,
  { account, runId }: { readonly runId: number; readonly account: string },
  leads: readonly LeadEntry[],
  times: IngestTimes,
): Promise<(Shared | undefined)[]> {
  const asked = leads.filter((lead) => lead.kind === 'asked');
  if (asked.length === 0) return [];
  const book = await openBook(sql, { account, leads: asked, freshSince: times.freshSince, runId });
  const shared = leads.map((lead) => {
    if (lead.kind !== 'asked') return undefined;
    const { bought } = lead;
    return bought === undefined
      ? share(book, lead, runId, times)
      : takeAnswer(book, lead, runId, bought);
  });
  await save(sql, book);
  return shared;
}

async function addLeads(
  sql: Sql,
  runId: number,
  leads: readonly LeadEntry[],
  shared: readonly (Shared | undefined)[],
): Promise<void> {
  const rows = leads.map(({ kind, line, note, position, source }, i) => ({
    runId,
    position,
    source,
    line,
    note,
    enrichmentId: shared[i]?.row.id ?? null,
    isFirst: shared[i]?.how === 'queued',
    notAsked: kind === 'not_asked',
  }));
  await sql.insert('leads', rows);
}
