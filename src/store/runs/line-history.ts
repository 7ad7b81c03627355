// The history of one line, from every table with a row about it.
import type { Reject } from '../../model/lead.js';
import type { LeadHistory } from '../../ports/store/runs.js';
import { readResult } from '../enrichments/result-format.js';
import { readCells } from '../lead-cells.js';
import type { Sql } from '../sql.js';
import { read, type Verbs } from '../verb.js';
import { type FoundLine, findLine, readFound } from './find-line.js';
import {
  KNOWN_ASKS,
  type KnownAsksRow,
  type SharingRow,
  STORY_COLUMNS,
  type StoryRow,
  sharingLeads,
  TOLD_LEADS,
  toLeadHistory,
} from './line-story.js';

type StoredStory = StoryRow & { readonly body: Uint8Array | null };

export const lineVerbs = {
  lineHistory: read(async (sql, runId, line, source) => {
    const found = readFound(
      await sql.rows<FoundLine>(findLine('$1', '$2', '$3'), [runId, line, source]),
    );
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
    const sharing =
      row.id === null
        ? []
        : await sql.rows<SharingRow>(sharingLeads('$1', '$2', '$3'), [row.id, runId, row.position]);
    const kept = {
      cells: cellsOf(row.position),
      result: body === null ? null : readResult(body),
    };
    const known = row.id === null ? [] : await sql.rows<KnownAsksRow>(KNOWN_ASKS, [row.id]);
    leads.push(toLeadHistory(row, kept, sharing, known));
  }
  return leads;
}
