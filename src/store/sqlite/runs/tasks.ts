// What another machine needs to go on with a run: columns of the run, which are empty once it has ended.
import type Database from 'better-sqlite3';
import { HAS_TASK, type OpenTaskRow, readParked, type TaskRow } from '../../runs/task-rows.js';
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
  } satisfies Partial<Verbs>;
}
