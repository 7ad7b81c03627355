// What the flags of `sluice sandbox` and `sluice sandbox emit` mean to the sandbox, and one sentence for each that
// means nothing.
import type { Dialect } from '../../dialect/dialect.js';
import { SluiceError } from '../../model/errors.js';
import { judgeEventType } from '../../model/events/event-catalogue.js';
import { parseRate, type Rate } from '../../model/schedule/rate.js';
import type { JsonObject, JsonValue } from '../../model/text/json.js';
import { parseDuration } from '../../model/text/time.js';
import { FAULT_NAMES, isFaultName } from '../../sandbox/faults.js';
import type { SandboxOptions } from '../../sandbox/sandbox-options.js';

export interface SandboxArguments {
  port: number;
  host: string;
  username: string;
  password: string;
  seed: number;
  latency: string;
  sigma: number;
  dialect: string | undefined;
  rate: string | undefined;
  ledger: string | undefined;
  credits: number | undefined;
  fault: readonly string[] | undefined;
  'fault-seed': number;
  slow: string;
  'webhook-batch': number;
  'webhook-retry': string;
}

/** How long the first result of a batch waits for others. */
const BATCH_WITHIN_MS = 100;

/**
 * The options of `openSandbox`, which checks the numbers among them; `dialect` is what `--dialect` names.
 * @throws SluiceError `usage` for a flag that is not written as it has to be
 */
export function sandboxOptionsOf(args: SandboxArguments, dialect: Dialect): SandboxOptions {
  const max = args['webhook-batch'];
  return {
    port: args.port,
    host: args.host,
    username: args.username,
    password: args.password,
    seed: args.seed,
    latency: { medianMs: durationOf('latency', args.latency), sigma: args.sigma },
    dialect,
    ...(args.rate !== undefined && { rate: rateOf(args.rate) }),
    ...(args.ledger !== undefined && { ledgerFile: args.ledger }),
    credits: args.credits,
    faults: faultsOf(args.fault ?? []),
    faultSeed: args['fault-seed'],
    slowMs: durationOf('slow', args.slow),
    webhookBatch: { max, withinMs: max === 1 ? 0 : BATCH_WITHIN_MS },
    webhookRetryMs: durationOf('webhook-retry', args['webhook-retry']),
  };
}

export interface EmitArguments {
  event: string;
  field: readonly string[] | undefined;
  url: string;
}

/**
 * What `POST /sandbox/emit` is asked for. A value is taken as JSON where it is JSON (`2`, `true`, `null`, `[…]`,
 * `"2"`), and as the text that it is otherwise.
 * @throws SluiceError `usage` for an event that is none any more or never was, or a field that is not NAME=VALUE
 */
export function emissionOf({ event, field: texts = [] }: EmitArguments): {
  readonly type: string;
  readonly fields: JsonObject;
} {
  const verdict = judgeEventType(event);
  if (verdict.kind !== 'known') throw new SluiceError('usage', verdict.problem, { event });
  const fields = new Map<string, JsonValue>();
  for (const text of texts) {
    const end = text.indexOf('=');
    if (end < 1) throw misuse('field', `"${text}" is not written like leadId=lea_7.`);
    const name = text.slice(0, end);
    if (fields.has(name)) throw misuse('field', `${name} is given twice; give it once.`);
    fields.set(name, valueOf(text.slice(end + 1)));
  }
  return { type: event, fields: Object.fromEntries(fields) };
}

function valueOf(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function rateOf(text: string): Rate {
  const rate = parseRate(text);
  if (rate !== undefined) return rate;
  throw misuse('rate', 'a rate is written like 20/2s, or off.');
}

function durationOf(flag: string, text: string): number {
  const durationMs = parseDuration(text);
  if (durationMs !== undefined) return durationMs;
  throw misuse(flag, 'a duration is written like 10s or 500ms.');
}

function faultsOf(texts: readonly string[]): Record<string, number> {
  const faults: Record<string, number> = {};
  for (const text of texts) {
    const [, name = '', digits = ''] = /^([^=]+)=(\d*\.?\d+)$/.exec(text) ?? [];
    const share = Number(digits);
    if (digits === '' || share > 1) {
      throw misuse('fault', `"${text}" is not written like drop-after=0.05, from 0 to 1.`);
    }
    if (!isFaultName(name)) {
      throw misuse('fault', `there is no fault "${name}"; there are ${FAULT_NAMES.join(', ')}.`);
    }
    if (name in faults) throw misuse('fault', `${name} is given twice; give it once.`);
    faults[name] = share;
  }
  return faults;
}

function misuse(flag: string, sentence: string): SluiceError {
  return new SluiceError('usage', `--${flag}: ${sentence}`, { flag });
}
