// Pauses of jobs. Nothing is claimed for a job that is paused: `claim` itself looks (enrichments/submits.ts).
import type { Verbs } from './sql.js';

export const pauseReads = {
  pausedSince: async (sql, job) =>
    (await sql.row<{ since: number }>('SELECT since FROM pauses WHERE job = $1', [job]))?.since ??
    null,
} satisfies Partial<Verbs>;

export const pauseWrites = {
  pauseJob: async (sql, job, at) =>
    (await sql.run('INSERT INTO pauses (job, since) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      job,
      at,
    ])) > 0,
  resumeJob: async (sql, job) => (await sql.run('DELETE FROM pauses WHERE job = $1', [job])) > 0,
} satisfies Partial<Verbs>;
