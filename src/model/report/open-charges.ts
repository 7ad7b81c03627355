// The possible further charges of a run: requests without an answer, each of which may be charged, or has been.
import type { Ask, Prices } from '../ask.js';
import { tellPrice } from '../credits.js';
import type { Run } from '../run.js';
import { leadsIn, type RunTally } from '../tally.js';
import { formatCount } from '../text/count.js';
import { highestTotal } from '../verdict.js';

export interface OpenCharges {
  /** Without an answer; a send that stayed uncertain counts beside the one that followed it. */
  readonly requests: number;
  /** The most that they may cost. */
  readonly credits: number;
}

export function openCharges(
  open: readonly { readonly ask: readonly Ask[]; readonly count: number }[],
  prices: Prices,
): OpenCharges {
  return {
    requests: open.reduce((sum, { count }) => sum + count, 0),
    credits: highestTotal(open, prices),
  };
}

/** Also about uncertain leads that another run sent; empty if nothing more can be charged. */
export function tellOpenCharges(
  charges: OpenCharges | null,
  { credit, priceMax }: Run,
  tally: RunTally,
): string {
  if (charges === null || priceMax === 0) return '';
  const { credits, requests } = charges;
  const inherited = leadsIn(tally, 'uncertain');
  if (requests === 0 && inherited > 0) {
    return `requests of another run for ${formatCount(inherited, 'lead')} may be charged`;
  }
  if (requests === 0 || credits === 0) return '';
  if (tally.steps !== undefined) {
    return `${formatCount(requests, 'request')} without an answer may be charged`;
  }
  return `up to ${tellPrice(credits, credit)} more may be charged, for ${formatCount(requests, 'request')} without an answer`;
}

/** The run need not have paid for these leads. It may have, if their older answers are asked for again. */
export function tellShared({ fromCache, knownInPart = 0 }: RunTally): string {
  const shared = `${formatCount(fromCache, 'lead shares', 'leads share')} an answer that was known, or that another line asked for`;
  const part = `${formatCount(knownInPart, 'lead was', 'leads were')} asked only for what was not known`;
  return [...(fromCache === 0 ? [] : [shared]), ...(knownInPart === 0 ? [] : [part])].join('; ');
}

export function tellCancelled(charges: OpenCharges, run: Run, tally: RunTally): string {
  const open = tellOpenCharges(charges, run, tally);
  const submitting = leadsIn(tally, 'submitting');
  const told = [
    `${formatCount(leadsIn(tally, 'queued'), 'lead')} will not be asked for.`,
    open && `${open[0]?.toUpperCase()}${open.slice(1)}.`,
    // What another run asked for, that run collects.
    charges.requests > 0 &&
      leadsIn(tally, 'awaiting') > 0 &&
      'The next run of the job collects the answers of accepted requests.',
    submitting > 0 &&
      `What was being sent for ${formatCount(submitting, 'lead')} stays uncertain if its process is dead.`,
  ];
  return told.filter(Boolean).join(' ');
}
