// Compares what the runs of a state counted over time with what its enrichments say, where nothing was asked
// again (`retry`) or removed (`forget`, `prune`): what may be lost at a kill are requests, and nothing else.
import Database from 'better-sqlite3';
import type { Pool } from 'pg';

interface Told {
  readonly run: number | string;
  readonly what: string;
  readonly counted: number | string;
  readonly is: number | string;
}

const POLLS_IN_FILE = `SELECT sum(value) FROM json_each(s.histograms, '$.polls')`;
const POLLS_IN_DATABASE = `SELECT sum(value::bigint)
  FROM json_array_elements_text(s.histograms::json -> 'polls') AS of_polls (value)`;

const gapsWhere = (polls: string): string => `
  WITH counted AS (
    SELECT run_id AS run, sum(found) AS found, sum(not_found) AS not_found, sum(failed) AS failed,
      sum(accepted) AS accepted, sum(thousandths) AS thousandths, sum(polled + delivered) AS came
    FROM series_buckets GROUP BY run_id
  ), worked AS (
    SELECT run_id AS run, count(*) FILTER (WHERE state = 'found') AS found,
      count(*) FILTER (WHERE state = 'not_found') AS not_found,
      count(*) FILTER (WHERE state = 'failed') AS failed
    FROM enrichments GROUP BY run_id
  ), paid AS (
    SELECT paid_by AS run, sum(thousandths) AS thousandths,
      count(*) FILTER (WHERE state IN ('awaiting', 'timed_out', 'found', 'not_found')
        OR (state = 'failed' AND ticket IS NOT NULL)) AS accepted
    FROM enrichments WHERE paid_by IS NOT NULL GROUP BY paid_by
  ), told (run, what, counted, told) AS (
    SELECT r.id, 'found', c.found, w.found FROM runs r LEFT JOIN counted c ON c.run = r.id LEFT JOIN worked w ON w.run = r.id
    UNION ALL
    SELECT r.id, 'not_found', c.not_found, w.not_found FROM runs r LEFT JOIN counted c ON c.run = r.id LEFT JOIN worked w ON w.run = r.id
    UNION ALL
    SELECT r.id, 'failed', c.failed, w.failed FROM runs r LEFT JOIN counted c ON c.run = r.id LEFT JOIN worked w ON w.run = r.id
    UNION ALL
    SELECT r.id, 'accepted', c.accepted, p.accepted FROM runs r LEFT JOIN counted c ON c.run = r.id LEFT JOIN paid p ON p.run = r.id
    UNION ALL
    SELECT r.id, 'thousandths', c.thousandths, p.thousandths FROM runs r LEFT JOIN counted c ON c.run = r.id LEFT JOIN paid p ON p.run = r.id
    UNION ALL
    SELECT r.id, 'leads', (SELECT sum(leads) FROM series_buckets WHERE run_id = r.id), r.lead_count FROM runs r
    UNION ALL
    SELECT s.run_id, 'polls of answers', coalesce(c.came, 0),
      (${polls}) FROM series s LEFT JOIN counted c ON c.run = s.run_id
  )
  SELECT run, what, coalesce(counted, 0) AS counted, coalesce(told, 0) AS "is" FROM told
  WHERE coalesce(counted, 0) <> coalesce(told, 0)`;

/** A sentence for each number of a state file that is not what it should be. */
export function seriesGaps(path: string): string[] {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare<[], Told>(gapsWhere(POLLS_IN_FILE)).all().map(told);
  } finally {
    db.close();
  }
}

/** The same, of a state in PostgreSQL. */
export async function databaseSeriesGaps(pool: Pool): Promise<string[]> {
  return (await pool.query<Told>(gapsWhere(POLLS_IN_DATABASE))).rows.map(told);
}

function told({ counted, is, run, what }: Told): string {
  return `run ${run} counted ${counted} ${what} over time, and there are ${is}`;
}
