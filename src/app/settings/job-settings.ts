// A job with everything filled in. Flags win over the job file, which wins over the environment, which wins over the
// defaults. The defaults are defined only here.
import type { JobFile } from '../../config/job-schema.js';
import type { Encoding, InputFormat } from '../../input/read-options.js';
import type { Ask, Prices } from '../../model/ask.js';
import type { ColumnWish } from '../../model/columns/choose-columns.js';
import { type PositionShape, parsePositionShape } from '../../model/columns/positions.js';
import { SluiceError } from '../../model/errors.js';
import type { Delimiter } from '../../model/lead.js';
import type { MappingWish } from '../../model/mapping/mapping.js';
import type { OwnWish } from '../../model/mapping/own-columns.js';
import type { FurtherNames } from '../../model/run.js';
import { parseRate, type Rate } from '../../model/schedule/rate.js';
import { type ListenAddress, parseListenAddress } from '../../model/text/address.js';
import { parseDuration } from '../../model/text/time.js';
import type { Schedule } from '../../ports/store/tasks.js';
import { checkState } from '../../store/open-store.js';
import type { Environment } from './environment.js';

export const JOB_DEFAULTS = {
  concurrency: 20,
  positions: 'current',
  'fresh-for': '30d',
  deadline: '2h',
  listen: '127.0.0.1:8640',
  callback: 'request',
  'claim-wait': '1m',
  submit: 'auto',
  'first-batch': 50,
  'pay-anew': false,
  'only-missing': false,
  seed: 1,
  timezone: 'UTC',
  'catch-up': 'one',
  state: 'data/sluice.db',
  dictionary: false,
  bom: false,
  excel: false,
  'formula-guard': true,
} as const satisfies Partial<JobFile>;

type FilledJob = JobFile & {
  [K in keyof typeof JOB_DEFAULTS]: NonNullable<JobFile[K]>;
};

export interface NoticeWish {
  readonly url?: string | undefined;
  readonly command?: readonly string[] | undefined;
  readonly on: 'always' | 'trouble';
}

export interface JobSettings {
  /** The job's name, under which its runs are found again. */
  readonly job: string;
  /** As it was stated, with what the environment gave; from it the settings are made again on another machine. */
  readonly stated: JobFile;
  /** The job file; undefined if the job is stated otherwise. */
  readonly file?: string;
  readonly input: readonly string[];
  /** Undefined only for a plan, which writes nothing. */
  readonly out: string | undefined;
  /** The tables beside it. */
  readonly further: FurtherNames;
  /** The page that shows how a run went, written at its end; undefined: none. */
  readonly report: string | undefined;
  readonly ask: readonly Ask[];
  readonly map: MappingWish;
  readonly url: string;
  readonly dialect: string | undefined;
  /** What the account that pays is called; undefined: it is known by its user name or its key. */
  readonly account: string | undefined;
  readonly concurrency: number;
  /** Undefined: the rate of the dialect. */
  readonly rate: Rate | undefined;
  readonly positions: string;
  readonly columns: ColumnWish | undefined;
  /** Columns of the input that come first in the table, and name a row elsewhere. */
  readonly key: readonly string[] | undefined;
  readonly freshForMs: number;
  /** How long runs, deliveries and events stay; undefined: until a user prunes the state. */
  readonly keepMs: number | undefined;
  /** How long the bodies of deliveries stay that have settled their leads; undefined: they leave at once. */
  readonly keepDeliveriesMs: number | undefined;
  readonly limit: number | undefined;
  /** Which leads are asked, over the columns of the input; undefined for all. */
  readonly where: string | undefined;
  /** Whether only leads without an e-mail address or phone number of their own are asked. */
  readonly onlyMissing: boolean;
  /** How many of the leads are asked; undefined for all. */
  readonly sample: number | undefined;
  readonly seed: number;
  /** Columns of the input whose empty cells the table fills with what was found. */
  readonly fill: OwnWish | undefined;
  readonly deadlineMs: number;
  readonly collect: 'poll' | 'webhook' | 'hybrid';
  readonly listen: ListenAddress;
  /** Undefined: the listener's own address, since the platform is on this machine. */
  readonly publicUrl: string | undefined;
  readonly callback: 'request' | 'hook';
  readonly claimWaitMs: number;
  readonly submit: 'single' | 'bulk' | 'auto';
  readonly budget: number | undefined;
  /** The prices that the job states; those that it does not state are the dialect's. */
  readonly prices: Partial<Prices> | undefined;
  /** The most enrichments under way before the first value was read. */
  readonly firstBatch: number;
  /** Whether leads that are known elsewhere are paid for without asking. */
  readonly payAnew: boolean;
  /** The contact list that a run's leads go into; placeholders in its name are not filled in. */
  readonly list: { readonly name: string; readonly where: string | undefined } | undefined;
  /** Where to send a notice when a run has ended. The address may contain a secret and must not be printed. */
  readonly notify: NoticeWish | undefined;
  /** When workers begin a run; undefined: they do not by themselves. */
  readonly schedule: Omit<Schedule, 'job'> | undefined;
  readonly state: string;
  /** The file in which the metrics of its runs are written, for a collector of text files. */
  readonly metricsFile: string | undefined;
  /** Where the metrics are served while it runs. */
  readonly metricsListen: ListenAddress | undefined;
  readonly format: InputFormat | undefined;
  /** Of each workbook; where it is not set, the one whose columns are usual. */
  readonly sheet: string | undefined;
  /** The line of the header; where it is not set, the one that looks like it. */
  readonly headerRow: number | undefined;
  readonly delimiter: Delimiter | undefined;
  readonly encoding: Encoding | undefined;
  /** Of the table; where it is not set, that of the input. */
  readonly delimiterOut: Delimiter | undefined;
  /** Whether each table has a dictionary beside it. */
  readonly dictionary: boolean;
  readonly bom: boolean;
  readonly excel: boolean;
  readonly formulaGuard: boolean;
}

/**
 * Fills in what the job does not state.
 * @throws SluiceError `usage` for a missing key without a default
 */
export function resolveJobSettings(
  job: string,
  stated: JobFile,
  environment: Environment,
): JobSettings {
  const full = { ...JOB_DEFAULTS, ...withoutUndefined(stated) } as FilledJob;
  const url = stated.url ?? environment.url;
  if (url === undefined) {
    throw missing(
      'url',
      'the base address of the platform, or sandbox to try it for free; SLUICE_URL is its default',
      environment.outranked('SLUICE_URL'),
    );
  }
  if (full.ask === undefined) {
    throw missing('ask', 'for example find_email,social_enrichment');
  }
  const account = stated.account ?? environment.account;
  const keep = stated.keep ?? environment.keep;
  return {
    job,
    stated: withoutUndefined({ ...stated, url, account, keep }),
    input: typeof full.input === 'string' ? [full.input] : full.input,
    ...tablesOf(full.out),
    report: full.report,
    // An ask that is listed twice is charged once, so its price must count once.
    ask: [...new Set(full.ask)],
    map: (full.map ?? {}) as MappingWish,
    url,
    dialect: full.dialect,
    account,
    concurrency: full.concurrency,
    rate: full.rate === undefined ? undefined : parseRate(full.rate),
    positions: full.positions,
    columns: full.columns,
    key: full.key === undefined ? undefined : [...new Set([full.key].flat())],
    freshForMs: parseDuration(full['fresh-for']) as number,
    keepMs: keepOf(keep),
    keepDeliveriesMs: parseDuration(full['keep-deliveries'] ?? ''),
    limit: full.limit,
    where: full.where,
    onlyMissing: full['only-missing'],
    sample: full.sample,
    seed: full.seed,
    fill: full.fill,
    deadlineMs: parseDuration(full.deadline) as number,
    collect: full.collect ?? (isDelivered(stated) ? 'hybrid' : 'poll'),
    listen: parseListenAddress(full.listen) as ListenAddress,
    publicUrl: full['public-url']?.replace(/(?<!\/)\/+$/, ''),
    callback: full.callback,
    claimWaitMs: parseDuration(full['claim-wait']) as number,
    submit: full.submit,
    budget: full.budget,
    prices:
      full.prices === undefined ? undefined : (withoutUndefined(full.prices) as Partial<Prices>),
    firstBatch: full['first-batch'],
    payAnew: full['pay-anew'],
    list: full.list === undefined ? undefined : { where: undefined, ...full.list },
    notify:
      full.notify === undefined ? undefined : { ...full.notify, on: full.notify.on ?? 'always' },
    schedule: scheduleOf(full),
    state: stateOf(stated.state, environment),
    metricsFile: full['metrics-file'],
    metricsListen: metricsListenOf(full['metrics-listen']),
    format: full.format,
    sheet: full.sheet,
    headerRow: full['header-row'],
    delimiter: full.delimiter,
    encoding: full.encoding,
    delimiterOut: full['delimiter-out'],
    dictionary: full.dictionary,
    bom: full.bom,
    excel: full.excel,
    formulaGuard: full['formula-guard'],
  };
}

/**
 * The state of a command: what it was told, SLUICE_STATE, or the default.
 * @throws SluiceError `usage` for the address of a database that has a password or cannot be read
 */
export function stateOf(stated: string | undefined, environment: Environment): string {
  const state = stated ?? environment.state ?? JOB_DEFAULTS.state;
  checkState(state);
  return state;
}

/** The time of a job was checked when the job was read. */
function keepOf(text: string | undefined): number | undefined {
  const keepMs = text === undefined ? undefined : parseDuration(text);
  if (text === undefined || (keepMs ?? 0) > 0) return keepMs;
  throw new SluiceError('usage', 'SLUICE_KEEP: a duration is written like 90d or 12h.', {
    variable: 'SLUICE_KEEP',
  });
}

function scheduleOf(full: FilledJob): JobSettings['schedule'] {
  const { schedule: pattern, timezone } = full;
  return pattern === undefined ? undefined : { pattern, timezone, catchUp: full['catch-up'] };
}

/** The tables that the key `out` names. */
export function tablesOf(out: JobFile['out']): Pick<JobSettings, 'out' | 'further'> {
  if (typeof out !== 'object') return { out, further: {} };
  const { people, ...further } = out;
  return { out: people, further: withoutUndefined(further) as FurtherNames };
}

function metricsListenOf(text: string | undefined): ListenAddress | undefined {
  return text === undefined ? undefined : parseListenAddress(text);
}

/** A job that says where webhooks arrive wants its results delivered. */
function isDelivered(stated: JobFile): boolean {
  return stated['public-url'] !== undefined || stated.listen !== undefined;
}

/**
 * The rate of `--rate`.
 * @throws SluiceError `usage` for an invalid rate
 */
export function rateOf(text: string | undefined): Rate | undefined {
  const rate = text === undefined ? undefined : parseRate(text);
  if (rate !== undefined || text === undefined) return rate;
  throw new SluiceError('usage', '--rate: a rate is written like 20/2s, or off.', { flag: 'rate' });
}

/** The shape of a run's positions; the text was validated when the job was read. */
export function shapeOf(positions: string): PositionShape {
  const shape = parsePositionShape(positions);
  if (shape === undefined) throw new Error(`unknown shape of positions: ${positions}`);
  return shape;
}

/** What is stated, and nothing else. */
export function withoutUndefined<T extends object>(stated: T): T {
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)) as T;
}

function missing(key: string, what: string, aside = ''): SluiceError {
  return new SluiceError(
    'usage',
    `${key} is missing: give --${key}, or ${key}: in the job (${what}).`,
    { key },
    aside === '' ? {} : { aside },
  );
}
