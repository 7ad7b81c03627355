// The output of `sluice plan --json`, which other processes read.
import type { StatusReason } from '../../model/tally.js';
import { sizeJson } from '../state/describe-size.js';
import { capJson, readCap } from '../state/keep-caps.js';
import type { JobForecast } from './plan-job.js';

export type ForecastJson = ReturnType<typeof forecastJson>;

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

/** The forecast without the size of the state. */
export function readForecast(json: ForecastJson): JobForecast {
  const { better_guess: better } = json;
  return {
    runs: json.runs,
    leads: json.leads,
    rejects: json.rejects,
    refusal: json.refusal,
    skipped: json.skipped.map((one) => ({ status: 'skipped', ...one })),
    advice: json.advice,
    notAsked: json.not_asked.map((one) => ({ status: 'not_asked', ...one })),
    inPart: json.in_part,
    duplicates: json.duplicates,
    alreadyPaid: json.already_paid,
    onTheirWay: json.on_their_way,
    uncertain: json.uncertain,
    toPay: json.to_pay,
    paidAnew: json.paid_anew,
    ...(better !== null && {
      betterGuess: { flags: better.flags, leads: better.leads, creditsMax: better.credits_max },
    }),
    creditsMin: json.credits_min,
    creditsMax: json.credits_max,
    arePricesAssumed: json.prices_assumed,
    key: json.key,
    timeMsMin: json.time_ms_min,
    caps: json.caps.map(readCap),
    stateSize: null,
  };
}
