// The output of `sluice plan --json`.
import type { StatusReason } from '../../model/tally.js';
import { sizeJson } from '../state/describe-size.js';
import { capJson } from '../state/keep-caps.js';
import type { JobForecast } from './plan-job.js';

export function forecastJson(forecast: JobForecast) {
  const { betterGuess: better } = forecast;
  return {
    runs: forecast.runs,
    leads: forecast.leads,
    rejects: forecast.rejects,
    refusal: forecast.refusal,
    skipped: forecast.skipped.map(reasonJson),
    advice: forecast.advice,
    not_asked: forecast.notAsked.map(reasonJson),
    in_part: forecast.inPart,
    duplicates: forecast.duplicates,
    already_paid: forecast.alreadyPaid,
    on_their_way: forecast.onTheirWay,
    uncertain: forecast.uncertain,
    to_pay: forecast.toPay,
    paid_anew: forecast.paidAnew,
    better_guess:
      better === undefined
        ? null
        : { flags: better.flags, leads: better.leads, credits_max: better.creditsMax },
    credits_min: forecast.creditsMin,
    credits_max: forecast.creditsMax,
    prices_assumed: forecast.arePricesAssumed,
    key: forecast.key,
    time_ms_min: forecast.timeMsMin,
    caps: forecast.caps.map(capJson),
    ...sizeJson(forecast.stateSize),
  };
}

function reasonJson({ leads, reason }: StatusReason) {
  return { reason, leads };
}
