// The history of one line, from every table with a row about it.
import type { Reject } from '../../model/lead.js';
import { isJsonObject, type JsonValue } from '../../model/text/json.js';
import type { JournalEntry } from '../../ports/store/deliveries.js';
import type { LeadHistory } from '../../ports/store/runs.js';
import { JOURNAL_ENTRY } from '../deliveries/journal-entry.js';
import { readResult } from '../enrichments/result-format.js';
import { readCells } from '../lead-cells.js';
import type { Sql } from '../sql.js';
import { read, type Verbs } from '../verb.js';
import { type FoundLine, findLine, readFound } from './find-line.js';
import {
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
  deliveriesAbout: read(async (sql, enrichmentId, marks, limit) => {
    const ids = await findDeliveriesAbout(sql, enrichmentId, new Set(marks), limit);
    return sql.rows<JournalEntry>(
      `${JOURNAL_ENTRY} WHERE d.id = ANY ($1::bigint[]) ORDER BY d.id`,
      [ids],
    );
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
    leads.push(toLeadHistory(row, kept, sharing));
  }
  return leads;
}

/**
 * The ids of deliveries about an enrichment. A mark must be a value of its own: a body that names enr_10 does not name
 * enr_1. A delivery without its body still knows the enrichments that it settled.
 */
async function findDeliveriesAbout(
  sql: Sql,
  enrichmentId: number,
  marks: ReadonlySet<string>,
  limit: number,
): Promise<number[]> {
  const isKnown = `(d.enrichment_id IS NOT DISTINCT FROM $1 OR d.also_settled LIKE $2)`;
  const mayName = [...marks].map((_, i) => `d.body LIKE $${i + 3} ESCAPE '!'`);
  const candidates = await sql.rows<{ id: number; isKnown: boolean | 0 | 1 }>(
    `SELECT d.id, ${isKnown} AS "isKnown"
     FROM deliveries d WHERE ${[isKnown, ...mayName].join(' OR ')} ORDER BY d.id`,
    [enrichmentId, `% ${enrichmentId} %`, ...Array.from(marks, toPattern)],
  );
  const ids: number[] = [];
  for (const { id, isKnown } of candidates) {
    if (ids.length >= limit) break;
    // Bodies are read one at a time: each may have 8 MiB.
    if (isKnown || (await isNamedIn(sql, id, marks))) ids.push(id);
  }
  return ids;
}

/** A pattern for LIKE that matches every text with the mark in it. */
function toPattern(mark: string): string {
  return `%${mark.replaceAll(/[!%_]/g, '!$&')}%`;
}

async function isNamedIn(sql: Sql, id: number, marks: ReadonlySet<string>): Promise<boolean> {
  const row = await sql.row<{ body: string | null }>('SELECT body FROM deliveries WHERE id = $1', [
    id,
  ]);
  try {
    return typeof row?.body === 'string' && holdsValue(JSON.parse(row.body) as JsonValue, marks);
  } catch {
    // The body is not JSON.
    return false;
  }
}

/** Whether a value is in it. The search is not recursive, however deep the nesting is. */
function holdsValue(value: JsonValue, wanted: ReadonlySet<string>): boolean {
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string' && wanted.has(next)) return true;
    if (Array.isArray(next)) for (const one of next) open.push(one);
    else if (isJsonObject(next)) for (const one of Object.values(next)) open.push(one);
  }
  return false;
}
