// The history of one line, from every table that knows something of it.
import type Database from 'better-sqlite3';
import type { Reject } from '../../../model/lead.js';
import type { MappedInput } from '../../../model/mapping/mapping.js';
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
import { snapshot, type Verbs } from '../database/transactions.js';
import { KEPT_RESULT, type KeptResult, readResult } from '../enrichments/result-format.js';
import { prepareReadCells } from '../lead-cells.js';

export function prepareLineHistory(db: Database.Database) {
  const rejects = db.prepare<[number, number, number | null], Reject>(
    `SELECT source, line, reason, raw FROM rejects
     WHERE run_id = ? AND line = ? AND source = coalesce(?, source) ORDER BY id`,
  );
  const mapping = db.prepare<[number], { mapping: string }>(
    'SELECT mapping FROM runs WHERE id = ?',
  );
  const find = db.prepare<[object], FoundLine>(findLine(':run', ':line', ':source'));
  const leads = prepareLeads(db);

  return {
    lineHistory: snapshot(db, (runId, line, source) => {
      const { lineBefore, positions } = readFound(find.all({ run: runId, line, source }));
      const found = leads(runId, positions);
      const refused = rejects.all(runId, line, source);
      const isNeither = found.length === 0 && refused.length === 0;
      return {
        leads: found,
        rejects: refused,
        mapping: JSON.parse(mapping.get(runId)?.mapping ?? '[]') as MappedInput[],
        lineBefore: isNeither ? lineBefore : null,
      };
    }),
    deliveriesAbout: prepareDeliveriesAbout(db),
  } satisfies Partial<Verbs>;
}

function prepareDeliveriesAbout(db: Database.Database): Verbs['deliveriesAbout'] {
  // The mark is a value of its own: a body that names enr_10 does not name enr_1.
  // Where the body has left, the delivery still knows what it settled.
  const about = db.prepare<[number, string, string, number], JournalEntry>(
    `${JOURNAL_ENTRY} WHERE d.enrichment_id = ? OR instr(d.also_settled, ?) > 0 OR EXISTS (
       SELECT 1 FROM json_each(?) mark WHERE instr(b.body, mark.value) > 0
         AND EXISTS (SELECT 1 FROM json_tree(b.body) part WHERE part.atom = mark.value))
     ORDER BY d.id LIMIT ?`,
  );

  return (enrichmentId, marks, limit) =>
    about.all(enrichmentId, ` ${enrichmentId} `, JSON.stringify(marks), limit);
}

function prepareLeads(db: Database.Database) {
  const leads = db.prepare<[number, number], StoryRow & { readonly kept: KeptResult | null }>(
    `SELECT ${STORY_COLUMNS}, ${KEPT_RESULT} AS kept
     FROM ${TOLD_LEADS}
     WHERE l.run_id = ? AND l.position = ?`,
  );
  const sharing = db.prepare<[number, number, number], SharingRow>(sharingLeads('?', '?', '?'));

  const readCells = prepareReadCells(db);

  return (runId: number, positions: readonly number[]): LeadHistory[] => {
    const cellsOf = readCells(runId);
    const rows = positions.flatMap((position) => leads.all(runId, position));
    return rows.map(({ kept, ...row }) => {
      const { id, position } = row;
      const own = {
        cells: cellsOf(position),
        result: kept === null ? null : readResult(kept),
      };
      return toLeadHistory(row, own, id === null ? [] : sharing.all(id, runId, position));
    });
  };
}
