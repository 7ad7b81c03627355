// The history of one line, from every table that knows something of it.
import type { Reject } from '../../../model/lead.js';
import type { MappedInput } from '../../../model/mapping/mapping.js';
import type { Result } from '../../../model/result.js';
import { isJsonObject, type JsonValue } from '../../../model/text/json.js';
import type { JournalEntry } from '../../../ports/store/deliveries.js';
import type { LeadHistory } from '../../../ports/store/runs.js';
import { JOURNAL_ENTRY } from '../../deliveries/journal-entry.js';
import { type FoundLine, findLine, readFound } from '../../runs/find-line.js';
import {
  type SharingRow,
  STORY_COLUMNS,
  type StoryRow,
  sharingLeads,
  TOLD_LEADS,
  toLeadHistory,
} from '../../runs/line-story.js';
import type { Sql } from '../database/database.js';
import type { Verbs } from '../verbs.js';

type StoredStory = StoryRow & { readonly cells: string; readonly body: string | null };

export const lineReads = {
  lineHistory: async (sql, runId, line, source) => {
    const found = readFound(
      await sql.rows<FoundLine>(findLine('$1', '$2', '$3'), [runId, line, source]),
    );
    const leads = await readLeads(sql, runId, found.positions);
    const rejects = await sql.rows<Reject>(
      `SELECT source, line, reason, raw FROM rejects
       WHERE run_id = $1 AND line = $2 AND source = coalesce($3, source) ORDER BY id`,
      [runId, line, source],
    );
    const run = await sql.row<{ mapping: string }>('SELECT mapping FROM runs WHERE id = $1', [
      runId,
    ]);
    return {
      leads,
      rejects,
      mapping: JSON.parse(run?.mapping ?? '[]') as MappedInput[],
      lineBefore: leads.length + rejects.length > 0 ? null : found.lineBefore,
    };
  },
  deliveriesAbout: async (sql, enrichmentId, marks, limit) => {
    const ids = await findDeliveriesAbout(sql, enrichmentId, new Set(marks), limit);
    return sql.rows<JournalEntry>(
      `${JOURNAL_ENTRY} WHERE d.id = ANY ($1::bigint[]) ORDER BY d.id`,
      [ids],
    );
  },
} satisfies Partial<Verbs>;

async function readLeads(
  sql: Sql,
  runId: number,
  positions: readonly number[],
): Promise<LeadHistory[]> {
  const rows = await sql.rows<StoredStory>(
    `SELECT ${STORY_COLUMNS}, l.cells, r.body FROM ${TOLD_LEADS}
     WHERE l.run_id = $1 AND l.position = ANY ($2::integer[]) ORDER BY l.position`,
    [runId, positions],
  );
  const leads: LeadHistory[] = [];
  for (const { cells, body, ...row } of rows) {
    const sharing =
      row.id === null
        ? []
        : await sql.rows<SharingRow>(sharingLeads('$1', '$2', '$3'), [row.id, runId, row.position]);
    const kept = {
      cells: JSON.parse(cells) as JsonValue[],
      result: body === null ? null : (JSON.parse(body) as Result),
    };
    leads.push(toLeadHistory(row, kept, sharing));
  }
  return leads;
}

/**
 * The mark is a value of its own: a body that names enr_10 does not name enr_1. Where the body has left, the delivery
 * still knows what it settled.
 */
async function findDeliveriesAbout(
  sql: Sql,
  enrichmentId: number,
  marks: ReadonlySet<string>,
  limit: number,
): Promise<number[]> {
  const candidates = await sql.rows<{ id: number; isKnown: boolean }>(
    `SELECT d.id, d.enrichment_id IS NOT DISTINCT FROM $1 OR $1 = ANY (d.also_settled) AS "isKnown"
     FROM deliveries d LEFT JOIN delivery_bodies b ON b.delivery_id = d.id
     WHERE d.enrichment_id = $1 OR $1 = ANY (d.also_settled)
       OR EXISTS (SELECT 1 FROM unnest($2::text[]) AS mark WHERE strpos(b.body, mark) > 0)
     ORDER BY d.id`,
    [enrichmentId, [...marks]],
  );
  const ids: number[] = [];
  for (const { id, isKnown } of candidates) {
    if (ids.length >= limit) break;
    // One at a time: a body may have 8 MiB.
    if (isKnown || (await isNamedIn(sql, id, marks))) ids.push(id);
  }
  return ids;
}

async function isNamedIn(sql: Sql, id: number, marks: ReadonlySet<string>): Promise<boolean> {
  const row = await sql.row<{ body: string }>(
    'SELECT body FROM delivery_bodies WHERE delivery_id = $1',
    [id],
  );
  try {
    return row !== undefined && holdsValue(JSON.parse(row.body) as JsonValue, marks);
  } catch {
    // No JSON.
    return false;
  }
}

/** Without recursion, however deep it is nested. */
function holdsValue(value: JsonValue, wanted: ReadonlySet<string>): boolean {
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string' && wanted.has(next)) return true;
    if (Array.isArray(next)) for (const one of next) open.push(one);
    else if (isJsonObject(next)) for (const one of Object.values(next)) open.push(one);
  }
  return false;
}
