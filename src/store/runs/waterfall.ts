// The runs of a waterfall: one holds the leads, and each step has one of its own, with the leads that have reached it.
import type { LeadAnswer } from '../../model/answer.js';
import type { Money } from '../../model/credits.js';
import { takeOver } from '../../model/enrichment/answer.js';
import type { RunTally } from '../../model/tally.js';
import { countWaterfall } from '../../model/waterfall/count-steps.js';
import { mergeAnswers } from '../../model/waterfall/merge.js';
import { ENDS_OR_UNKNOWN, SET_ASIDE, type Waterfall } from '../../model/waterfall/waterfall.js';
import type { LeadEntry } from '../../ports/store/enrichments.js';
import { IS_SUPPRESSED, isInDoubt, OLDER_ANSWER } from '../enrichments/known-answers.js';
import { lockRows } from '../enrichments/lock-rows.js';
import { namedByLeads, nameEach, save } from '../enrichments/save.js';
import { lockAccountOf, type Sql } from '../sql.js';
import { read, type Verbs, write } from '../verb.js';
import { readPlan } from './runs.js';

type ReadAt = (run: number, positions: readonly number[]) => Promise<LeadAnswer[]>;

interface Steps {
  readonly waterfall: Waterfall;
  readonly ask: readonly string[];
  /** The run of each step, in their order; undefined for one that has not begun. */
  readonly runs: readonly (number | undefined)[];
  /** The price of a credit of each, where it is stated. */
  readonly credits: readonly (Money | undefined)[];
}

/** The steps of a run; undefined for a run that sends its leads itself. */
export async function stepsOf(sql: Sql, runId: number): Promise<Steps | undefined> {
  const plan = await sql.value<string>(
    `SELECT plan FROM runs WHERE id = $1 AND plan LIKE '%"waterfall":%'`,
    [runId],
  );
  const { ask, waterfall } = plan === undefined ? {} : readPlan(plan);
  if (waterfall === undefined || ask === undefined) return undefined;
  const rows = await sql.rows<{ id: number; plan: string }>(
    'SELECT id, plan FROM runs WHERE step_of = $1 ORDER BY id',
    [runId],
  );
  const begun = rows.map(({ id, plan }) => ({ id, ...readPlan(plan) }));
  const runs = waterfall.steps.map(({ name }) => begun.find(({ step }) => step?.name === name));
  return {
    waterfall,
    ask,
    runs: runs.map((run) => run?.id),
    credits: runs.map((run) => run?.credit),
  };
}

/** The rows of leads, in the order of `held`, put together from the answers of all steps. */
async function reachedBy(
  { ask, runs, waterfall }: Steps,
  held: readonly LeadAnswer[],
  readAt: ReadAt,
): Promise<LeadAnswer[]> {
  const positions = held.filter(isHeld).map(({ position }) => position);
  const bySteps: (Map<number, LeadAnswer> | undefined)[] = [];
  for (const run of runs) {
    const answers = run === undefined || positions.length === 0 ? [] : await readAt(run, positions);
    bySteps.push(new Map(answers.map((answer) => [answer.position, answer])));
  }
  return held.map((lead) => {
    const answers = bySteps.map((answers) => answers?.get(lead.position));
    return isHeld(lead)
      ? mergeAnswers(lead, answers, waterfall, ask)
      : { ...lead, provenance: { tried: [] }, steps: answers };
  });
}

/** Whether the steps decide about a lead: it was read, and neither skipped nor left out by the user. */
function isHeld({ reason, status }: LeadAnswer): boolean {
  return status === 'skipped' && reason === null;
}

/** The rows of leads: those of a waterfall are put together from the answers of its steps. */
export async function merged(
  sql: Sql,
  runId: number,
  held: LeadAnswer[],
  readAt: ReadAt,
): Promise<LeadAnswer[]> {
  const steps = held.length === 0 ? undefined : await stepsOf(sql, runId);
  if (steps === undefined) return held;
  return reachedBy(steps, held, readAt);
}

export async function tallySteps(
  steps: Steps,
  rest: Pick<RunTally, 'rejects'>,
  read: { readonly page: (after: number) => Promise<LeadAnswer[]>; readonly at: ReadAt },
): Promise<RunTally> {
  const counted = countWaterfall(steps.waterfall, steps.credits);
  for (let after = 0; ; ) {
    const held = await read.page(after);
    const last = held.at(-1);
    if (last === undefined) return counted.tally(rest);
    for (const one of await reachedBy(steps, held, read.at)) counted.add(one, steps.ask);
    after = last.position;
  }
}

/** Whether a lead has ended in a step, where its enrichment has one of these states, or it was not asked for. */
function hasEndedAt(e: string, ends: string): string {
  return `(${e}.id IS NULL OR ${e}.suppressed_by IS NOT NULL
    OR (${e}.state = ANY (${ends}) AND ('uncertain' = ANY (${ends}) OR NOT ${isInDoubt(e)})))`;
}

export const waterfallVerbs = {
  passing: read(async (sql, { earlier = [], from, held, to }, { after, until }, ends) => {
    const rows = await sql.rows<{ position: number; isPassing: boolean }>(
      `SELECT h.position, l.position IS NOT NULL AND ${hasEndedAt('e', '$6')} AND $8 = (
           SELECT count(*) FROM leads b LEFT JOIN enrichments be ON be.id = b.enrichment_id
           WHERE b.run_id = ANY ($7) AND b.position = h.position AND ${hasEndedAt('be', '$9')}) AS is_passing
       FROM leads h LEFT JOIN leads l ON l.run_id = $2 AND l.position = h.position
       LEFT JOIN enrichments e ON e.id = l.enrichment_id
       LEFT JOIN leads n ON n.run_id = $3 AND n.position = h.position
       WHERE h.run_id = $1 AND h.position > $4 AND h.position <= $5
         AND h.note IS NULL AND NOT h.not_asked AND n.position IS NULL
       ORDER BY h.position`,
      [held, from, to, after, until, ends, earlier, earlier.length, ENDS_OR_UNKNOWN],
    );
    const passing = rows.filter(({ isPassing }) => isPassing);
    return {
      positions: passing.map(({ position }) => position),
      waiting: rows.length - passing.length,
    };
  }),
  setAside: write(async (sql, runId) => {
    await lockAccountOf(sql, runId);
    const holder = 'SELECT step_of FROM runs WHERE id = $1';
    const held = (await sql.value<number | null>(holder, [runId])) ?? null;
    if (held === null) throw new Error(`run ${runId} is no step of a waterfall`);
    let leads = 0;
    await nameEach(sql, namedByLeads(WAS_NEVER_SENT), [runId], async (ids) => {
      leads += await leaveAside(sql, { held, run: runId }, ids);
    });
    return leads;
  }),
} satisfies Partial<Verbs>;

/** An enrichment that no platform has accepted, whatever became of its sends. */
const WAS_NEVER_SENT = `e.state = 'queued' AND e.lost_sends = 0 AND e.answered_at IS NULL AND NOT (${IS_SUPPRESSED})
  AND NOT ${isInDoubt('e')}`;
const OLDER = `(SELECT o.id FROM enrichments e JOIN ${OLDER_ANSWER} WHERE e.id = leads.enrichment_id)`;

/** Those that were not asked for since: a later step may have answered the leads meanwhile. */
export async function leftAside(
  sql: Sql,
  leads: readonly LeadEntry[],
  { held, since }: { readonly held: number | null; readonly since: number | undefined },
): Promise<ReadonlySet<number>> {
  const asked = leads.flatMap((lead) => (lead.kind === 'asked' ? [lead.fingerprint] : []));
  if (held === null || since === undefined || asked.length === 0) return new Set();
  const aside = await sql.list<number>(
    `SELECT e.id FROM enrichments e JOIN runs h ON h.id = e.run_id
     WHERE e.fingerprint = ANY ($1) AND e.is_current AND ${WAS_NEVER_SENT} AND h.id < $2 AND h.started_at >= $3
       AND EXISTS (SELECT 1 FROM runs s WHERE s.step_of = h.id)`,
    [asked, held, since],
  );
  return new Set(aside);
}

export async function leaveAside(
  sql: Sql,
  { held, run }: { readonly held: number; readonly run: number },
  ids: readonly number[],
): Promise<number> {
  const book = await lockRows(sql, ids);
  const aside = ids.filter((id) => {
    const row = book.rows.get(id);
    return row?.state === 'queued' && row.lostSends === 0;
  });
  for (const id of aside) {
    const row = book.rows.get(id);
    // The run that holds the leads sends nothing.
    if (row?.runId === run) takeOver(book, row, { runId: held });
  }
  await save(sql, book);
  return sql.run(
    `UPDATE leads SET note = $3, is_first = false, not_asked = ${OLDER} IS NULL, enrichment_id = ${OLDER}
     WHERE run_id = $1 AND enrichment_id = ANY ($2)`,
    [run, aside, SET_ASIDE],
  );
}

/** The asks that are open for them may change. Returns how many were set aside. */
export async function bringBack(
  sql: Sql,
  runId: number,
  positions: readonly number[],
): Promise<number> {
  const aside = await sql.run(
    'DELETE FROM leads WHERE run_id = $1 AND note = $2 AND position = ANY ($3)',
    [runId, SET_ASIDE, positions],
  );
  await sql.run('DELETE FROM leads WHERE run_id = $1 AND not_asked AND position = ANY ($2)', [
    runId,
    positions,
  ]);
  return aside;
}
