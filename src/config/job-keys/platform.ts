import * as z from 'zod';
import { price } from '../../dialect/parts.js';
import { isCredits, parseMoney } from '../../model/credits.js';
import { FAIL_ON_DEFAULT, toConditions } from '../../model/report/fail-on.js';
import type { StatedCaps } from '../../model/schedule/caps.js';
import { HIT_RATE_FORM, type HitRate, parseHitRate } from '../../model/schedule/hit-rate.js';
import {
  parseRate,
  parseTimeout,
  RATE_FORM,
  type Rate,
  TIMEOUT_FORM,
} from '../../model/schedule/rate.js';
import { isPublicUrl } from '../../model/text/address.js';
import { DEFAULTS } from '../defaults.js';
import { isCron, isTimezone } from './cron.js';
import { duration, type JobKey, listenAddress, toggle, wholeNumber } from './key.js';
import { conditions, notice, toReasons } from './notice.js';

const CAP =
  'a cap is a number of credits above 0, with three decimals at most, or money like 6 EUR';
const CREDIT = 'the price of a credit is money like 0.012 EUR';
const CAPS = 'caps are {day: CREDITS, month: CREDITS}, or one of them';
const TIMEZONE = 'a time zone is written like Europe/Vienna, or UTC';
const CONCURRENCY = 'a number of requests is whole, from 1 to 1000';
const FIRST_BATCH = 'a first batch is a whole number of requests, 1 or more';

const SAME_PERSON = ['keys', 'exact'] as const;

/** Credits, or money. */
const amount = z.union(
  [
    z.number(CAP).refine((credits) => credits > 0 && isCredits(credits), CAP),
    z.string(CAP).refine((text) => parseMoney(text) !== undefined, CAP),
  ],
  CAP,
);

export const payment = {
  'fresh-for': {
    ...duration,
    flag: 'text',
    default: DEFAULTS.freshFor,
    meaning: 'How long a result is used again for free',
    more: 'It stays in the row until there is a newer one.',
    hint: '30d',
  },
  prices: {
    schema: z.record(z.string(), price),
    otherwise: "the dialect's, which may be assumed",
    form: 'ask: number',
    meaning: 'Credits for one hit, by ask, with three decimals at most',
    more: 'Until the job or the dialect file states the price of all that is asked, plan, summary and budget say `prices assumed`.',
    remark:
      'The price of one hit, by what is asked. Until you say it, the prices are those of the dialect, or assumed.',
  },
  credit: {
    schema: z.string(CREDIT).refine((text) => parseMoney(text) !== undefined, CREDIT),
    resolve: (text: string) => parseMoney(text),
    form: 'like `0.012 EUR`',
    meaning: 'Price of one credit in money; plan, summary and report then say what credits cost',
    remark: 'What one credit costs: 0.012 EUR. What a run costs is then told in money as well.',
  },
  'same-person': {
    schema: z.enum(SAME_PERSON),
    default: 'keys',
    form: '`keys` or `exact`',
    meaning:
      'Which leads are [one person](../guarantees.md#who-counts-as-one-person), who is paid for once: `keys`, those who share a profile, an address, or a name with a company, and contradict each other in nothing; `exact`, those with the same inputs',
  },
  'pay-anew': {
    ...toggle,
    meaning:
      'Pay without asking for leads that are known under [another account](../credentials.md#another-account) of the address',
  },
  'first-batch': {
    schema: wholeNumber(FIRST_BATCH, 1),
    default: 50,
    meaning:
      'Paid requests under way at most [until a value was read](../jobs.md#the-first-answers-with-a-dialect) with this dialect and account',
  },
  'stop-below': {
    schema: z
      .string(HIT_RATE_FORM)
      .refine((text) => parseHitRate(text) !== undefined, HIT_RATE_FORM),
    resolve: (text: string): HitRate | undefined => parseHitRate(text),
    form: 'like `20 % of 200`',
    meaning:
      'Send no more than these leads where the platform finds something for [less than that share](../jobs.md#stop-early)',
    remark: 'Ends the sending where the platform finds too little in the first leads: 20 % of 200.',
  },
} as const satisfies Readonly<Record<string, JobKey>>;

export const platform = {
  dialect: {
    schema: z.string().min(1),
    otherwise: 'the neutral dialect',
    meaning: "File of the platform's [wire format](../dialects.md), or a ready-made one",
    remark: "Describes the platform's names and paths, where they are not the usual ones.",
    flag: 'text',
    // Its content is kept for another machine, not its name.
    isLocal: true,
  },
  sandbox: {
    ...toggle,
    meaning:
      'A [sandbox](../getting-started.md) is at the address: calls are neutral, and the dialect says what there is to ask, by which inputs, at which price',
    more: 'It is so for `url: sandbox`, without this key.',
  },
  account: {
    schema: z
      .string()
      .regex(
        /^[^\p{Cc}]{1,200}$/u,
        'an account is named by 1 to 200 characters, without line breaks',
      ),
    otherwise: '`SLUICE_ACCOUNT`, else the user name or the key',
    meaning: 'Name of the [account](../credentials.md#the-account) that pays',
    more: 'Leads are paid for under this name.',
    remark:
      'The name under which you pay, and under which leads are known as paid for. Usually your user name; give one if your key changes.',
    flag: 'text',
  },
  concurrency: {
    schema: wholeNumber(CONCURRENCY, 1, 1000),
    default: DEFAULTS.concurrency,
    form: '1 to 1000',
    meaning: 'Requests in flight at most',
  },
  rate: {
    schema: z
      .union([z.string(), z.array(z.string())])
      .refine((text) => parseRate(String(text)) !== undefined, RATE_FORM),
    resolve: (text: string | readonly string[]): Rate | undefined => parseRate(String(text)),
    otherwise: "the dialect's",
    meaning:
      'Requests in any window of time, like `20/2s`; several windows, like `[20/2s, 100/60s, 2000/1d]`, which all hold; or `off`',
    remark:
      'The limit of the platform, if it is not that of the dialect: requests in a span of time, like 20/2s, or [20/2s, 2000/1d].',
  },
  timeout: {
    ...duration,
    schema: z.string().refine((text) => parseTimeout(text) !== undefined, TIMEOUT_FORM),
    otherwise: "the dialect's, usually `30s`",
    meaning: 'How long one request waits for its answer, from `1s` to `90s`',
    more: 'A paid one without an answer is `uncertain`.',
  },
  deadline: {
    ...duration,
    default: DEFAULTS.deadline,
    meaning: 'How long to wait for an answer before it is `timed_out`',
  },
  submit: {
    schema: z.enum(['single', 'bulk', 'auto']),
    default: 'auto',
    meaning: 'One by one (`single`), in bulk calls, or `auto`',
    more: '`auto` is bulk where webhooks bring the results and the dialect file says how.',
    flag: 'text',
  },
} as const satisfies Readonly<Record<string, JobKey>>;

export const webhooks = {
  collect: {
    schema: z.enum(['poll', 'webhook', 'hybrid']),
    // A job that states an address for webhooks wants its results delivered.
    default: (stated: Readonly<Record<string, unknown>>): 'hybrid' | 'poll' =>
      stated['public-url'] === undefined && stated['listen'] === undefined ? 'poll' : 'hybrid',
    otherwise: '`hybrid` with a `public-url` or `listen`, else `poll`',
    meaning: 'How results come: `poll`, `webhook` ([delivered](../webhooks.md)) or `hybrid`',
    more: '`poll` asks for them; `hybrid` asks when a delivery is overdue.',
    flag: 'text',
  },
  listen: {
    ...listenAddress('8640 or 0.0.0.0:8640'),
    default: DEFAULTS.listen,
    meaning: 'The address at which webhooks are received: [HOST:]PORT',
  },
  'public-url': {
    schema: z
      .string()
      .refine(isPublicUrl, 'a public URL is http(s)://host/path, without a query or credentials'),
    resolve: (url: string): string => url.replace(/(?<!\/)\/+$/, ''),
    otherwise: "the listener's own address, for a platform on this machine",
    meaning: 'Address under which the platform reaches the listener',
    remark:
      'The address under which the platform reaches this machine, to deliver results. Without one they are asked for.',
    hint: 'https://leads.example.com/sluice',
    mayBeSecret: true,
  },
  callback: {
    schema: z.enum(['request', 'hook']),
    default: 'request',
    meaning:
      'How the platform learns where to deliver: a URL in each request, or one registered hook',
  },
  'claim-wait': {
    ...duration,
    default: '1m',
    meaning: 'How long to wait at the end for webhooks that may claim uncertain leads',
  },
  'keep-deliveries': {
    ...duration,
    otherwise: 'not at all',
    meaning:
      'How long the text of a webhook stays that [has settled its leads](../webhooks.md#keep-listening-between-runs), for "replay --all"',
  },
} as const satisfies Readonly<Record<string, JobKey>>;

export const ofFiles = {
  caps: {
    schema: z
      .strictObject({
        day: amount.optional().describe('A day'),
        month: amount.optional().describe('A month'),
        timezone: z
          .string()
          .refine(isTimezone, TIMEZONE)
          .optional()
          .describe('Time zone of days and months'),
      })
      .refine(({ day, month }) => day !== undefined || month !== undefined, CAPS),
    resolve: ({ timezone = 'UTC', ...amounts }: Partial<StatedCaps>): StatedCaps => ({
      ...amounts,
      timezone,
    }),
    form: '`day`, `month`, `timezone`',
    meaning:
      'Credits that all jobs of the account may have spent in a calendar day and month; this job sends nothing beyond [these caps](../jobs.md#caps-for-a-day-and-a-month)',
    more: 'A number is credits; money is written like `6 EUR`, and needs the key `credit`, in a waterfall of each step. The time zone is UTC unless it is stated. A run that meets a cap ends with exit code 9. `sluice caps set` caps all jobs.',
    remark:
      'Credits that the account may have spent in a calendar day and month before this job stops: {day: 500, month: 10000, timezone: Europe/Vienna}.',
  },
  accounts: {
    schema: z.string().min(1),
    meaning:
      'File that names the [accounts](../waterfall.md#in-ten-minutes) of a waterfall and their credentials; only its owner may read it',
    more: 'The flag `--credentials` names another one.',
    isLocal: true,
  },
  'fail-on': {
    schema: conditions,
    resolve: toConditions,
    default: FAIL_ON_DEFAULT,
    otherwise: `\`[${FAIL_ON_DEFAULT.join(', ')}]\``,
    form: 'list',
    meaning:
      'The leads without a reliable answer that make a finished run [a failure](../cron-sees.md)',
    more: 'Each is one lead, or a share of the leads that were asked for. An empty list: none. Where nothing was found, one `failed` lead suffices for `failed`.',
    remark:
      'What makes a finished run a failure, with exit code 1: kinds of leads without an answer, as in [uncertain, failed > 20 %].',
  },
  notify: {
    schema: notice,
    resolve: ({ on = 'always', ...where }: z.output<typeof notice>) => ({
      ...where,
      on: typeof on === 'string' ? on : toReasons(on),
    }),
    form: '`url`, `command`, `on`',
    meaning: 'The receivers of [a notice](../jobs.md#send-a-notice) when a run has ended',
    more: 'An address that is a secret is stated in the environment: `url: ${NOTICE_URL}`.',
    remark:
      'The receivers of a notice when a run has ended: an address, a command, or both; always, or only on trouble.',
    isLocal: true,
    mayBeSecret: true,
  },
  schedule: {
    schema: z
      .string()
      .refine(
        isCron,
        'a schedule has the five fields of crontab, like "0 2 * * *": minute (0-59), hour (0-23), day (1-31), month (1-12), day of the week (0-7)',
      ),
    form: 'five fields, as in crontab',
    meaning:
      'When [workers](../several-machines.md#runs-by-a-schedule) begin a run, as in crontab: minute hour day month weekday',
    more: '`"0 2 * * *"` is two in the night. `sluice schedule` takes it over.',
    remark:
      'When workers begin a run by themselves, as in crontab: "0 2 * * *". "sluice schedule apply" takes it over.',
  },
  timezone: {
    schema: z.string().refine(isTimezone, TIMEZONE),
    default: 'UTC',
    form: 'like `Europe/Vienna`',
    meaning: 'Time zone of the schedule',
  },
  'catch-up': {
    schema: z.enum(['one', 'none']),
    default: 'one',
    meaning:
      'The runs for times of the schedule at which no worker was there: `one` for all of them, or `none`',
  },
} as const satisfies Readonly<Record<string, JobKey>>;
