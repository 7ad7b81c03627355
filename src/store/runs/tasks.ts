// The task of a run, by which another machine can go on with it: columns of the run, which are empty once it has ended.
// And the schedules by which runs begin by themselves.
import type { KeptSchedule, Parked } from '../../ports/store/jobs.js';
import { read, type Verbs, write } from '../verb.js';

export interface ParkedRow {
  /** A `Parked` as JSON. */
  readonly parked: string | null;
}

type TaskRow = ParkedRow & { readonly task: string };
type OpenTaskRow = ParkedRow & { readonly run: number; readonly job: string };

const HAS_TASK = `task IS NOT NULL AND state IN ('reading', 'working')`;

export const taskVerbs = {
  findTask: read(async (sql, id) => {
    const row = await sql.row<TaskRow>(
      `SELECT task, parked FROM runs WHERE id = $1 AND ${HAS_TASK}`,
      [id],
    );
    return row === undefined ? null : readParked(row);
  }),
  openTasks: read(async (sql) => {
    const rows = await sql.rows<OpenTaskRow>(
      `SELECT id AS run, job, parked FROM runs WHERE ${HAS_TASK} ORDER BY id`,
    );
    return rows.map(readParked);
  }),
  schedules: read(async (sql) => {
    const schedules = await sql.rows<KeptSchedule>(
      'SELECT job, pattern, timezone, catch_up AS "catchUp", next_at AS "nextAt" FROM schedules',
    );
    return schedules.sort((a, b) => (a.job < b.job ? -1 : 1));
  }),
  noteTask: write(async (sql, id, task) => {
    await sql.run(
      `UPDATE runs SET task = $1, parked = NULL WHERE id = $2 AND state IN ('reading', 'working')`,
      [task, id],
    );
  }),
  parkTask: write(async (sql, id, parked) => {
    await sql.run(`UPDATE runs SET parked = $1 WHERE id = $2 AND ${HAS_TASK}`, [
      parked && JSON.stringify(parked),
      id,
    ]);
  }),
  keepSchedule: write(async (sql, job, schedule) => {
    if (schedule === null)
      return (await sql.run('DELETE FROM schedules WHERE job = $1', [job])) > 0;
    const { pattern, timezone, catchUp, nextAt } = schedule;
    await sql.insert(
      'schedules',
      [{ job, pattern, timezone, catch_up: catchUp, next_at: nextAt }],
      `ON CONFLICT (job) DO UPDATE SET pattern = excluded.pattern, timezone = excluded.timezone,
         catch_up = excluded.catch_up, next_at = excluded.next_at`,
    );
    return true;
  }),
  passTime: write(async (sql, job, from, nextAt) => {
    await sql.run('UPDATE schedules SET next_at = $3 WHERE job = $1 AND next_at = $2', [
      job,
      from,
      nextAt,
    ]);
  }),
} satisfies Partial<Verbs>;

function readParked<Row extends ParkedRow>(
  row: Row,
): Omit<Row, 'parked'> & { readonly parked: Parked | null } {
  return { ...row, parked: row.parked === null ? null : (JSON.parse(row.parked) as Parked) };
}
