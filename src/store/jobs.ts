// Jobs: their pauses, and the leads that their samples have chosen. `claim` itself looks for pauses, and claims nothing for
// a paused job (enrichments/submits.ts). The task of a run, by which another machine can go on with it: columns of the
// run, which are empty once it has ended. And the schedules by which runs begin by themselves.
import type { KeptSchedule, KeptTask, OpenTask } from '../ports/store/jobs.js';
import { findOpenRun } from './runs/runs.js';
import { parsed, type Sql } from './sql.js';
import { read, type Verbs, write } from './verb.js';

const HAS_TASK = `task IS NOT NULL AND state IN ('reading', 'working')`;

export async function readJob(sql: Sql, job: string) {
  const run = await sql.row('SELECT 1 FROM runs WHERE job = $1 LIMIT 1', [job]);
  const openRun = await findOpenRun(sql, job);
  const task = openRun && (await taskOf(sql, openRun.id));
  return { hasRun: run !== undefined, openRun, task, pausedAt: await pausedSince(sql, job) };
}

export async function pausedSince(sql: Sql, job: string): Promise<number | null> {
  return (await sql.value<number>('SELECT since FROM pauses WHERE job = $1', [job])) ?? null;
}

export const jobVerbs = {
  sampleOf: read(async (sql, job, seed) => {
    const kept = await sql.value<string>('SELECT leads FROM samples WHERE job = $1 AND seed = $2', [
      job,
      seed,
    ]);
    return JSON.parse(kept ?? '[]') as string[];
  }),
  pauseJob: write(async (sql, job, at) => {
    const changed =
      at === null
        ? await sql.run('DELETE FROM pauses WHERE job = $1', [job])
        : await sql.insert('pauses', [{ job, since: at }], 'ON CONFLICT DO NOTHING');
    return changed > 0;
  }),
  keepSample: write(async (sql, job, seed, leads) => {
    await sql.insert(
      'samples',
      [{ job, seed, leads: JSON.stringify(leads) }],
      'ON CONFLICT (job, seed) DO UPDATE SET leads = excluded.leads',
    );
  }),
  openTasks: read(async (sql) => {
    const rows = await sql.rows(
      `SELECT id AS run, job, parked FROM runs WHERE ${HAS_TASK} ORDER BY id`,
    );
    return rows.map((row) => parsed<OpenTask>(row, 'parked'));
  }),
  schedules: read(async (sql) => {
    const schedules = await sql.rows<KeptSchedule>('SELECT * FROM schedules');
    return schedules.sort((a, b) => (a.job < b.job ? -1 : 1));
  }),
  noteTask: write(async (sql, id, change) => {
    if (typeof change === 'string') {
      await sql.run(
        `UPDATE runs SET task = $1, parked = NULL WHERE id = $2 AND state IN ('reading', 'working')`,
        [change, id],
      );
      return;
    }
    const parked = change && JSON.stringify(change);
    await sql.run(`UPDATE runs SET parked = $1 WHERE id = $2 AND ${HAS_TASK}`, [parked, id]);
  }),
  keepSchedule: write(async (sql, job, schedule, passed) => {
    if (schedule === null)
      return (await sql.run('DELETE FROM schedules WHERE job = $1', [job])) > 0;
    const { pattern, timezone, catchUp, nextAt } = schedule;
    if (passed !== undefined) {
      const passing = 'UPDATE schedules SET next_at = $3 WHERE job = $1 AND next_at = $2';
      return (await sql.run(passing, [job, passed, nextAt])) > 0;
    }
    await sql.insert(
      'schedules',
      [{ job, pattern, timezone, catchUp, nextAt }],
      `ON CONFLICT (job) DO UPDATE SET pattern = excluded.pattern, timezone = excluded.timezone,
         catch_up = excluded.catch_up, next_at = excluded.next_at`,
    );
    return true;
  }),
} satisfies Partial<Verbs>;

async function taskOf(sql: Sql, runId: number): Promise<KeptTask | null> {
  const row = await sql.row(`SELECT task, parked FROM runs WHERE id = $1 AND ${HAS_TASK}`, [runId]);
  return row === undefined ? null : parsed<KeptTask>(row, 'parked');
}
