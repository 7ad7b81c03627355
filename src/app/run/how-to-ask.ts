// How enrichments are sent, and how their results come back: what the job wants, as far as the dialect allows it.
import { demandCalls } from '../../dialect/calls.js';
import type { Dialect } from '../../dialect/dialect.js';
import { SluiceError } from '../../model/errors.js';
import type { JobSettings } from '../settings/job-settings.js';

/**
 * How many enrichments one request may ask for; 1 sends each by itself. `--submit auto` sends in bulk only if webhooks
 * bring the results and can claim uncertain enrichments: one lost answer makes hundreds of them uncertain.
 * @throws SluiceError `usage` where the job wants a bulk call and the dialect has none
 */
export function bulkMaxOf(settings: JobSettings, { bulk }: Dialect): number {
  const { callback, collect, submit } = settings;
  if (submit === 'single') return 1;
  if (bulk.path === null) {
    if (submit === 'auto') return 1;
    throw new SluiceError(
      'usage',
      'The dialect has no bulk call (bulk.path is null). Use --submit single.',
      { key: 'submit' },
    );
  }
  const isDelivered = collect !== 'poll' && (callback === 'hook' || bulk.webhookUrl !== null);
  return submit === 'bulk' || (isDelivered && bulk.metadata !== null) ? bulk.max : 1;
}

/** Whether a webhook identifies an uncertain enrichment without a ticket. */
export function carriesKey(settings: JobSettings, dialect: Dialect): boolean {
  if (settings.collect === 'poll') return false;
  const isBulk = bulkMaxOf(settings, dialect) > 1;
  if (isBulk && dialect.bulk.metadata !== null) return true;
  return !isBulk && settings.callback === 'request';
}

/**
 * The least number of requests of a run with `toPay` new enrichments: every result is there at its first poll.
 * `awaited` more enrichments are asked for by ticket alone.
 */
export function leastRequests(
  settings: JobSettings,
  dialect: Dialect,
  toPay: number,
  awaited: number,
): number {
  const submits = Math.ceil(toPay / bulkMaxOf(settings, dialect));
  return submits + (settings.collect === 'poll' ? toPay : 0) + awaited;
}

/**
 * @throws SluiceError `usage` where the job wants its results delivered and the dialect has no field for the address
 */
export function refuseNoPlace(settings: JobSettings, dialect: Dialect): void {
  const isBulk = bulkMaxOf(settings, dialect) > 1;
  const place = isBulk ? dialect.bulk.webhookUrl : dialect.enrich.parameters.webhookUrl;
  if (settings.collect === 'poll' || settings.callback === 'hook' || place !== null) return;
  const other = dialect.hooks === null ? '' : '--callback hook, or ';
  throw new SluiceError(
    'usage',
    `The dialect has no field for a callback URL in a request. Use ${other}--collect poll.`,
    { key: 'callback' },
  );
}

/**
 * @throws SluiceError `usage` where the job wants a contact list, or a registered webhook, and the dialect has no calls
 * for it
 */
export function refuseMissingCalls(
  { callback, collect, list }: JobSettings,
  dialect: Dialect,
): void {
  if (list !== undefined) demandCalls(dialect, 'lists');
  if (collect !== 'poll' && callback === 'hook') demandCalls(dialect, 'hooks');
}
