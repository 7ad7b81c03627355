// The forecast of a run as a list of numbers, as `sluice plan` prints it.

import type { JobForecast } from '../../app/plan/plan-job.js';
import { type Content, html, type Markup } from '../../html/markup.js';
import { factList } from '../../html/parts.js';
import { tellCap, tellUse } from '../../model/schedule/caps.js';
import type { Forecast } from '../../model/tally.js';
import { formatCount, formatNumber } from '../../model/text/count.js';
import { formatDuration } from '../../model/text/format-time.js';

interface Counted {
  readonly reason: string;
  readonly leads: number;
}

export function layOutForecast(forecast: JobForecast): Markup {
  const { duplicates, inPart, leads, notAsked, rejects, skipped, timeMsMin, toPay } = forecast;
  return html`<h2>The plan</h2>${factList([
    ['Leads', formatNumber(leads)],
    ['Lines that cannot be read', optional(rejects)],
    ['Why a run would not begin', forecast.refusal === '' ? null : forecast.refusal],
    ['Skipped, at no cost', reasons(skipped)],
    ['What would help', forecast.advice === '' ? null : forecast.advice],
    ['Not asked, at no cost', reasons(notAsked)],
    ['Asked with less', reasons(inPart)],
    ['Duplicates, which share a payment', optional(duplicates)],
    ['Already paid, and still fresh', optional(forecast.alreadyPaid)],
    ['On their way', optional(forecast.onTheirWay)],
    ['Uncertain: not sent again, and may have been charged', optional(forecast.uncertain)],
    ['To pay', formatCount(toPay, 'enrichment')],
    ['Credits', creditsOf(forecast)],
    ...forecast.caps.map((cap) => [`Cap of ${tellCap(cap)}`, tellUse(cap)] as const),
    ['Time', timeMsMin === null ? 'no rate limit is set' : timeOf(timeMsMin)],
  ])}`;
}

export const SANDBOX_COST = 'nothing: the credits of the sandbox are made up.';

/** The cost, as the end of a sentence. */
export function costOfForecast(forecast: Forecast): string {
  if (forecast.toPay === 0) return 'nothing: there is nothing to pay for.';
  return `${creditsOf(forecast)}.`;
}

function creditsOf({ arePricesAssumed, creditsMax, creditsMin }: Forecast): string {
  const assumed = arePricesAssumed ? ', prices assumed' : '';
  if (creditsMax === 0) return `0 credits${assumed}`;
  return `${formatNumber(creditsMin)} credits (nothing found) to ${formatNumber(creditsMax)} (everything found)${assumed}`;
}

function timeOf(timeMsMin: number): Content {
  return timeMsMin === 0 ? null : `at least ${formatDuration(timeMsMin)} at the rate limit`;
}

function optional(value: number): Content {
  return value === 0 ? null : formatNumber(value);
}

function reasons(counted: readonly Counted[]): Content {
  if (counted.length === 0) return null;
  return counted.map(({ leads, reason }) => html`<div>${formatNumber(leads)} ${reason}</div>`);
}
