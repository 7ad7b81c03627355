// Removes people from everything that is kept. Of them only what prevents a second payment stays on the disk.
import type Database from 'better-sqlite3';
import type { PersonMatch } from '../../../model/person-match.js';
import { FORGOTTEN_REASON } from '../../../model/tally.js';
import type { JsonObject, JsonValue } from '../../../model/text/json.js';
import { IS_REMEMBERED, NO_INPUTS } from '../../enrichments/stored-request.js';
import {
  type Blocks,
  FORGOTTEN_TICKET,
  isAbout,
  mayRemove,
  NOTHING_REMOVED,
  restOf,
  TICKET_LEFT,
} from '../../maintenance/forgetting.js';
import { snapshot, type Verbs } from '../database/transactions.js';
import { KEPT_RESULT, type KeptResult, readResult } from '../enrichments/result-format.js';
import { eraseCells, visitCells } from '../lead-cells.js';
import { countsOf } from '../runs/counts.js';
import { reclaim, removeRows } from './reclaim.js';

export function prepareForget(db: Database.Database): Verbs['forget'] {
  return (match, at, isForReal) => {
    const tickets = registerFunctions(db, match);
    // Searching everything takes a while, and other processes may write meanwhile. What they write counts as if it came
    // afterwards.
    const names = snapshot(db, () => {
      choose(db, match);
      for (const ticket of knownTickets(db)) tickets.add(ticket);
      chooseJournals(db);
      return countNames(db);
    })();
    // From now on what is deleted is overwritten too.
    db.pragma('secure_delete = ON');
    const report = removeRows(
      db,
      () => {
        db.exec(WHAT_BELONGS_TO_THEM);
        const blocks = findBlocks(db);
        const removed = mayRemove(blocks) ? erase(db, match, tickets, at) : NOTHING_REMOVED;
        return { ...removed, ...blocks, names };
      },
      (blocks) => isForReal && mayRemove(blocks),
    );
    if (!isForReal || !mayRemove(report)) return { ...report, isErased: false, left: null };
    const isErased = reclaim(db);
    return { ...report, isErased, left: isErased ? null : 'readers' };
  };
}

/** The tickets of the chosen enrichments are filled in later: a delivery may name nothing else. */
function registerFunctions(db: Database.Database, match: PersonMatch): Set<string> {
  const tickets = new Set<string>();
  const options = { directOnly: true };
  const isTold = (json: unknown, others?: ReadonlySet<string>): number =>
    typeof json === 'string' && isAbout(match, json, others) ? 1 : 0;
  db.function('is_about', options, (json: unknown) => isTold(json));
  db.function('is_result_about', options, (kept: unknown) =>
    match.inJson(readResult(kept as KeptResult) as JsonObject) ? 1 : 0,
  );
  db.function('is_told_about', options, (json: unknown) => isTold(json, tickets));
  db.function('is_line_about', options, (text: unknown) =>
    typeof text === 'string' && match.inText(text) ? 1 : 0,
  );
  return tickets;
}

/** Tables of this connection alone, which list what is chosen. */
const CHOSEN = {
  gone_enrichments: 'id INTEGER PRIMARY KEY',
  gone_leads: 'run_id INTEGER, position INTEGER, PRIMARY KEY (run_id, position)',
  gone_deliveries: 'id INTEGER PRIMARY KEY',
  gone_events: 'id INTEGER PRIMARY KEY',
  gone_rejects: 'id INTEGER PRIMARY KEY',
  gone_lead_ids: 'scope TEXT, id TEXT, PRIMARY KEY (scope, id)',
};

/** Enrichments of leads that name them, and leads of enrichments that were asked or answered with them. */
const WHAT_BELONGS_TO_THEM = `
  INSERT OR IGNORE INTO gone_enrichments
    SELECT l.enrichment_id FROM gone_leads g
    JOIN leads l ON l.run_id = g.run_id AND l.position = g.position
    WHERE l.enrichment_id IS NOT NULL;
  INSERT OR IGNORE INTO gone_leads
    SELECT run_id, position FROM leads WHERE enrichment_id IN (SELECT id FROM gone_enrichments);
`;

function choose(db: Database.Database, match: PersonMatch): void {
  for (const [table, columns] of Object.entries(CHOSEN)) {
    db.exec(`CREATE TEMP TABLE IF NOT EXISTS ${table} (${columns}); DELETE FROM ${table}`);
  }
  db.exec(`
    INSERT INTO gone_enrichments SELECT id FROM enrichments WHERE is_about(inputs);
    INSERT OR IGNORE INTO gone_enrichments SELECT enrichment_id FROM results r WHERE is_result_about(${KEPT_RESULT});
    INSERT OR IGNORE INTO gone_enrichments SELECT enrichment_id FROM unread_answers WHERE is_about(body);
  `);
  const chosen: [number, number][] = [];
  visitCells(db, (runId, position, cells) => {
    if (match.inJson(cells)) chosen.push([runId, position]);
  });
  const add = db.prepare<[number, number]>('INSERT INTO gone_leads VALUES (?, ?)');
  for (const lead of chosen) add.run(...lead);
  db.exec(WHAT_BELONGS_TO_THEM);
}

function knownTickets(db: Database.Database): string[] {
  const known = db.prepare<[], { ticket: string }>(
    `SELECT ticket FROM enrichments
     WHERE ticket <> '${FORGOTTEN_TICKET}' AND id IN (SELECT id FROM gone_enrichments)`,
  );
  return known.all().map(({ ticket }) => ticket);
}

/** A key of an event; null where SQLite does not take the body for JSON: it may be nested too deeply. */
function inEvent(key: string): string {
  return `CASE WHEN json_valid(body) THEN json_extract(body, '$.${key}') END`;
}

/** Events that name the lead by its id alone belong to the same person. */
function chooseJournals(db: Database.Database): void {
  db.exec(`
    INSERT INTO gone_deliveries SELECT id FROM deliveries LEFT JOIN delivery_bodies ON delivery_id = id
      WHERE enrichment_id IN (SELECT id FROM gone_enrichments) OR is_told_about(body);
    INSERT OR IGNORE INTO gone_lead_ids
      SELECT scope, ${inEvent('leadId')} FROM events
      WHERE ${inEvent('leadId')} IS NOT NULL
        AND is_about(json_array(${inEvent('leadEmail')}));
    INSERT INTO gone_events SELECT id FROM events WHERE ${inEvent('forgotten')} IS NULL
      AND (is_about(body) OR (scope, ${inEvent('leadId')}) IN (SELECT scope, id FROM gone_lead_ids));
    DELETE FROM gone_lead_ids;
    INSERT INTO gone_rejects SELECT id FROM rejects WHERE is_line_about(raw);
  `);
}

/**
 * A name in a file's path stays, so that no other job takes its place; so does a name in a column of tables yet to
 * come.
 */
function countNames(db: Database.Database): number {
  const counted = db
    .prepare<[], { n: number }>(
      `SELECT (SELECT count(*) FROM runs WHERE is_about(columns) OR is_about(plan))
         + (SELECT count(*) FROM read_files WHERE is_about(json_array(path)))
         + (SELECT count(*) FROM written_files WHERE is_about(json_array(path)))
         + (SELECT count(*) FROM hashed_files WHERE is_about(json_array(path))) AS n`,
    )
    .get();
  return counted?.n ?? 0;
}

/** What would bring a person back: open work on their leads, and deliveries that are not settled yet. */
function findBlocks(db: Database.Database): Blocks {
  const open = db
    .prepare<[], { id: number }>(
      `SELECT id FROM runs WHERE state IN ('reading', 'working') AND (
         id IN (SELECT run_id FROM gone_leads)
         OR id IN (SELECT run_id FROM enrichments
                   WHERE ${IS_REMEMBERED} AND id IN (SELECT id FROM gone_enrichments)))
       ORDER BY id`,
    )
    .all();
  const pending = db
    .prepare<[], { n: number }>(
      `SELECT count(*) AS n FROM pending_deliveries
       WHERE delivery_id IN (SELECT id FROM gone_deliveries)`,
    )
    .get();
  return { openRuns: open.map(({ id }) => id), pendingDeliveries: pending?.n ?? 0 };
}

function erase(db: Database.Database, match: PersonMatch, tickets: Set<string>, at: number) {
  const runs = db
    .prepare<[], number>(
      `SELECT DISTINCT run_id FROM gone_leads
       WHERE run_id IN (SELECT id FROM runs WHERE pruned_at IS NULL) ORDER BY run_id`,
    )
    .pluck();
  const leads = db
    .prepare<[], { run_id: number; position: number }>(
      'SELECT run_id, position FROM gone_leads ORDER BY run_id, position',
    )
    .all();
  const deliveries = eraseDeliveries(db, (value) => match.inJson(value, tickets));
  const run = (sql: string, ...values: (string | number)[]): number =>
    db.prepare<(string | number)[]>(sql).run(...values).changes;
  const erased = {
    deliveries,
    events: eraseEvents(run),
    rejects: run(`UPDATE rejects SET raw = '' WHERE id IN (SELECT id FROM gone_rejects)`),
    // The line keeps its place in the table of its run, and its share of the bill.
    leads: eraseCells(db, leads),
    results:
      run('DELETE FROM results WHERE enrichment_id IN (SELECT id FROM gone_enrichments)') +
      run('DELETE FROM unread_answers WHERE enrichment_id IN (SELECT id FROM gone_enrichments)'),
    enrichments: eraseEnrichments(run, at),
    runs: runs.all(),
  };
  countsOf(db).recountAll();
  return erased;
}

type Execute = (sql: string, ...values: (string | number)[]) => number;

/**
 * Each enrichment is replaced by one that ended. Its cost and its fingerprint, which is a digest, stay, so that it is
 * not paid for again while its answer would be fresh. An enrichment that certainly never was accepted may be asked for
 * again at once. The arrows do not lead there from every state, so the replacement is another row with the same id;
 * late answers to the old row do not change it.
 */
function eraseEnrichments(run: Execute, at: number): number {
  return run(
    `INSERT OR REPLACE INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs,
       ticket, reason, thousandths, submitted_at, settled_at, send_count, lost_sends,
       wanted)
     SELECT id, fingerprint, is_current, run_id, paid_by, 'failed', ask, '${NO_INPUTS}',
       ${TICKET_LEFT},
       ?, thousandths, coalesce(submitted_at, ?), coalesce(settled_at, ?), send_count, lost_sends, wanted
     FROM enrichments WHERE ${IS_REMEMBERED} AND id IN (SELECT id FROM gone_enrichments)`,
    FORGOTTEN_REASON,
    at,
    at,
  );
}

/** A body is emptied, unless it names other people too: an entry of theirs may yet be settled. */
function eraseDeliveries(db: Database.Database, isTheirs: (value: JsonValue) => boolean): number {
  const next = db.prepare<[number], { id: number; body: string; entries: number | null }>(
    `SELECT d.id, b.body, d.settled + d.unchanged + d.unknown AS entries
     FROM deliveries d JOIN delivery_bodies b ON b.delivery_id = d.id
     WHERE d.id > ? AND b.body <> '{}' AND d.id IN (SELECT id FROM gone_deliveries) ORDER BY d.id LIMIT 1`,
  );
  // What was delivered could be computed from nothing but all of it; still, no digest of it stays.
  db.exec(`UPDATE deliveries SET digest = NULL, digest_rest = NULL
    WHERE digest IS NOT NULL AND id IN (SELECT id FROM gone_deliveries)`);
  const replace = db.prepare<[string, number]>(
    'UPDATE delivery_bodies SET body = ? WHERE delivery_id = ?',
  );
  const unlearn = db.prepare<[number]>('DELETE FROM unknown_tickets WHERE delivery_id = ?');
  let count = 0;
  // One at a time: a body may have 8 MiB.
  for (let last = 0; ; count += 1) {
    const one = next.get(last);
    if (one === undefined) return count;
    last = one.id;
    const isShared = (one.entries ?? 0) > 1;
    const rest = isShared ? restOf(one.body, isTheirs) : undefined;
    replace.run(rest ?? '{}', one.id);
    if (rest === undefined) unlearn.run(one.id);
  }
}

/** Only the event's id stays, so that the same event does not come back when it is reported again. */
function eraseEvents(run: Execute): number {
  return run(
    `UPDATE events SET body = json_object('_id', event_id, 'type', type, 'forgotten', json('true'))
     WHERE id IN (SELECT id FROM gone_events)`,
  );
}
