// What a run may still have to pay: requests without an answer, of which the platform may have charged any. One rule for
// the summary, `sluice status` and the report.
import type { Ask, Prices } from '../ask.js';
import type { Run } from '../run.js';
import { leadsIn, type RunTally } from '../tally.js';
import { formatCount, formatNumber } from '../text/count.js';
import { highestTotal } from '../verdict.js';

export interface OpenCharges {
  /** Sent by the run, and not answered; a send that stayed uncertain counts beside the one that followed it. */
  readonly requests: number;
  /** What they may have cost at most; null where the prices of the run are not known. */
  readonly credits: number | null;
}

export function openCharges(
  open: readonly { readonly ask: readonly Ask[]; readonly count: number }[],
  prices: Prices | undefined,
): OpenCharges {
  return {
    requests: open.reduce((sum, { count }) => sum + count, 0),
    credits: prices === undefined ? null : highestTotal(open, prices),
  };
}

/**
 * The words beside the credits that were paid, also about uncertain leads that another run sent; empty where nothing more
 * can come.
 */
export function tellOpenCharges(
  charges: OpenCharges | null,
  { priceMax }: Pick<Run, 'priceMax'>,
  tally: RunTally,
): string {
  if (charges === null || priceMax === 0) return '';
  const { credits, requests } = charges;
  const inherited = leadsIn(tally, 'uncertain');
  if (requests === 0 && inherited > 0) {
    return `requests of another run for ${formatCount(inherited, 'lead')} may have been charged`;
  }
  if (requests === 0 || credits === 0) return '';
  const unanswered = `${formatCount(requests, 'request')} without an answer`;
  if (credits === null) return `${unanswered} may have been charged`;
  return `up to ${formatNumber(credits)} more may have been charged, for ${unanswered}`;
}

/** The same of leads for which the run need not have paid: it may, where their older answers are asked for again. */
export function tellShared({ fromCache }: RunTally): string {
  if (fromCache === 0) return '';
  return `${formatCount(fromCache, 'lead shares', 'leads share')} what was paid for before, or for another line`;
}
