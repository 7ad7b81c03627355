// What another machine needs to go on with a run: columns of the run, which are empty once it has ended. And when runs are
// begun by themselves.
import type { KeptSchedule } from '../../../ports/store/tasks.js';
import {
  HAS_TASK,
  type OpenTaskRow,
  readParked,
  SCHEDULE,
  type TaskRow,
} from '../../runs/task-rows.js';
import type { Verbs } from '../verbs.js';

export const taskReads = {
  findTask: async (sql, id) => {
    const row = await sql.row<TaskRow>(
      `SELECT task, parked FROM runs WHERE id = $1 AND ${HAS_TASK}`,
      [id],
    );
    return row === undefined ? null : readParked(row);
  },
  openTasks: async (sql) => {
    const rows = await sql.rows<OpenTaskRow>(
      `SELECT id AS run, job, parked FROM runs WHERE ${HAS_TASK} ORDER BY id`,
    );
    return rows.map(readParked);
  },
  schedules: (sql) => sql.rows<KeptSchedule>(`${SCHEDULE} ORDER BY job COLLATE "C"`),
  findSchedule: async (sql, job) =>
    (await sql.row<KeptSchedule>(`${SCHEDULE} WHERE job = $1`, [job])) ?? null,
} satisfies Partial<Verbs>;

export const taskWrites = {
  noteTask: async (sql, id, task) => {
    await sql.run(
      `UPDATE runs SET task = $1, parked = NULL WHERE id = $2 AND state IN ('reading', 'working')`,
      [task, id],
    );
  },
  parkTask: async (sql, id, parked) => {
    await sql.run(`UPDATE runs SET parked = $1 WHERE id = $2 AND ${HAS_TASK}`, [
      parked && JSON.stringify(parked),
      id,
    ]);
  },
  keepSchedule: async (sql, { job, pattern, timezone, catchUp, nextAt }) => {
    await sql.run(
      `INSERT INTO schedules (job, pattern, timezone, catch_up, next_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (job) DO UPDATE SET pattern = excluded.pattern, timezone = excluded.timezone,
         catch_up = excluded.catch_up, next_at = excluded.next_at`,
      [job, pattern, timezone, catchUp, nextAt],
    );
  },
  removeSchedule: async (sql, job) =>
    (await sql.row('DELETE FROM schedules WHERE job = $1 RETURNING 1', [job])) !== undefined,
  passTime: async (sql, job, from, nextAt) => {
    await sql.run('UPDATE schedules SET next_at = $3 WHERE job = $1 AND next_at = $2', [
      job,
      from,
      nextAt,
    ]);
  },
} satisfies Partial<Verbs>;
