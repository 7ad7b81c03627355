// The options of a sandbox, and their defaults.
import { z } from 'zod';
import { type Dialect, NEUTRAL_DIALECT } from '../dialect/dialect.js';
import { sandboxDialect } from '../dialect/sandbox-dialect.js';
import { isCredits } from '../model/credits.js';
import { SluiceError } from '../model/errors.js';
import { parseRate, RATE_FORM, type RateLimit, type StatedRate } from '../model/schedule/rate.js';
import type { Latency } from './answers/decide-outcome.js';
import { FAULT_SHARES, type FaultName } from './faults.js';
import type { WebhookBatch } from './webhooks/delivery.js';
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
  /** The limit of all platform routes together: one window, or several. Default: 20 requests in any 2,000 ms. */
  readonly rate?: StatedRate;
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
  /** The time in milliseconds since the Unix epoch; it never goes backwards. */
  readonly now?: () => number;
}

/** The window of the measurement if there is no limit. */
const MEASURED: RateLimit = { requests: 20, perMs: 2000 };

const SHARE = z.number().min(0).max(1);
/** Node would fire a longer timer at once. */
const TIME_MS = z.number().min(1).max(86_400_000);

const CHECKED = z.object({
  // An IPv6 address may be written as in a URL.
  host: z
    .string()
    .default('127.0.0.1')
    .transform((host) => host.replace(/^\[(.*)\]$/, '$1')),
  port: z.int().min(0).max(65_535).default(0),
  username: z
    .string()
    .regex(/^[^:]*$/, 'a user name has no colon')
    .default('sandbox'),
  password: z.string().default('sandbox'),
  seed: z.int().default(1),
  moved: SHARE.default(0),
  knows: SHARE.default(1),
  latency: z
    .object({ medianMs: z.number().min(0), sigma: z.number().min(0) })
    .default({ medianMs: 0, sigma: 0 }),
  rate: z
    .union([z.string(), z.array(z.string())])
    .transform((text, context) => {
      const rate = parseRate(String(text));
      if (rate === undefined) context.addIssue(RATE_FORM);
      return rate ?? z.NEVER;
    })
    .optional(),
  credits: z.number().refine(isCredits, 'at least 0, with three decimals at most').optional(),
  faults: FAULT_SHARES.prefault({}),
  faultSeed: z.int().default(1),
  slowMs: TIME_MS.default(2_000),
  webhookBatch: z
    .object({ max: z.int().min(1).max(1_000), withinMs: z.number().min(0).max(86_400_000) })
    .default({ max: 1, withinMs: 0 }),
  webhookRetryMs: TIME_MS.default(1_000),
  webhookTimeoutMs: TIME_MS.default(10_000),
  atOnce: z.boolean().default(false),
});

/** @throws SluiceError `usage` for an impossible option */
export function settleOptions(options: SandboxOptions) {
  const { data, error } = CHECKED.safeParse(options);
  if (data === undefined) {
    const [issue] = error.issues;
    const option = issue?.path.join('.') ?? '';
    const message = `The sandbox option ${option} is not possible: ${issue?.message ?? ''}.`;
    throw new SluiceError('usage', message);
  }
  const { webhookBatch: batch, webhookRetryMs: retryMs, webhookTimeoutMs: timeoutMs } = data;
  const dialect = sandboxDialect(options.dialect ?? NEUTRAL_DIALECT);
  const rate = data.rate ?? dialect.limits.rate;
  const terms: WebhookTerms = { timeoutMs, retryMs, batch };
  return {
    ...data,
    webhookSecret: options.webhookSecret,
    dialect,
    rate,
    measured: rate[0] ?? MEASURED,
    ledgerFile: options.ledgerFile,
    terms,
    now: options.now ?? steadyNow,
  };
}

// `Date.now` can step back when the machine's clock is set; a window measured with it would let too much through.
function steadyNow(): number {
  return performance.timeOrigin + performance.now();
}
