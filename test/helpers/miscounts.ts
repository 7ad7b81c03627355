// The numbers of each run as the statements of `tally` count them, against counting its rows one by one. And rows that
// refer to none, which no database refuses.
import Database from 'better-sqlite3';
import { suppressedReason } from '../../src/model/suppression.js';
import { emptyByStatus, type RunTally, type StatusReason } from '../../src/model/tally.js';
import { STRAYS } from '../../src/store/maintenance/strays.js';
import {
  COUNT,
  COUNT_IN_PART,
  COUNT_REST,
  type CountedRow,
  type InPartRow,
  type RestRow,
  toTally,
} from '../../src/store/runs/count-leads.js';

interface LeadRow {
  readonly run_id: number;
  readonly note: string | null;
  readonly enrichment_id: number | null;
  readonly is_first: number;
  readonly not_asked: number;
}

interface EnrichmentRow {
  readonly id: number;
  readonly paid_by: number | null;
  readonly state: 'queued' | 'submitting' | 'awaiting' | 'found' | 'not_found' | 'failed';
  readonly reason: string | null;
  readonly thousandths: number;
  readonly settled_at: number | null;
  readonly answered_at: number | null;
  readonly older_answer: number | null;
  readonly lost_sends: number;
  readonly suppressed_by: number | null;
}

type RunRow = Readonly<Record<'id' | 'reject_count', number>> & { readonly state: string };

/** The spending of an account that its enrichments tell, and its sums do not. Those that have left are in the sums alone. */
const UNDERCOUNTED = `SELECT * FROM
  (SELECT r.account, e.counted_at AS quarter, sum(iif(e.is_open, 0, e.thousandths)) AS spent,
     sum(iif(e.is_open, e.price_max, 0)) AS held
   FROM (SELECT *, state IN ('submitting', 'awaiting', 'timed_out', 'uncertain') AS is_open FROM enrichments) e
     JOIN runs r ON r.id = e.paid_by
   WHERE e.served_by IS NULL AND e.counted_at IS NOT NULL AND e.state <> 'queued' GROUP BY 1, 2) AS live
  LEFT JOIN spending s USING (account, quarter)
  WHERE live.spent > coalesce(s.spent, 0) OR live.held > coalesce(s.held, 0)`;

/** Where the two ways of counting differ, and strays; all of one moment. */
export function miscounts(path: string): unknown[] {
  const db = new Database(path, { readonly: true });
  try {
    // Killed while the file was made: nothing is in it.
    if (db.pragma('user_version', { simple: true }) === 0) return [];
    return db.transaction(() => {
      const enrichments = new Map(
        db
          .prepare<[], EnrichmentRow>('SELECT * FROM enrichments')
          .all()
          .map((row) => [row.id, row]),
      );
      const whys = new Map(
        db
          .prepare<[], { id: number; reason: string }>('SELECT id, reason FROM suppressions')
          .all()
          .map(({ id, reason }) => [id, suppressedReason(reason)]),
      );
      const leads = db.prepare<[number], LeadRow>(
        'SELECT * FROM leads WHERE run_id = ? ORDER BY position',
      );
      const runs = db.prepare<[], RunRow>('SELECT * FROM runs WHERE pruned_at IS NULL').all();
      const strays = db.prepare(STRAYS).all();
      const wrong = runs.flatMap((run) => {
        const is = asked(db, run);
        const right = oneByOne(run, leads.all(run.id), { enrichments, whys });
        // Of very many reasons some are not told.
        const told = right.reasons.length > 20 ? is.reasons : right.reasons;
        const isSame =
          JSON.stringify(sorted(is)) === JSON.stringify(sorted({ ...right, reasons: told }));
        return isSame ? [] : [{ is, right }];
      });
      return [...strays, ...wrong, ...db.prepare(UNDERCOUNTED).all()];
    })();
  } finally {
    db.close();
  }
}

function asked(db: Database.Database, { id }: RunRow): RunTally {
  const rows = <R>(text: string) =>
    db.prepare<[object], R>(text.replaceAll(/::\w+/g, '')).all({ 1: id });
  return toTally(
    rows<CountedRow>(COUNT),
    rows<InPartRow>(COUNT_IN_PART),
    rows<RestRow>(COUNT_REST)[0],
  );
}

interface Known {
  readonly enrichments: ReadonlyMap<number, EnrichmentRow>;
  /** The reason that rows show for each suppression. */
  readonly whys: ReadonlyMap<number, string>;
}

function oneByOne(
  { reject_count: rejects, state }: RunRow,
  leads: readonly LeadRow[],
  { enrichments, whys }: Known,
): RunTally {
  const byStatus = emptyByStatus();
  const askedAgain: Record<string, number> = {};
  const reasons = new Map<string, StatusReason>();
  const inPart = new Map<string, number>();
  let [fromCache, thousandths, lostSends] = [0, 0, 0];
  for (const lead of leads) {
    const e = enrichments.get(lead.enrichment_id ?? 0);
    const { cached, paid, shown, again } = look(lead, e, enrichments);
    byStatus[shown] += 1;
    if (again !== undefined) askedAgain[again] = (askedAgain[again] ?? 0) + 1;
    const why = whys.get(e?.suppressed_by ?? 0);
    const reason = why ?? (e === undefined ? lead.note : e.reason) ?? '';
    if (reason !== '') {
      const status = again ?? shown;
      const key = `${status} ${reason}`;
      reasons.set(key, { status, reason, leads: (reasons.get(key)?.leads ?? 0) + 1 });
    }
    if (lead.enrichment_id !== null && lead.note !== null) {
      inPart.set(lead.note, (inPart.get(lead.note) ?? 0) + 1);
    }
    lostSends += e?.lost_sends ?? 0;
    if (cached) fromCache += 1;
    thousandths += paid;
  }
  const distinct = new Set(leads.flatMap(({ enrichment_id: id }) => id ?? []));
  return {
    leads: leads.length,
    rejects,
    byStatus,
    askedAgain,
    reasons: [...reasons.values()],
    inPart: {
      leads: [...inPart.values()].reduce((sum, n) => sum + n, 0),
      reasons: Array.from(inPart, ([reason, n]) => ({ reason, leads: n })),
    },
    enrichments: state === 'finished' ? distinct.size : null,
    fromCache,
    credits: thousandths / 1000,
    ...(lostSends > 0 && { hasLostSends: true as const }),
  };
}

function look(
  lead: LeadRow,
  e: EnrichmentRow | undefined,
  enrichments: ReadonlyMap<number, EnrichmentRow>,
) {
  if (e === undefined) {
    const shown = lead.not_asked === 1 ? ('not_asked' as const) : ('skipped' as const);
    return { shown, again: undefined, cached: false, paid: 0 };
  }
  const isOwn = lead.is_first === 1 && e.paid_by === lead.run_id;
  const paid = isOwn ? e.thousandths : 0;
  if (e.suppressed_by !== null) {
    return { shown: 'skipped' as const, again: undefined, cached: false, paid };
  }
  const before = isAnswered(e) ? undefined : enrichments.get(e.older_answer ?? 0);
  const older =
    before !== undefined && isAnswered(before) && before.suppressed_by === null
      ? before
      : undefined;
  const shown = older === undefined && e.answered_at === null ? e.state : 'not_found';
  return {
    shown: older?.state === 'found' ? ('found' as const) : hasAnswer(e) ? e.state : shown,
    again: !hasAnswer(e) && (older !== undefined || e.answered_at !== null) ? e.state : undefined,
    cached: older !== undefined || (e.settled_at !== null && !isOwn),
    paid,
  };
}

function hasAnswer({ state }: EnrichmentRow): boolean {
  return state === 'found' || state === 'not_found';
}

/** Also before its ticket was read again. */
function isAnswered(row: EnrichmentRow): boolean {
  return hasAnswer(row) || row.answered_at !== null;
}

function sorted({ askedAgain, byStatus, inPart, reasons, ...rest }: RunTally): unknown {
  return {
    ...rest,
    inPart: { leads: inPart.leads, reasons: toSorted(inPart.reasons) },
    byStatus: toSorted(Object.entries(byStatus)),
    askedAgain: toSorted(Object.entries(askedAgain)),
    reasons: toSorted(reasons),
  };
}

function toSorted(rows: readonly unknown[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}
