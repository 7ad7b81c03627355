// The numbers of each run, kept beside the states that they count: what a transaction changes is added up and written at
// its end, so that whatever is committed is counted.
import type Database from 'better-sqlite3';
import type { LeadStatus } from '../../model/answer.js';
import type { EnrichmentState } from '../../model/enrichment.js';
import { onCommit } from '../database/transactions.js';
import {
  IS_API,
  IS_ASKED_AGAIN,
  OLDER_ANSWER,
  SHOWN_STATUS,
} from '../enrichments/known-answers.js';

/** Among the statuses: leads that are asked in part, by reason; and the distinct enrichments of a run that has ended. */
export const IN_PART = 'in part';
export const DISTINCT = 'distinct';

/** What leads are counted under: what their rows show. */
export interface CountKey {
  readonly status: LeadStatus | typeof IN_PART | typeof DISTINCT;
  /** The state of the newer request, where an older answer is shown; else empty. */
  readonly again: EnrichmentState | '';
  readonly reason: string;
  /** 1 where another line, or another run, asked for the answer. */
  readonly cached: 0 | 1;
}

export interface CountRow extends CountKey {
  readonly run_id: number;
  readonly n: number;
  /** What the run paid for them. */
  readonly thousandths: number;
}

/** What a transaction adds to a number. */
interface Change {
  n: number;
  thousandths: number;
}

/** What lead `l` with its enrichment `e` and the older answer `o` of that is counted under. */
export const COUNT_KEY = `l.run_id, ${SHOWN_STATUS} AS status,
  CASE WHEN ${IS_ASKED_AGAIN} THEN e.state ELSE '' END AS again,
  coalesce(iif(e.id IS NULL, l.note, e.reason), '') AS reason,
  o.id IS NOT NULL OR (e.settled_at IS NOT NULL AND NOT ${IS_API}) AS cached`;
export const COUNTED_THOUSANDTHS = `CASE WHEN ${IS_API} THEN e.thousandths ELSE 0 END`;
export const COUNTED_ANSWERS = `LEFT JOIN enrichments e ON e.id = l.enrichment_id LEFT JOIN ${OLDER_ANSWER}`;

/** Looking at every lead takes a while: it is done once. */
const COUNT_DISTINCT = `SELECT id, '${DISTINCT}', '', '', 0,
    (SELECT count(DISTINCT enrichment_id) FROM leads WHERE run_id = runs.id), 0
  FROM runs WHERE id = ? AND state = 'finished'`;

/** The numbers of a run, counted lead by lead. Parameter: the run, three times. */
export const COUNT_ANEW = `SELECT ${COUNT_KEY}, count(*) AS n, sum(${COUNTED_THOUSANDTHS}) AS thousandths
  FROM leads l ${COUNTED_ANSWERS} WHERE l.run_id = ? GROUP BY 1, 2, 3, 4, 5
  UNION ALL SELECT run_id, '${IN_PART}', '', note, 0, count(*), 0
  FROM leads WHERE run_id = ? AND enrichment_id IS NOT NULL AND note IS NOT NULL GROUP BY note
  UNION ALL ${COUNT_DISTINCT}`;

type Counts = ReturnType<typeof createCounts>;
const COUNTS = new WeakMap<Database.Database, Counts>();

/** One for all verbs of a connection: what they count in one transaction is written together. */
export function countsOf(db: Database.Database): Counts {
  const known = COUNTS.get(db) ?? createCounts(db);
  COUNTS.set(db, known);
  return known;
}

function createCounts(db: Database.Database) {
  // What a run has paid for outlives it where it is pruned.
  const write = db.prepare<[string, string, string, number, number, number, number]>(
    `INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths)
     SELECT id, ?, ?, ?, ?, ?, ? FROM runs WHERE id = ? AND pruned_at IS NULL
     ON CONFLICT DO UPDATE SET n = n + excluded.n, thousandths = thousandths + excluded.thousandths`,
  );
  const clear = db.prepare<[number]>('DELETE FROM run_counts WHERE run_id = ?');
  const countAnew = db.prepare<[number, number, number]>(`INSERT INTO run_counts ${COUNT_ANEW}`);
  const countDistinct = db.prepare<[number]>(`INSERT OR REPLACE INTO run_counts ${COUNT_DISTINCT}`);
  let changes = new Map<string, CountRow & Change>();

  const writeAll = (): void => {
    for (const { run_id, status, again, reason, cached, n, thousandths } of changes.values()) {
      if (n === 0 && thousandths === 0) continue;
      write.run(status, again, reason, cached, n, thousandths, run_id);
    }
    changes = new Map();
  };
  const undo = (): void => {
    changes = new Map();
  };
  onCommit(db, { write: writeAll, undo });

  const recount = (runId: number): void => {
    writeAll();
    clear.run(runId);
    countAnew.run(runId, runId, runId);
  };

  return {
    /** Another one in each transaction: what `changeOf` gave is good for one. */
    transaction: (): unknown => changes,

    /** Inside another verb's transaction: what it adds to the leads of the run that show this. */
    changeOf: (run_id: number, { status, again, reason, cached }: CountKey): Change => {
      const key = `${run_id} ${status} ${again} ${cached} ${reason}`;
      const known = changes.get(key);
      if (known !== undefined) return known;
      const made = { run_id, status, again, reason, cached, n: 0, thousandths: 0 };
      changes.set(key, made);
      return made;
    },

    /** Inside another verb's transaction: the run has ended, and no lead joins it any more. */
    countDistinct: (runId: number): void => void countDistinct.run(runId),

    /** Inside another verb's transaction, where rows changed in other ways. */
    recount,
    recountAll: (): void => {
      const runs = db.prepare<[], { id: number }>('SELECT id FROM runs WHERE pruned_at IS NULL');
      for (const { id } of runs.all()) recount(id);
    },
  };
}
