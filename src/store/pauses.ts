// Pauses of jobs, and the leads that their samples have chosen. `claim` itself looks for pauses, and claims nothing for
// a paused job (enrichments/submits.ts).
import { findOpenRun } from './runs/runs.js';
import { taskOf } from './runs/tasks.js';
import type { Sql } from './sql.js';
import { read, type Verbs, write } from './verb.js';

export async function readJob(sql: Sql, job: string) {
  const run = await sql.row('SELECT 1 FROM runs WHERE job = $1 LIMIT 1', [job]);
  const openRun = await findOpenRun(sql, job);
  const task = openRun && (await taskOf(sql, openRun.id));
  return { hasRun: run !== undefined, openRun, task, pausedAt: await pausedSince(sql, job) };
}

export async function pausedSince(sql: Sql, job: string): Promise<number | null> {
  const pause = await sql.row<{ since: number }>('SELECT since FROM pauses WHERE job = $1', [job]);
  return pause?.since ?? null;
}

export const pauseVerbs = {
  sampleOf: read(async (sql, job, seed) => {
    const kept = await sql.row<{ leads: string }>(
      'SELECT leads FROM samples WHERE job = $1 AND seed = $2',
      [job, seed],
    );
    return JSON.parse(kept?.leads ?? '[]') as string[];
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
} satisfies Partial<Verbs>;
