// Finds the leads of a line without an index of lines. Positions follow the files in the order of the run, and the
// lines in each file, as `ingest` requires: so a search by halves finds them. The SQL is understood by every store.

export interface FoundLine {
  /** Null if no lead begins on that line. */
  readonly position: number | null;
  /** The line of the lead before it; null if there is none. */
  readonly lineBefore: number | null;
}

/**
 * A query with a row for each file. `run`, `line` and `source` are parameters, each of which it uses several times;
 * `source` is the only file to search, or null.
 */
export function findLine(run: string, line: string, source: string): string {
  const only = `CAST(${source} AS bigint)`;
  const next = (from: string) =>
    `FROM leads l WHERE l.run_id = ${run} AND l.position >= ${from} ORDER BY l.position LIMIT 1`;
  // Whether the first lead from the middle position on comes before the line.
  const isBefore = `(SELECT l.source < s.source OR (l.source = s.source AND l.line < ${line}) ${next('(s.low + s.high) / 2')})`;
  return `WITH RECURSIVE
    files (source, last) AS (
      SELECT coalesce(${only}, 0),
        coalesce(${only}, (SELECT source FROM leads WHERE run_id = ${run} ORDER BY position DESC LIMIT 1))
      UNION ALL SELECT source + 1, last FROM files WHERE source < last),
    search (source, low, high) AS (
      SELECT source, CAST(1 AS bigint), (SELECT coalesce(max(position), 0) + 1 FROM leads WHERE run_id = ${run}) FROM files
      UNION ALL
      SELECT s.source, CASE WHEN ${isBefore} THEN (s.low + s.high) / 2 + 1 ELSE s.low END,
        CASE WHEN ${isBefore} THEN s.high ELSE (s.low + s.high) / 2 END
      FROM search s WHERE s.low < s.high)
    SELECT
      (SELECT CASE WHEN l.source = s.source AND l.line = ${line} THEN l.position END ${next('s.low')}) AS position,
      (SELECT CASE WHEN l.source = s.source THEN l.line END FROM leads l
       WHERE l.run_id = ${run} AND l.position < s.low ORDER BY l.position DESC LIMIT 1) AS "lineBefore"
    FROM search s WHERE s.low = s.high ORDER BY s.source`;
}

/** The positions of the leads that begin on the line, and the highest line before it with a lead. */
export function readFound(found: readonly FoundLine[]) {
  const before = found.flatMap(({ lineBefore }) => lineBefore ?? []);
  return {
    positions: found.flatMap(({ position }) => position ?? []),
    lineBefore: before.length === 0 ? null : before.reduce((a, b) => Math.max(a, b)),
  };
}
