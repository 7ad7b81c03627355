import type { Ask } from '../../model/ask.js';
import type { FormerGuess } from '../../model/mapping/mapping.js';
import {
  mapNames,
  type Run,
  type RunChanges,
  type RunLeft,
  type RunPlan,
  type RunState,
  type TableNames,
} from '../../model/run.js';
import type { LongestFreshFor } from '../../ports/store/maintenance.js';
import type { KnownJob } from '../../ports/store/runs.js';
import { parsed, type Sql, type Value } from '../sql.js';
import { read, type Verbs, write } from '../verb.js';
import { beginSeries } from './series.js';

/** The fields of a run that are kept as JSON beside its columns. */
type KeptPlan = RunPlan & Pick<Run, 'reopenedAt' | 'endedBefore' | 'idleMs' | 'left'>;
type RunRow = Omit<Run, keyof KeptPlan> & { readonly plan: KeptPlan };
type Guess = Omit<FormerGuess, 'isSame'> & { readonly ask: readonly Ask[] };

const OPEN: readonly RunState[] = ['reading', 'working'];
const NO_TASK = 'task = NULL, parked = NULL';

export const runVerbs = {
  findRun: read(findRun),
  stepRuns: read((sql, id) => findRuns(sql, 'step_of = $1 ORDER BY id', [id])),
  listRuns: read(async (sql, limit, { job, states, before, after } = {}) => {
    const values: Value[] = [limit];
    const place = (value: Value): string => `$${values.push(value)}`;
    const conditions = ['pruned_at IS NULL', 'step_of IS NULL'];
    if (job !== undefined) conditions.push(`job = ${place(job)}`);
    if (states !== undefined) conditions.push(`state = ANY (${place(states)})`);
    if (after !== undefined) conditions.push(`id > ${place(after)}`);
    else if (before !== undefined) conditions.push(`id < ${place(before)}`);
    const order = `ORDER BY id ${after === undefined ? 'DESC' : ''} LIMIT $1`;
    const runs = await findRuns(sql, `${conditions.join(' AND ')} ${order}`, values);
    return after === undefined ? runs : runs.toReversed();
  }),
  listJobs: read((sql, limit) =>
    sql.rows<KnownJob>(
      `SELECT job, count(*) AS runs, max(id) AS run FROM runs WHERE pruned_at IS NULL AND step_of IS NULL
       GROUP BY job ORDER BY run DESC LIMIT $1`,
      [limit],
    ),
  ),
  formerGuesses: read(async (sql, job, ask, limit) => {
    const rows = await sql.rows(
      `SELECT job = $1 AS is_own, columns, mapping, plan::json ->> 'map' AS map, plan::json ->> 'ask' AS ask
       FROM runs
       WHERE (job = $1 OR id > (SELECT max(id) FROM runs) - 1000) AND mapping <> '[]'
         AND (pruned_at IS NOT NULL
           OR EXISTS (SELECT 1 FROM leads WHERE run_id = runs.id AND enrichment_id IS NOT NULL))
       GROUP BY 1, 2, 3, 4, 5 ORDER BY 1 DESC, max(id) DESC`,
      [job],
    );
    const asked = [...ask].sort().join();
    const guesses = rows.flatMap((row): FormerGuess | [] => {
      const { ask: asks, ...guess } = parsed<Guess>(row, 'columns', 'mapping', 'map', 'ask');
      const isSame = asks.toSorted().join() === asked;
      return isSame || (guess.isOwn && asks.some((one) => ask.includes(one)))
        ? { ...guess, isSame }
        : [];
    });
    return guesses.sort((a, b) => Number(b.isSame) - Number(a.isSame)).slice(0, limit);
  }),
  longestFreshFor: read(async (sql) => {
    const longest = await sql.row<LongestFreshFor>(
      'SELECT job, longest_ms AS fresh_for_ms FROM fresh_for ORDER BY longest_ms DESC, job LIMIT 1',
    );
    return longest ?? { job: '', freshForMs: 0 };
  }),
  startRun: write(async (sql, plan, at) => {
    const { account, job, step } = plan;
    // The steps of a run are open beside it.
    if (step === undefined) {
      await sql.run(
        `UPDATE runs SET state = 'replaced', ended_at = $1, ${NO_TASK} WHERE job = $2 AND state IN ('reading', 'working')`,
        [at, job],
      );
    }
    const row = {
      job,
      state: 'reading',
      account,
      plan: JSON.stringify(plan),
      startedAt: at,
      stepOf: step?.of ?? null,
    };
    const [id] = (await sql.insertIds('runs', [row])) as [number];
    await beginSeries(sql, id);
    await sql.insert(
      'fresh_for',
      [{ job, longestMs: plan.freshForMs }],
      'ON CONFLICT (job) DO UPDATE SET longest_ms = greatest(fresh_for.longest_ms, excluded.longest_ms)',
    );
    const names = mapNames<TableNames>(plan.output, (name) => name.replaceAll('{run}', String(id)));
    await replan(sql, id, { ...plan, output: { ...plan.output, ...names } });
    return (await findRun(sql, id)) as Run;
  }),
  changeRun: write(async (sql, id, changes) => {
    const plan = await sql.value<string>('SELECT plan FROM runs WHERE id = $1 FOR UPDATE', [id]);
    if (plan !== undefined) await replan(sql, id, changedPlan(plan, changes));
  }),
  finishReading: write(async (sql, id) => {
    await sql.run(`UPDATE runs SET state = 'working' WHERE id = $1 AND state = 'reading'`, [id]);
  }),
  endRun: write(async (sql, id, as, at) => {
    const ended = await sql.run(
      `UPDATE runs SET state = $1, ended_at = $2, ${NO_TASK} WHERE id = $3 AND state = ANY ($4)`,
      [as, at, id, as === 'finished' ? ['working'] : OPEN],
    );
    if (ended === 0) return false;
    await sql.run(
      'UPDATE runs SET state = $1, ended_at = $2 WHERE step_of = $3 AND state = ANY ($4)',
      [as, at, id, OPEN],
    );
    if (as === 'finished') await noteDone(sql, id, at);
    return true;
  }),
} satisfies Partial<Verbs>;

export function readPlan(plan: string): KeptPlan {
  return JSON.parse(plan) as KeptPlan;
}

function changedPlan(
  plan: string,
  changes: RunChanges | { readonly left: RunLeft | null },
): KeptPlan {
  const { left: _left, ...kept } = readPlan(plan);
  if ('left' in changes) return changes.left === null ? kept : { ...kept, left: changes.left };
  const { reopenedAt: _reopenedAt, endedBefore: _endedBefore, ...going } = kept;
  return { ...going, ...changes };
}

async function findRuns(sql: Sql, where: string, values: readonly Value[]): Promise<Run[]> {
  const rows = await sql.rows(
    `SELECT id, state, plan, columns, mapping, lead_count, reject_count, started_at, ended_at FROM runs WHERE ${where}`,
    values,
  );
  return rows.map((row) => {
    const { plan, ...run } = parsed<RunRow>(row, 'plan', 'columns', 'mapping');
    return { ...plan, ...run };
  });
}

async function findRun(sql: Sql, id: number): Promise<Run | null> {
  return (await findRuns(sql, 'id = $1 AND pruned_at IS NULL', [id]))[0] ?? null;
}

export async function reopenRun(sql: Sql, id: number, at: number): Promise<void> {
  const run = await sql.row<{ plan: string; endedBefore: number }>(
    `SELECT plan, ended_at AS ended_before FROM runs WHERE id = $1 AND state = 'finished' FOR UPDATE`,
    [id],
  );
  if (run === undefined) return;
  const { endedBefore, plan } = run;
  await sql.run(`UPDATE runs SET state = 'working', ended_at = NULL WHERE id = $1`, [id]);
  await replan(sql, id, { ...readPlan(plan), reopenedAt: at, endedBefore });
}

export async function findOpenRun(sql: Sql, job: string): Promise<Run | null> {
  const open = `job = $1 AND step_of IS NULL AND state IN ('reading', 'working') ORDER BY id DESC LIMIT 1`;
  return (await findRuns(sql, open, [job]))[0] ?? null;
}

async function noteDone(sql: Sql, id: number, at: number): Promise<void> {
  const { job, digests = [], terms } = (await findRun(sql, id)) as Run;
  await sql.insert(
    'done_files',
    digests.map((digest) => ({ job, terms, digest, runId: id, doneAt: at })),
    'ON CONFLICT DO NOTHING',
  );
}

async function replan(sql: Sql, id: number, plan: KeptPlan): Promise<void> {
  await sql.run('UPDATE runs SET plan = $1 WHERE id = $2', [JSON.stringify(plan), id]);
}
