// What a user asks of a run from outside: to try again what failed, to stop, and to keep to a budget.
import type Database from 'better-sqlite3';
import type { Ask } from '../../model/ask.js';
import type { Commitment } from '../../ports/store/enrichments.js';
import { prepareRetry } from './retry.js';

export function prepareSteer(db: Database.Database) {
  // Sends that were lost count beside what became of the next one.
  const committed = db.prepare<
    [number, number, number],
    { ask: string; open: number; credits: number }
  >(
    `SELECT ask,
       sum((paid_by IS ? AND state IN ('submitting', 'awaiting', 'timed_out', 'uncertain')) + lost_sends) AS open,
       sum(credits) AS credits
     FROM enrichments WHERE paid_by = ? OR (paid_by IS NULL AND run_id = ?) GROUP BY ask`,
  );
  const cancel = db.prepare<[number, number]>(
    `UPDATE runs SET state = 'cancelled', ended_at = ?
     WHERE id = ? AND state IN ('reading', 'working')`,
  );

  return {
    commitment: (runId: number): Commitment => {
      const rows = committed.all(runId, runId, runId);
      return {
        spent: rows.reduce((sum, { credits }) => sum + credits, 0),
        open: rows
          .filter(({ open }) => open > 0)
          .map(({ ask, open }) => ({ ask: ask.split(',') as Ask[], count: open })),
      };
    },
    cancel: (id: number, at: number): boolean => cancel.run(at, id).changes > 0,
    retry: prepareRetry(db),
  };
}
