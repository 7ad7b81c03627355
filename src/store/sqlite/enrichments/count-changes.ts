// An enrichment changes, and with it what rows show, perhaps of several runs: the numbers of those runs change in the
// same transaction.
import type Database from 'better-sqlite3';
import type { EnrichmentState } from '../../../model/enrichment/arrows.js';
import { hasEnded, OLDER_SHOWN } from '../../enrichments/known-answers.js';
import {
  COUNT_KEY,
  COUNTED_ANSWERS,
  COUNTED_THOUSANDTHS,
  type CountKey,
  type CountRow,
  IN_PART,
} from '../../runs/count-leads.js';
import { countsOf } from '../runs/counts.js';

/** Where only the lead shows an enrichment that made it: its run, who pays, and which older answer it shows, in one number. */
const SHOWN_ONCE = `iif(is_followed = 0, 6 * home + 3 * (paid_by IS home) +
  iif(older_answer IS NULL, 0, coalesce(${OLDER_SHOWN}, 0)), NULL)`;

/** By the remainder of that number. */
const OLDER = [null, 'found', 'not_found'] as const;

/** What an enrichment becomes. */
interface Changed {
  readonly state: EnrichmentState;
  readonly reason: string;
  /** Where it is settled. */
  readonly thousandths?: number;
}

export const AWAITING = { state: 'awaiting', reason: '' } as const;

/**
 * Inside another verb's transaction: a statement that changes the state or the reason of one enrichment, whose id is its
 * last parameter. Nearly always that is in the state `from`, and only one lead shows it: what to count is known then
 * without looking at leads. Whether it has changed.
 */
export function prepareChange(
  db: Database.Database,
  from: EnrichmentState,
  sql: string,
): (to: Changed, ...parameters: readonly (string | number | null)[]) => boolean {
  const shownOnce = db
    .prepare<[number], number | null>(
      `SELECT ${SHOWN_ONCE} FROM enrichments WHERE id = ? AND state = '${from}' AND reason IS NULL`,
    )
    .pluck();
  const statement = db.prepare<(string | number | null)[]>(sql);
  const countMove = prepareCountMove(db, from);
  const changeAny = prepareChangeAny(db);

  return (to, ...parameters) => {
    const id = parameters.at(-1) as number;
    const shown = shownOnce.get(id) ?? null;
    if (shown === null) return changeAny(id, () => statement.run(...parameters).changes > 0);
    const hasChanged = statement.run(...parameters).changes > 0;
    if (hasChanged) countMove(shown, to);
    return hasChanged;
  };
}

/** Counts what was unsettled before, without a reason, and is shown once. Thousands in a row do the same. */
function prepareCountMove(db: Database.Database, from: EnrichmentState) {
  const { changeOf, transaction } = countsOf(db);
  let last = { in: {} as unknown, shown: 0, state: '', reason: '' };
  let before = { n: 0, thousandths: 0 };
  let after = before;

  return (shown: number, { state, reason, thousandths = 0 }: Changed): void => {
    const isApi = Math.floor(shown / 3) % 2 === 1;
    const now = transaction();
    if (last.in !== now || last.shown !== shown || last.state !== state || last.reason !== reason) {
      const run = Math.floor(shown / 6);
      const older = OLDER[shown % 3] ?? null;
      before = changeOf(run, keyOf(from, '', isApi, older));
      after = changeOf(run, keyOf(state, reason, isApi, older));
      last = { in: now, shown, state, reason };
    }
    before.n -= 1;
    after.n += 1;
    if (isApi) after.thousandths += thousandths;
  };
}

/** What SHOWN_STATUS and its like say of such an enrichment. */
function keyOf(
  state: EnrichmentState,
  reason: string,
  isApi: boolean,
  older: 'found' | 'not_found' | null,
): CountKey {
  if (older !== null && state !== 'found' && state !== 'not_found') {
    return { status: older, again: state, reason, cached: 1 };
  }
  const isSettled = hasEnded(state) || state === 'timed_out';
  return { status: state, again: '', reason, cached: isSettled && !isApi ? 1 : 0 };
}

/** Changes an enrichment that any number of leads may show, in whatever way. */
export function prepareChangeAny(db: Database.Database) {
  const showing = prepareShowing(db);
  const unfollow = db.prepare<[number]>('DELETE FROM followers WHERE enrichment_id = ?');
  const add = prepareAdd(db);

  return (id: number, change: () => boolean): boolean => {
    const before = showing(id);
    if (!change()) return false;
    const after = showing(id);
    for (const row of before) add(row, -1);
    for (const row of after) add(row, 1);
    if (after.some(({ status, again }) => hasEnded(again || status))) unfollow.run(id);
    return true;
  };
}

/** What each lead shows that changes with the enrichment. */
function prepareShowing(db: Database.Database): (id: number) => CountRow[] {
  const one = `SELECT ${COUNT_KEY}, 1 AS n, ${COUNTED_THOUSANDTHS} AS thousandths FROM`;
  const first = db.prepare<[number], CountRow>(
    `${one} (SELECT home AS run_id, 1 AS is_first, id AS enrichment_id, NULL AS note, 0 AS not_asked
       FROM enrichments WHERE id = ? AND home IS NOT NULL) l ${COUNTED_ANSWERS}`,
  );
  const followers = db.prepare<[number], CountRow>(
    `${one} followers f JOIN leads l ON l.run_id = f.run_id AND l.position = f.position ${COUNTED_ANSWERS}
     WHERE f.enrichment_id = ?`,
  );
  return (id) => [...first.all(id), ...followers.all(id)];
}

/** One lead more, or one less, shows this. */
function prepareAdd(db: Database.Database): (row: CountRow, sign: 1 | -1) => void {
  const { changeOf } = countsOf(db);
  return (row, sign) => {
    const change = changeOf(row.run_id, row);
    change.n += sign;
    change.thousandths += sign * row.thousandths;
  };
}

/** What a statement that moves many enrichments returns beside their `id`. */
export const MOVED = `${SHOWN_ONCE} AS shown`;

export interface MovedRow {
  readonly id: number;
  readonly shown: number | null;
}

/** From one unsettled state without a reason to another. */
export function prepareCountMoved(
  db: Database.Database,
  from: EnrichmentState,
  to: Changed,
): (row: MovedRow) => void {
  const showing = prepareShowing(db);
  const countMove = prepareCountMove(db, from);
  const add = prepareAdd(db);

  return ({ id, shown }) => {
    if (shown !== null) {
      countMove(shown, to);
      return;
    }
    for (const row of showing(id)) {
      const before = row.again === '' ? { status: from } : { again: from };
      add({ ...row, reason: '', ...before }, -1);
      add(row, 1);
    }
  };
}

/** A lead that has just come in. */
export interface CountedLead {
  readonly runId: number;
  readonly position: number;
  readonly note: string | null;
  readonly isLeft: boolean;
  /** Its enrichment, which it has made or found; null where it is not asked. */
  readonly shared: {
    readonly id: number;
    readonly state: EnrichmentState;
    /** Where the lead made it, as the first of its fingerprint or in the place of another. */
    readonly made?: 'first' | 'successor';
  } | null;
}

/** Inside another verb's transaction, after the lead was added. */
export function prepareCountLead(db: Database.Database): (lead: CountedLead) => void {
  const shown = db.prepare<[number, number], CountRow>(
    `SELECT ${COUNT_KEY}, 1 AS n, ${COUNTED_THOUSANDTHS} AS thousandths
     FROM leads l ${COUNTED_ANSWERS} WHERE l.run_id = ? AND l.position = ?`,
  );
  const follow = db.prepare<[number, number, number]>('INSERT INTO followers VALUES (?, ?, ?)');
  const mark = db.prepare<[number]>(
    'UPDATE enrichments SET is_followed = 1 WHERE id = ? AND is_followed = 0',
  );
  const { changeOf } = countsOf(db);
  const add = prepareAdd(db);
  const count = (runId: number, status: CountKey['status'], reason = '', cached: 0 | 1 = 0) => {
    changeOf(runId, { status, again: '', reason, cached }).n += 1;
  };

  return ({ runId, position, note, isLeft, shared }) => {
    if (shared === null) {
      count(runId, isLeft ? 'not_asked' : 'skipped', note ?? '');
      return;
    }
    if (note !== null) count(runId, IN_PART, note);
    const { id, state, made } = shared;
    if (made === undefined && !hasEnded(state)) {
      follow.run(id, runId, position);
      mark.run(id);
    }
    if (made === 'first') count(runId, 'queued');
    else if (state === 'found' || state === 'not_found') count(runId, state, '', 1);
    else for (const row of shown.all(runId, position)) add(row, 1);
  };
}

interface Reopened {
  note(id: number): void;
  /** Counts the given run anew, and every other one in which they appear. */
  count(runId: number): void;
}

/** Inside another verb's transaction: enrichments that had ended, or may have, and are asked for again. */
export function openReopened(db: Database.Database): Reopened {
  db.exec(
    'CREATE TEMP TABLE IF NOT EXISTS reopened (id INTEGER PRIMARY KEY); DELETE FROM reopened',
  );
  const note = db.prepare<[number]>('INSERT OR IGNORE INTO reopened VALUES (?)');
  const runs = db.prepare<[number], { id: number }>(
    `SELECT DISTINCT run_id AS id FROM followers WHERE enrichment_id IN (SELECT id FROM reopened)
     UNION SELECT ?`,
  );
  const { recount } = countsOf(db);
  return {
    note: (id) => void note.run(id),
    count: (runId) => {
      db.exec(FOLLOW_REOPENED);
      for (const { id } of runs.all(runId)) recount(id);
    },
  };
}

/** Which leads show an answer that had ended is written nowhere: one pass through the leads of all runs. */
const FOLLOW_REOPENED = `
  UPDATE enrichments SET home = NULL, is_followed = 1 WHERE id IN (SELECT id FROM reopened);
  DELETE FROM reopened WHERE id IN
    (SELECT id FROM enrichments WHERE state = 'found' OR state = 'not_found' OR state = 'failed');
  CREATE TEMP TABLE IF NOT EXISTS shown_by
    (enrichment_id INTEGER, followed INTEGER, PRIMARY KEY (enrichment_id, followed)) WITHOUT ROWID;
  DELETE FROM shown_by;
  INSERT INTO shown_by SELECT id, id FROM reopened;
  INSERT OR IGNORE INTO shown_by
    SELECT id, older_answer FROM enrichments WHERE older_answer IN (SELECT id FROM reopened);
  INSERT OR IGNORE INTO followers
    SELECT s.followed, l.run_id, l.position FROM leads l CROSS JOIN shown_by s ON s.enrichment_id = l.enrichment_id`;
