// The numbers of each run as the statements of `tally` count them, against counting its rows one by one. And rows that
// refer to none, which no database refuses.
import { suppressedReason } from '../../src/model/suppression.js';
import { emptyByStatus, type RunTally, type StatusReason } from '../../src/model/tally.js';
import { type KeptCounts, type KeptEnrichment, type KeptLead, readCounts } from './state.js';

/** Where the two ways of counting differ, strays, and what an account has spent and its sums do not say. */
export function miscounts(path: string): unknown[] {
  const kept = readCounts(path);
  if (kept === undefined) return [];
  const known: Known = {
    enrichments: new Map(kept.enrichments.map((one) => [one.id, one])),
    stands: kept.stands,
    whys: new Map(kept.suppressions.map(({ id, reason }) => [id, suppressedReason(reason)])),
  };
  const wrong = kept.runs.flatMap((run) => {
    const is = run.tally;
    const right = oneByOne(run, known);
    // Of very many reasons some are not told.
    const told = right.reasons.length > 20 ? is.reasons : right.reasons;
    const isSame =
      JSON.stringify(sorted(is)) === JSON.stringify(sorted({ ...right, reasons: told }));
    return isSame ? [] : [{ is, right }];
  });
  return [...kept.strays, ...wrong, ...kept.undercounted];
}

interface Known {
  readonly enrichments: ReadonlyMap<number, KeptEnrichment>;
  readonly stands: KeptCounts['stands'];
  /** The reason that rows show for each suppression. */
  readonly whys: ReadonlyMap<number, string>;
}

function oneByOne(
  { isFinished, leads, rejects }: KeptCounts['runs'][number],
  { enrichments, stands, whys }: Known,
): RunTally {
  const byStatus = emptyByStatus();
  const askedAgain: Record<string, number> = {};
  const reasons = new Map<string, StatusReason>();
  const inPart = new Map<string, number>();
  let [fromCache, thousandths, lostSends, knownInPart] = [0, 0, 0, 0];
  for (const lead of leads) {
    const e = enrichments.get(lead.enrichment ?? 0);
    const told = look(lead, e, enrichments);
    const { cached, paid } = told;
    // A miss of what was sent says nothing while the rest has no answer, and a value does not hide that it is in doubt.
    const isFound = told.shown === 'found';
    const open =
      e === undefined || told.shown !== e.state || !hasAnswer(e) || e.ask === e.sent
        ? []
        : stands.flatMap(({ from, id }) => {
            const other = id === e.id ? enrichments.get(from) : undefined;
            if (other === undefined || isAnswered(other)) return [];
            return isFound && other.state === 'failed' ? [] : other;
          });
    const doubt = open.every(({ state }) => state === 'failed') ? 'failed' : 'uncertain';
    const shown = open.length > 0 && !isFound ? doubt : told.shown;
    const again = open.length > 0 && isFound ? doubt : told.again;
    byStatus[shown] += 1;
    if (again !== undefined) askedAgain[again] = (askedAgain[again] ?? 0) + 1;
    const why = whys.get(e?.suppressedBy ?? 0);
    const [openReason = null] = open.flatMap((one) => one.reason ?? []).sort();
    const reason = why ?? (e === undefined ? lead.note : (e.reason ?? openReason)) ?? '';
    if (reason !== '') {
      const status = again ?? shown;
      const key = `${status} ${reason}`;
      reasons.set(key, { status, reason, leads: (reasons.get(key)?.leads ?? 0) + 1 });
    }
    if (lead.enrichment !== null && lead.note !== null) {
      inPart.set(lead.note, (inPart.get(lead.note) ?? 0) + 1);
    }
    lostSends += e?.lostSends ?? 0;
    if (!cached && e !== undefined && e.sent !== e.ask && e.sent !== '') knownInPart += 1;
    if (cached) fromCache += 1;
    thousandths += paid;
  }
  const distinct = new Set(leads.flatMap(({ enrichment: id }) => id ?? []));
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
    enrichments: isFinished ? distinct.size : null,
    fromCache,
    credits: thousandths / 1000,
    ...(knownInPart > 0 && { knownInPart }),
    ...(lostSends > 0 && { hasLostSends: true as const }),
  };
}

function look(
  lead: KeptLead,
  e: KeptEnrichment | undefined,
  enrichments: ReadonlyMap<number, KeptEnrichment>,
) {
  if (e === undefined) {
    const shown = lead.isNotAsked === 1 ? ('not_asked' as const) : ('skipped' as const);
    return { shown, again: undefined, cached: false, paid: 0 };
  }
  const isOwn = lead.isFirst === 1 && e.paidBy === lead.run;
  const paid = isOwn ? e.thousandths : 0;
  if (e.suppressedBy !== null) {
    return { shown: 'skipped' as const, again: undefined, cached: false, paid };
  }
  const isKnown = e.showsKnown === 1;
  const before = isAnswered(e) || isKnown ? undefined : enrichments.get(e.olderAnswer ?? 0);
  const older =
    before !== undefined && isAnswered(before) && before.suppressedBy === null ? before : undefined;
  const shown = older === undefined && e.answeredAt === null ? e.state : 'not_found';
  return {
    shown:
      older?.state === 'found' || (isKnown && e.state !== 'not_found')
        ? ('found' as const)
        : hasAnswer(e)
          ? e.state
          : shown,
    again:
      !hasAnswer(e) && (older !== undefined || isKnown || e.answeredAt !== null)
        ? e.state
        : undefined,
    cached: older !== undefined || (e.settledAt !== null && !isOwn),
    paid,
  };
}

function hasAnswer({ state }: KeptEnrichment): boolean {
  return state === 'found' || state === 'not_found';
}

/** Also before its ticket was read again. */
function isAnswered(row: KeptEnrichment): boolean {
  return hasAnswer(row) || row.answeredAt !== null;
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
