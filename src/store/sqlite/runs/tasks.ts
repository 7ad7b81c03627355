// What another machine needs to go on with a run: columns of the run, which are empty once it has ended. And when runs are
// begun by themselves.
import type Database from 'better-sqlite3';
import type { KeptSchedule } from '../../../ports/store/tasks.js';
import {
  HAS_TASK,
  type OpenTaskRow,
  readParked,
  SCHEDULE,
  type TaskRow,
} from '../../runs/task-rows.js';
import type { Verbs } from '../database/transactions.js';

export function prepareTasks(db: Database.Database) {
  const note = db.prepare<[string, number]>(
    `UPDATE runs SET task = ?, parked = NULL WHERE id = ? AND state IN ('reading', 'working')`,
  );
  const find = db.prepare<[number], TaskRow>(
    `SELECT task, parked FROM runs WHERE id = ? AND ${HAS_TASK}`,
  );
  const park = db.prepare<[string | null, number]>(
    `UPDATE runs SET parked = ? WHERE id = ? AND ${HAS_TASK}`,
  );
  const open = db.prepare<[], OpenTaskRow>(
    `SELECT id AS run, job, parked FROM runs WHERE ${HAS_TASK} ORDER BY id`,
  );
  return {
    noteTask: (id, task) => void note.run(task, id),
    findTask: (id) => {
      const row = find.get(id);
      return row === undefined ? null : readParked(row);
    },
    parkTask: (id, parked) => void park.run(parked && JSON.stringify(parked), id),
    openTasks: () => open.all().map(readParked),
    ...prepareSchedules(db),
  } satisfies Partial<Verbs>;
}

function prepareSchedules(db: Database.Database) {
  const all = db.prepare<[], KeptSchedule>(`${SCHEDULE} ORDER BY job`);
  const find = db.prepare<[string], KeptSchedule>(`${SCHEDULE} WHERE job = ?`);
  const keep = db.prepare<[string, string, string, string, number]>(
    'INSERT OR REPLACE INTO schedules (job, pattern, timezone, catch_up, next_at) VALUES (?, ?, ?, ?, ?)',
  );
  const remove = db.prepare<[string]>('DELETE FROM schedules WHERE job = ?');
  const pass = db.prepare<[number, string, number]>(
    'UPDATE schedules SET next_at = ? WHERE job = ? AND next_at = ?',
  );
  return {
    schedules: () => all.all(),
    findSchedule: (job) => find.get(job) ?? null,
    keepSchedule: ({ job, pattern, timezone, catchUp, nextAt }) =>
      void keep.run(job, pattern, timezone, catchUp, nextAt),
    removeSchedule: (job) => remove.run(job).changes > 0,
    passTime: (job, from, nextAt) => void pass.run(nextAt, job, from),
  } satisfies Partial<Verbs>;
}
