import type { Reject } from '../../model/lead.js';
import type { LeadHistory } from '../../ports/store/runs.js';
import { foundSince } from '../enrichments/known.js';
import { readResult } from '../enrichments/result-format.js';
import { readCells } from '../lead-cells.js';
import type { Sql } from '../sql.js';
import { read, type Verbs } from '../verb.js';
import {
  KNOWN_ASKS,
  type KnownAsksRow,
  leadsSharing,
  STORY_COLUMNS,
  type StoryRow,
  TOLD_LEADS,
  toLeadHistory,
} from './line-story.js';

type StoredStory = StoryRow & { readonly body: Uint8Array | null };

export const lineVerbs = {
  lineHistory: read(async (sql, runId, line, source) => {
    const found = readFound(await sql.rows<FoundLine>(FIND_LINE, [runId, line, source]));
    const leads = await readLeads(sql, runId, found.positions);
    const rejects = await sql.rows<Reject>(
      `SELECT source, line, reason, raw FROM rejects
       WHERE run_id = $1 AND line = $2 AND source = coalesce($3, source) ORDER BY id`,
      [runId, line, source],
    );
    return {
      leads,
      rejects,
      lineBefore: leads.length + rejects.length > 0 ? null : found.lineBefore,
    };
  }),
} satisfies Partial<Verbs>;

async function readLeads(
  sql: Sql,
  runId: number,
  positions: readonly number[],
): Promise<LeadHistory[]> {
  const rows = await sql.rows<StoredStory>(
    `SELECT ${STORY_COLUMNS}, r.body FROM ${TOLD_LEADS}
     WHERE l.run_id = $1 AND l.position = ANY ($2) ORDER BY l.position`,
    [runId, positions],
  );
  const cellsOf = await readCells(sql, runId, positions);
  const leads: LeadHistory[] = [];
  for (const { body, ...row } of rows) {
    const { id, position } = row;
    const kept = { cells: cellsOf(position), result: body === null ? null : readResult(body) };
    const sharing = await leadsSharing(sql, id ?? 0, [runId, position]);
    const known = await sql.rows<KnownAsksRow>(KNOWN_ASKS, [id]);
    const since = id === null || row.state === 'found' ? null : await foundSince(sql, id);
    leads.push(toLeadHistory(row, kept, sharing, known, since));
  }
  return leads;
}

interface FoundLine {
  /** Null if no lead begins on that line. */
  readonly position: number | null;
  /** The line of the lead before it; null if there is none. */
  readonly lineBefore: number | null;
}

const ONLY = 'CAST($3 AS bigint)';
const nextFrom = (position: string) =>
  `FROM leads l WHERE l.run_id = $1 AND l.position >= ${position} ORDER BY l.position LIMIT 1`;
/** Whether the first lead from the middle position on comes before the line. */
const IS_BEFORE = `(SELECT l.source < s.source OR (l.source = s.source AND l.line < $2) ${nextFrom('(s.low + s.high) / 2')})`;

/** The line $2 of run $1 in each file; $3 is the only file to search, or null. */
const FIND_LINE = `WITH RECURSIVE
  files (source, last) AS (
    SELECT coalesce(${ONLY}, 0),
      coalesce(${ONLY}, (SELECT source FROM leads WHERE run_id = $1 ORDER BY position DESC LIMIT 1))
    UNION ALL SELECT source + 1, last FROM files WHERE source < last),
  search (source, low, high) AS (
    SELECT source, CAST(1 AS bigint), (SELECT coalesce(max(position), 0) + 1 FROM leads WHERE run_id = $1) FROM files
    UNION ALL
    SELECT s.source, CASE WHEN ${IS_BEFORE} THEN (s.low + s.high) / 2 + 1 ELSE s.low END,
      CASE WHEN ${IS_BEFORE} THEN s.high ELSE (s.low + s.high) / 2 END
    FROM search s WHERE s.low < s.high)
  SELECT
    (SELECT CASE WHEN l.source = s.source AND l.line = $2 THEN l.position END ${nextFrom('s.low')}) AS position,
    (SELECT CASE WHEN l.source = s.source THEN l.line END FROM leads l
     WHERE l.run_id = $1 AND l.position < s.low ORDER BY l.position DESC LIMIT 1) AS line_before
  FROM search s WHERE s.low = s.high ORDER BY s.source`;

function readFound(found: readonly FoundLine[]) {
  const before = found.flatMap(({ lineBefore }) => lineBefore ?? []);
  return {
    positions: found.flatMap(({ position }) => position ?? []),
    lineBefore: before.length === 0 ? null : before.reduce((a, b) => Math.max(a, b)),
  };
}
