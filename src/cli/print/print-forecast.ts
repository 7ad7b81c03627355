// A plan's forecast, for people and for scripts.
import type { Forecast } from '../../model/tally.js';
import { printable } from '../../model/text/printable.js';
import type { ListPlan } from '../../run/list-leads.js';
import { formatDuration, formatNumber } from './format.js';

export function forecastJson(forecast: Forecast): object {
  return {
    leads: forecast.leads,
    rejects: forecast.rejects,
    skipped: forecast.skipped.map(({ reason, leads }) => ({ reason, leads })),
    in_part: forecast.inPart,
    duplicates: forecast.duplicates,
    already_paid: forecast.alreadyPaid,
    on_their_way: forecast.onTheirWay,
    uncertain: forecast.uncertain,
    to_pay: forecast.toPay,
    credits_min: forecast.creditsMin,
    credits_max: forecast.creditsMax,
    time_ms_min: forecast.timeMsMin,
  };
}

export function forecastLines(
  forecast: Forecast,
  budget: number | undefined,
  list: Pick<ListPlan, 'name' | 'where'> | null,
): string[] {
  const { skipped, inPart } = forecast;
  return [
    row('leads', forecast.leads),
    ...optional('rejects', forecast.rejects, 'lines that cannot be read as leads'),
    ...optional('skipped', leadsOf(skipped), 'cost nothing'),
    ...reasonLines(skipped),
    ...optional('in part', leadsOf(inPart), 'asked with less than was given, or for less'),
    ...reasonLines(inPart),
    ...optional('duplicates', forecast.duplicates, 'share the payment of another line'),
    ...optional('already paid', forecast.alreadyPaid, 'answered by results that are still fresh'),
    ...optional('on their way', forecast.onTheirWay, 'asked by an earlier run, not paid again'),
    ...optional('uncertain', forecast.uncertain, 'sent before, fate unknown; not sent again'),
    row('to pay', forecast.toPay, 'enrichments'),
    `credits         ${formatNumber(forecast.creditsMin)} (nothing found) to ${formatNumber(forecast.creditsMax)} (everything found)`,
    ...budgetLine(forecast, budget),
    ...timeLine(forecast.timeMsMin),
    ...listLine(list),
  ];
}

type Reasons = Forecast['inPart'];

function leadsOf(reasons: Reasons): number {
  return reasons.reduce((sum, { leads }) => sum + leads, 0);
}

function reasonLines(reasons: Reasons): string[] {
  return reasons.map(
    ({ reason, leads }) => `                  ${formatNumber(leads)} ${printable(reason)}`,
  );
}

function listLine(list: Pick<ListPlan, 'name' | 'where'> | null): string[] {
  if (list === null) return [];
  const { name, where } = list;
  const who = where === undefined ? 'every lead' : `the leads where ${where}`;
  return [printable(`list            ${name}: ${who}, if an e-mail or profile is known`)];
}

function budgetLine({ creditsMax }: Forecast, budget: number | undefined): string[] {
  if (budget === undefined) return [];
  const what =
    creditsMax > budget ? 'may stop the run before the end' : 'enough, whatever is found';
  return [`budget          ${formatNumber(budget)}: ${what}`];
}

function timeLine(timeMsMin: number | null): string[] {
  if (timeMsMin === null) return ['time            no rate limit is set'];
  if (timeMsMin === 0) return [];
  return [`time            at least ${formatDuration(timeMsMin)} at the rate limit`];
}

function optional(name: string, value: number, about: string): string[] {
  return value === 0 ? [] : [row(name, value, about)];
}

function row(name: string, value: number, about = ''): string {
  return `${name.padEnd(13)} ${formatNumber(value).padStart(9)}${about === '' ? '' : `  ${about}`}`;
}
