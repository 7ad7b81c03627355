// What changes of the enrichments of a state: their fingerprints, and which of them counts where several become one.
import { presentFingerprint } from './present-fingerprint.mjs';

const PAGE = 5_000;
const AT_WORK = new Set(['queued', 'submitting', 'awaiting']);
const ANSWERED = new Set(['found', 'not_found']);

/**
 * By the ids of enrichments: what is written in their rows. Of those that become one the newest counts that was, or may
 * have been, paid for; what came before it is told as a run tells it that asks again.
 * @throws Error where a run is still at work on one that would not count any more
 */
export async function findChanges(sql) {
  const changes = new Map();
  const change = (id, values) => changes.set(id, { ...changes.get(id), ...values });
  /** The current ones that get another fingerprint, by it. */
  const moved = new Map();
  for (let last = 0; ; ) {
    const rows = await sql.rows(
      `SELECT e.id, e.fingerprint, e.ask, e.inputs, e.is_current, r.account FROM enrichments e
       JOIN (SELECT id, ${sql.kind === 'sqlite' ? "coalesce(json_extract(plan, '$.account'), '') AS account" : 'account'} FROM runs) r ON r.id = e.run_id
       WHERE e.id > $1 ORDER BY e.id LIMIT ${PAGE}`,
      [last],
    );
    if (rows.length === 0) break;
    for (const row of rows) {
      const fingerprint = presentFingerprint(row);
      if (Buffer.compare(fingerprint, row.fingerprint) === 0) continue;
      change(row.id, { fingerprint });
      const key = Buffer.from(fingerprint).toString('hex');
      if (row.is_current) moved.set(key, [...(moved.get(key) ?? []), row.id]);
    }
    last = rows.at(-1).id;
  }
  for (const [key, ids] of moved) {
    const rows = await sql.rows(
      `SELECT e.id, e.state, e.ticket, e.lost_sends, e.answered_at, e.older_answer, e.predecessor, e.run_id, r.state AS run FROM enrichments e
       JOIN runs r ON r.id = e.run_id WHERE e.is_current = ${sql.kind === 'sqlite' ? '1' : 'true'} AND (e.id = ANY ($1) OR e.fingerprint = $2) ORDER BY e.id`,
      [ids, Buffer.from(key, 'hex')],
    );
    // One that has this fingerprint now may be about to get another.
    mergeOf(
      rows.filter(({ id }) => ids.includes(id) || changes.get(id)?.fingerprint === undefined),
    ).forEach(([id, values]) => change(id, values));
  }
  return changes;
}

/** Nothing was, or may have been, paid for. */
function isUnpaid({ lost_sends: lost, state, ticket }) {
  return lost === 0 && (state === 'queued' || (state === 'failed' && ticket === null));
}

/** What is written in rows that have become one, in the order of their ids. */
function mergeOf(rows) {
  const counts = rows.findLast((row) => !isUnpaid(row)) ?? rows.at(-1);
  const others = rows.filter((row) => row !== counts);
  for (const { id, run, run_id, state } of others) {
    if (!AT_WORK.has(state) || (run !== 'reading' && run !== 'working')) continue;
    throw new Error(
      `Run ${run_id} is still at work on enrichment ${id}, which asks the same as enrichment ${counts.id}. Let that run end, or cancel it, with the checkout that began it, and bring the state then.`,
    );
  }
  let { older_answer, predecessor } = counts;
  for (const row of others.filter(({ id }) => id < counts.id).toReversed()) {
    const isAnswered = ANSWERED.has(row.state) || row.answered_at !== null;
    older_answer ??= isAnswered ? row.id : row.older_answer;
    predecessor ??= isUnpaid(row) ? row.predecessor : row.id;
  }
  if (others.length === 0) return [];
  return [
    ...others.map(({ id }) => [id, { is_current: false }]),
    [counts.id, { older_answer, predecessor }],
  ];
}
