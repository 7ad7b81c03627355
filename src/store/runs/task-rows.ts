// What another machine needs to go on with a run, as either store has it: columns of the run, empty once it has ended.
import type { Parked } from '../../ports/store/tasks.js';

/** In SQL: whether a worker can go on with the run. */
export const HAS_TASK = `task IS NOT NULL AND state IN ('reading', 'working')`;

interface ParkedRow {
  /** JSON. */
  readonly parked: string | null;
}

export type TaskRow = ParkedRow & { readonly task: string };
export type OpenTaskRow = ParkedRow & { readonly run: number; readonly job: string };

/** In SQL, for both stores. */
export const SCHEDULE = `SELECT job, pattern, timezone, catch_up AS "catchUp", next_at AS "nextAt" FROM schedules`;

export function readParked<Row extends ParkedRow>(
  row: Row,
): Omit<Row, 'parked'> & { readonly parked: Parked | null } {
  return { ...row, parked: row.parked === null ? null : (JSON.parse(row.parked) as Parked) };
}
