// Finds the enrichment that answers a lead, or makes it, as `store/enrichments/share.ts` decides.
import type Database from 'better-sqlite3';
import { NEVER } from '../../../model/enrichment/held.js';
import { toRequestRow } from '../../../model/enrichment/stored-request.js';
import type { AskedLead, IngestTimes } from '../../../ports/store/enrichments.js';
import { type CountedLead, prepareChangeAny } from './count-changes.js';
import { prepareKnown } from './peek.js';
import { type Before, type KnownRow, NOTHING_BEFORE } from './rules/known.js';
import { decideTaker, findServing } from './rules/serve.js';
import { decideShare, type How } from './rules/share.js';
import { prepareTake } from './serve.js';

/** An uncertain enrichment is sent again, by this run, because the user said so. */
export function prepareRequeueUncertain(db: Database.Database) {
  const requeue = db.prepare<[number, number, number]>(
    `UPDATE enrichments SET state = 'queued', run_id = ?, reason = NULL,
       lost_sends = CASE WHEN paid_by = ? AND served_by IS NULL THEN lost_sends + 1 ELSE 0 END, paid_by = NULL,
       served_by = NULL
     WHERE id = ?`,
  );

  return (id: number, runId: number): boolean => requeue.run(runId, runId, id).changes > 0;
}

/** The ticket of an enrichment that timed out is asked for again, by this run and for nothing. */
export function prepareReopenTimedOut(db: Database.Database) {
  const reopen = db.prepare<[number, number, number, number]>(
    `UPDATE enrichments SET state = 'awaiting', run_id = ?, poll_at = ?, deadline_at = ?,
       reason = NULL, settled_at = NULL
     WHERE id = ?`,
  );

  return (id: number, runId: number, times: Pick<IngestTimes, 'at' | 'deadlineAt'>): boolean =>
    reopen.run(runId, times.at, times.deadlineAt, id).changes > 0;
}

type Share = NonNullable<CountedLead['shared']> & { readonly how: How };

export function prepareShare(db: Database.Database) {
  const known = prepareKnown(db);
  const retire = db.prepare<[number]>('UPDATE enrichments SET is_current = 0 WHERE id = ?');
  const takeOver = db.prepare<[number, number, number]>(
    `UPDATE enrichments SET run_id = ?, poll_at = CASE WHEN poll_at = ${NEVER} THEN ? ELSE poll_at END
     WHERE id = ?`,
  );
  const reopen = prepareReopenTimedOut(db);
  const requeue = prepareRequeueUncertain(db);
  const create = prepareCreate(db);
  const take = prepareTake(db);
  const change = prepareChangeAny(db);

  const shareCurrent = (
    runId: number,
    lead: AskedLead,
    times: IngestTimes,
    row: KnownRow,
  ): Share => {
    const decision = decideShare(known, row, runId, times);
    const { id, step } = decision;
    if (step === 'replace') {
      retire.run(id);
      return expectThere(create(runId, lead, decision.before));
    }
    if (step === 'take_over') takeOver.run(runId, times.at, id);
    if (step === 'reopen') change(id, () => reopen(id, runId, times));
    if (step === 'requeue') change(id, () => requeue(id, runId));
    return decision;
  };

  /** Another question asked for all of it, and more: the lead's enrichment takes what comes of that one. */
  const serve = (runId: number, lead: AskedLead, wide: number, times: IngestTimes): Share => {
    const own = known.current(lead.fingerprint);
    const taker = decideTaker(own);
    if (taker.id === null && own !== undefined) retire.run(own.id);
    const { id } = taker.id === null ? expectThere(create(runId, lead, taker.before, null)) : taker;
    const { how, state } = take({ id, ask: lead.request.ask, runId }, wide, times);
    return { id, state, how };
  };

  let wasKnown = false;
  /**
   * The next lead is mostly what the last one was. To look for a new one first would go through the index of
   * fingerprints twice; to add a known one would make a row in vain.
   */
  return (runId: number, lead: AskedLead, times: IngestTimes): Share => {
    const serving = findServing(known, lead, times);
    if (serving !== undefined) return serve(runId, lead, serving.row.id, times);
    const found = wasKnown ? known.current(lead.fingerprint) : undefined;
    const created = found === undefined ? create(runId, lead, NOTHING_BEFORE) : undefined;
    wasKnown = created === undefined;
    if (created !== undefined) return created;
    return shareCurrent(runId, lead, times, found ?? expectThere(known.current(lead.fingerprint)));
  };
}

/** The index of current enrichments answers the same, whether a row is added or looked for. */
function expectThere<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('insert and select differ on a current enrichment');
  return found;
}

function prepareCreate(db: Database.Database) {
  const insertEnrichment = db.prepare<
    [Uint8Array, number, string, string, number | null, number | null, number | null]
  >(
    `INSERT INTO enrichments (fingerprint, run_id, ask, inputs, older_answer, predecessor, home, is_followed)
     VALUES (?, ?, ?, ?, ?, ?, ?, 0)
     ON CONFLICT (fingerprint) WHERE is_current = 1 DO NOTHING`,
  );
  const noteAsked = db.prepare<[string]>('INSERT OR IGNORE INTO asked VALUES (?)');

  /** Undefined where the fingerprint has a current enrichment. `home`: the run of the lead, where that is to pay. */
  return (
    runId: number,
    lead: AskedLead,
    known: Before,
    home: number | null = runId,
  ): Share | undefined => {
    const { ask, inputs } = toRequestRow(lead.request);
    const { changes, lastInsertRowid } = insertEnrichment.run(
      lead.fingerprint,
      runId,
      ask,
      inputs,
      known.older_answer,
      known.predecessor,
      home,
    );
    if (changes === 0) return undefined;
    noteAsked.run(ask);
    const made = known.older_answer === null ? 'first' : 'successor';
    return { id: Number(lastInsertRowid), state: 'queued', how: 'queued', made };
  };
}
