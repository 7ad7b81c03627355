// The options of a sandbox, and their defaults.
import { type Dialect, NEUTRAL_DIALECT } from '../dialect/dialect.js';
import { sandboxDialect } from '../dialect/sandbox-dialect.js';
import { isCredits } from '../model/credits.js';
import { SluiceError } from '../model/errors.js';
import type { RateLimit } from '../model/schedule/rate.js';
import type { Latency } from './answers/decide-outcome.js';
import { checkFaultShares, type FaultName } from './faults.js';
import type { WebhookBatch } from './webhooks/batches.js';
import type { WebhookTerms } from './webhooks/webhooks.js';

export interface SandboxOptions {
  /** The port; 0 (the default) takes any free one. */
  readonly port?: number;
  /** The host; default 127.0.0.1. */
  readonly host?: string;
  /** The user name. Default `sandbox`; it may be empty, and may not hold a colon. */
  readonly username?: string;
  /** The password. Default `sandbox`. */
  readonly password?: string;
  /** The secret in its webhooks, if a hook has none of its own. Default: none. */
  readonly webhookSecret?: string | undefined;
  /** Every answer and every latency is a function of the inputs and this integer. Default 1. */
  readonly seed?: number;
  /**
   * The share of people who are with another company than with 0, from 0 to 1, as a later run of a job finds them. With
   * a greater share those of a smaller one have moved too. Default 0.
   */
  readonly moved?: number;
  /** The share of people of whom anything can be found; other people for each seed. Default 1. */
  readonly knows?: number;
  /** The log-normal latency of an enrichment. Default: ready at once. */
  readonly latency?: Latency;
  /** The dialect whose asks it sells, by their required inputs and prices. Default: the neutral dialect. */
  readonly dialect?: Dialect;
  /** Whether the answer to a submission has its result, beside the ticket. Default false. */
  readonly atOnce?: boolean;
  /** The limit of all platform routes together. Default: 20 requests in any 2,000 ms. */
  readonly rate?: RateLimit | 'off';
  /** The path of an NDJSON file that only grows; accepted enrichments survive the process. */
  readonly ledgerFile?: string;
  /** All credits that were ever bought, including those already charged. Default: always enough. */
  readonly credits?: number | undefined;
  /** The probabilities of faults, 0 to 1; a fault that is not named never happens. */
  readonly faults?: Readonly<Partial<Record<FaultName, number>>>;
  /** The seed of faults: the struck requests and enrichments are a function of this integer. Default 1. */
  readonly faultSeed?: number;
  /** The time in ms for which the fault `slow` holds an answer back. Default 2,000. */
  readonly slowMs?: number;
  /** The batching of results. Default: a body for every result. */
  readonly webhookBatch?: WebhookBatch;
  /**
   * The wait in ms before the first repeat of a failed delivery; each of the five waits three times as long. Default
   * 1,000.
   */
  readonly webhookRetryMs?: number;
  /** The time in ms in which a webhook's target has to answer. Default 10,000. */
  readonly webhookTimeoutMs?: number;
  /**
   * Whether it refuses a parameter or a place in a body that the platform does not know; otherwise it notes it. Default
   * false.
   */
  readonly strict?: boolean;
  /** The time in milliseconds since the Unix epoch; it never goes backwards. */
  readonly now?: () => number;
}

/** The window of the measurement if there is no limit. */
const MEASURED: RateLimit = { requests: 20, perMs: 2000 };
/** The limit for times: Node would fire a longer timer at once. */
const TIME_MS_MAX = 86_400_000;
const PORT_MAX = 65_535;
const BATCH_MAX = 1000;

/**
 * The options with their defaults.
 * @throws SluiceError `usage` for an impossible option
 */
export function settleOptions(options: SandboxOptions) {
  const { webhookBatch = { max: 1, withinMs: 0 } } = options;
  const dialect = sandboxDialect(options.dialect ?? NEUTRAL_DIALECT);
  const rate = checkRate(options.rate ?? dialect.limits.rate);
  const terms: WebhookTerms = {
    timeoutMs: checkMs(options.webhookTimeoutMs ?? 10_000, 'webhook time-out'),
    retryMs: checkMs(options.webhookRetryMs ?? 1000, 'webhook retry delay'),
    batch: checkBatch(webhookBatch),
  };
  return {
    // An IPv6 address may be written as in a URL.
    host: (options.host ?? '127.0.0.1').replace(/^\[(.*)\]$/, '$1'),
    port: checkPort(options.port ?? 0),
    username: options.username ?? 'sandbox',
    password: options.password ?? 'sandbox',
    webhookSecret: options.webhookSecret,
    seed: checkWhole(options.seed ?? 1, 'seed'),
    moved: checkShare(options.moved ?? 0, (share) => `let a share of ${share} of its people move`),
    knows: checkShare(options.knows ?? 1, (share) => `know a share of ${share} of all people`),
    latency: checkLatency(options.latency ?? { medianMs: 0, sigma: 0 }),
    dialect,
    atOnce: options.atOnce ?? false,
    rate,
    measured: rate === 'off' ? MEASURED : rate,
    ledgerFile: options.ledgerFile,
    credits: checkCredits(options.credits),
    shares: checkFaultShares(options.faults ?? {}),
    faultSeed: checkWhole(options.faultSeed ?? 1, 'fault seed'),
    slowMs: checkMs(options.slowMs ?? 2000, 'slow answer'),
    terms,
    strict: options.strict ?? false,
    now: options.now ?? steadyNow,
  };
}

function checkPort(port: number): number {
  if (Number.isInteger(port) && port >= 0 && port <= PORT_MAX) return port;
  const message =
    'The port of the sandbox is a whole number from 0 to 65535: give one with --port.';
  throw new SluiceError('usage', message, { port });
}

function checkWhole(value: number, what: string): number {
  if (Number.isSafeInteger(value)) return value;
  throw new SluiceError('usage', `The sandbox ${what} ${value} is no whole number; give one.`, {
    value,
  });
}

function checkShare(share: number, tell: (share: number) => string): number {
  if (share >= 0 && share <= 1) return share;
  const message = `The sandbox cannot ${tell(share)}; give one from 0 to 1.`;
  throw new SluiceError('usage', message, { share });
}

function checkLatency(latency: Latency): Latency {
  const { medianMs, sigma } = latency;
  if (Number.isFinite(medianMs) && medianMs >= 0 && Number.isFinite(sigma) && sigma >= 0) {
    return latency;
  }
  const message = `The sandbox latency (median ${medianMs} ms, sigma ${sigma}) is not possible; give two numbers of at least 0.`;
  throw new SluiceError('usage', message, { medianMs, sigma });
}

function checkRate(rate: RateLimit | 'off'): RateLimit | 'off' {
  if (rate === 'off') return rate;
  const { requests, perMs } = rate;
  if (Number.isSafeInteger(requests) && requests >= 1 && Number.isFinite(perMs) && perMs > 0) {
    return rate;
  }
  const message = `The sandbox rate ${requests} per ${perMs} ms is not possible; give a whole number of requests and a time above 0.`;
  throw new SluiceError('usage', message, { requests, perMs });
}

function checkCredits(credits: number | undefined): number | undefined {
  if (credits === undefined || isCredits(credits)) return credits;
  const message = `The sandbox credits ${credits} are not possible; give a number of at least 0, with three decimals at most.`;
  throw new SluiceError('usage', message, { credits });
}

function checkMs(ms: number, what: string): number {
  if (Number.isFinite(ms) && ms >= 1 && ms <= TIME_MS_MAX) return ms;
  const message = `The sandbox ${what} of ${ms} ms is not possible; give 1 ms to a day.`;
  throw new SluiceError('usage', message, { ms });
}

function checkBatch(batch: WebhookBatch): WebhookBatch {
  const { max, withinMs } = batch;
  const isPossible = Number.isSafeInteger(max) && max >= 1 && max <= BATCH_MAX;
  if (isPossible && withinMs >= 0 && withinMs <= TIME_MS_MAX) return batch;
  const message = `The sandbox webhook batch of ${max} within ${withinMs} ms is not possible; give 1 to ${BATCH_MAX} results and at most a day.`;
  throw new SluiceError('usage', message, { max, withinMs });
}

// `Date.now` can step back when the machine's clock is set; a window measured with it would let too much through.
function steadyNow(): number {
  return performance.timeOrigin + performance.now();
}
