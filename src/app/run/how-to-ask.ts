// Decides how enrichments are sent, and how their results come back: as the job wants it, as far as the dialect allows
// it.

import { isStated } from '../../config/stated-keys.js';
import { demandCalls } from '../../dialect/calls.js';
import type { Dialect } from '../../dialect/dialect.js';
import { bulkForm, canAsk, type Form, singleForm } from '../../dialect/forms.js';
import { subsetsOf } from '../../dialect/question.js';
import { type Ask, isOfCompany } from '../../model/ask.js';
import { wrongUse } from '../../model/errors.js';
import type { Pace } from '../../model/schedule/rate.js';
import type { JobSettings } from '../settings/job-settings.js';

/**
 * The number of enrichments for which one request may ask; with 1 each is sent by itself. `--submit auto` sends in bulk
 * only if the dialect's file says how, and if webhooks bring the results and can claim uncertain enrichments: one lost
 * answer makes hundreds of them uncertain. If the dialect has only bulk calls, or single ones cannot ask for what the
 * job asks, bulk calls are taken.
 * @throws SluiceError `usage` if the job wants bulk calls or single ones, and the dialect has none
 */
export function bulkMaxOf(settings: JobSettings, dialect: Dialect): number {
  const { bulk, enrich } = dialect;
  const { callback, collect, submit } = settings;
  if (enrich === null) {
    if (submit !== 'single') return bulk.max;
    throw wrongUse('The dialect has no single call (enrich is null). Use --submit bulk.');
  }
  if (submit === 'single') return 1;
  if (bulk.path === null) {
    if (submit === 'auto') return 1;
    throw wrongUse('The dialect has no bulk call (bulk.path is null). Use --submit single.');
  }
  if (submit === 'bulk') return bulk.max;
  const isBulkStated = isStated(dialect, 'bulk') && isAskable(settings, bulkForm(dialect));
  if (!isAskable(settings, singleForm(dialect)) && isBulkStated) return bulk.max;
  const isDelivered = collect !== 'poll' && (callback === 'hook' || bulk.webhookUrl !== null);
  return isDelivered && bulk.metadata !== null && isBulkStated ? bulk.max : 1;
}

/** The single call, where each enrichment is sent by itself; otherwise undefined. */
function singleCallOf(settings: JobSettings, dialect: Dialect) {
  return bulkMaxOf(settings, dialect) > 1 ? undefined : (dialect.enrich ?? undefined);
}

/** Whether a webhook identifies an uncertain enrichment without a ticket. */
export function carriesKey(settings: JobSettings, dialect: Dialect): boolean {
  if (settings.collect === 'poll') return false;
  const single = singleCallOf(settings, dialect);
  if (single === undefined) return dialect.bulk.metadata !== null;
  return settings.callback === 'request' || single.metadata !== null;
}

/** Whether a run that sends bulk calls may send each enrichment by itself instead, and still gets its results. */
export function takesSingles(settings: JobSettings, dialect: Dialect): boolean {
  const { callback, collect } = settings;
  if (!isAskable(settings, singleForm(dialect))) return false;
  return collect !== 'webhook' || callback === 'hook' || dialect.enrich?.webhookUrl !== null;
}

export function paceOf(settings: JobSettings, dialect: Dialect): Pace {
  const { result } = singleCallOf(settings, dialect) ?? dialect.bulk;
  const perCall = bulkMaxOf(settings, dialect);
  return {
    limit: settings.rate ?? dialect.limits.rate,
    perCall,
    perRead: dialect.bulk.answer.batchTicket.length > 0 ? perCall : 1,
    isRead: settings.collect === 'poll' && result !== 'always',
  };
}

/** @throws SluiceError `usage` if the job wants its results delivered and the dialect has no field for the address */
export function refuseNoPlace(settings: JobSettings, dialect: Dialect): void {
  const { webhookUrl: place } = singleCallOf(settings, dialect) ?? dialect.bulk;
  if (settings.collect === 'poll' || settings.callback === 'hook' || place !== null) return;
  const other = dialect.hooks === null ? '' : 'callback: hook, or ';
  throw wrongUse(
    `The dialect has no field for a callback URL in a request. Use ${other}--collect poll.`,
  );
}

/**
 * @throws SluiceError `usage` if the job wants a contact list, or a registered webhook, and the dialect has no calls
 * for it; or if it cannot ask for what the job asks
 */
export function refuseMissingCalls(settings: JobSettings, dialect: Dialect): void {
  const { callback, collect, list } = settings;
  refuseUnaskable(settings, dialect);
  if (list !== undefined) demandCalls(dialect, 'lists');
  if (collect !== 'poll' && callback === 'hook') demandCalls(dialect, 'hooks');
}

/**
 * The asks that the job may need in one request and cannot have: every lead may be left with a part of the job's asks,
 * because its inputs may not suffice for all of them.
 */
function unaskable({ ask }: JobSettings, form: Form): readonly Ask[] | undefined {
  return subsetsOf(ask).find((part) => !canAsk(form, part));
}

function isAskable(settings: JobSettings, form: Form | undefined): boolean {
  return form !== undefined && unaskable(settings, form) === undefined;
}

/** @throws SluiceError `usage` if the job asks about companies and about persons in one question */
function refuseMixed({ ask }: JobSettings, { requires }: Dialect): void {
  const ofCompanies = ask.filter((one) => isOfCompany(one, requires));
  const others = ask.filter((one) => !isOfCompany(one, requires));
  if (ofCompanies.length === 0 || others.length === 0) return;
  throw wrongUse(
    `${ofCompanies.join(' and ')} goes by the company alone, and together with ${others.join(' and ')} it would be paid for once for each person. Make one job for each.`,
  );
}

/** @throws SluiceError `usage` if one request cannot ask for all of it, or for a part of it */
function refuseUnaskable(settings: JobSettings, dialect: Dialect): void {
  refuseMixed(settings, dialect);
  const isBulk = singleCallOf(settings, dialect) === undefined;
  const form = isBulk ? bulkForm(dialect) : singleForm(dialect);
  const lacking = form === undefined ? undefined : unaskable(settings, form);
  if (form === undefined || lacking === undefined) return;
  const what = lacking.join(' and ');
  const message =
    lacking.length === 1
      ? `The dialect cannot ask for ${what} by itself (${form.section}.ask). Ask for something else.`
      : `The dialect cannot ask for ${what} in one request (${form.section}). Make one job for each.`;
  throw wrongUse(message);
}
