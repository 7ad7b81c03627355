// What another machine needs to go on with a run: columns of the run, which are empty once it has ended.

import type { Verbs } from '../sql.js';
import { HAS_TASK, type OpenTaskRow, readParked, type TaskRow } from './task-rows.js';

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
} satisfies Partial<Verbs>;
