// The needs of a run on a worker: the account that pays, of a waterfall that of every step, and what the run brings.
import { hostname } from 'node:os';
import { SluiceError, unlessRefused } from '../../model/errors.js';
import { filesAtEnd, type Run } from '../../model/run.js';
import type { Watch } from '../../model/telemetry/observe.js';
import type { Clock } from '../../ports/clock.js';
import type { Dispatcher } from '../../ports/dispatcher.js';
import type { Parked } from '../../ports/store/jobs.js';
import type { Store } from '../../ports/store/store.js';
import { refuseElsewhere } from '../files/stated-files.js';
import type { RunReport } from '../run/run-options.js';
import {
  checkSteps,
  namesAlone,
  paidBy,
  readSteps,
  type Step,
  waterfallOf,
} from '../run/waterfall/steps.js';
import { type Environment, NO_ENVIRONMENT } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';
import type { Accounts, WorkerAccount } from './accounts.js';
import { refuseUnstated, type Stated } from './stated.js';
import { readTask, type TaskJob } from './task.js';

/** The fact `unstated` of an error about accounts. */
export const ACCOUNT = 'account';

export interface WorkerOptions {
  /** The jobs whose runs it takes; undefined for all. */
  readonly jobs: readonly string[] | undefined;
  readonly loadJob: (job: string) => Promise<JobSettings | undefined>;
  /** The state as it was named, for messages. */
  readonly state: string;
  readonly stated: Stated;
  readonly writesTables: boolean;
  readonly watch: Watch;
  /**
   * Called if a run has ended, or is parked for the first time in a row, or a job could not be begun; also with the
   * warning of a run that goes on. Never throws.
   */
  readonly onEnd: (job: string, end: WorkEnd) => Promise<void>;
  readonly tell: (sentence: string) => void;
  /** Called with sentences about what is wrong. A log may have another one; null for a bug, which is told in full. */
  readonly warn: (sentence: string, logged?: string | null) => void;
}

export interface WorkEnd {
  /** Null if the job was not begun. */
  readonly run: number | null;
  readonly warning?: string;
  readonly report?: RunReport;
  readonly error?: unknown;
}

export interface WorkerParts extends WorkerOptions {
  readonly accounts: Accounts;
  readonly store: Store;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  /** The time at which this worker began to take runs. */
  readonly since: number;
  /** Jobs that were due and whose file is missing here, once that was reported. */
  readonly lacking: Set<string>;
}

export interface OpenWork {
  readonly run: Run;
  readonly task: string;
  readonly parked: Parked | null;
}

/**
 * The settings and the account for a run here; undefined if this worker does not hold its account.
 * @throws SluiceError `usage` for contents of the run that this machine does not state
 */
export async function findNeeded(parts: WorkerParts, { run, task }: OpenWork) {
  const { loadJob, state, writesTables } = parts;
  const brought = readTask(task, run.job, state);
  // A file that is missing here, or cannot be read, states nothing.
  const own = await unlessRefused(() => loadJob(run.job));
  const steps = await findSteps(parts, brought, own);
  const environment = steps[0]?.environment ?? (await findAccount(parts, brought, run, own));
  if (environment === undefined) return undefined;
  // The names of the files come from the state: they are judged by the statements of this machine.
  const files = { out: own?.out, further: own?.further ?? {}, ...filesAtEnd(own ?? {}) };
  if (writesTables) refuseElsewhere(run.output, files);
  const settings: JobSettings = { ...brought.settings, ...files };
  const waterfall = steps.length > 0 ? { plan: waterfallOf(settings, steps), steps } : undefined;
  const dialect = steps[0]?.dialect ?? brought.dialect;
  return { brought, dialect, environment, settings, waterfall };
}

async function findAccount(
  { accounts, stated: worker, store }: WorkerParts,
  brought: TaskJob,
  run: Run,
  own: JobSettings | undefined,
): Promise<Environment | undefined> {
  const found = await accounts.find(brought, run.account, store);
  if (found === undefined) return undefined;
  await refuseUnstated(brought, { worker, account: found.stated, own });
  return found.environment;
}

/**
 * The steps, each with its account; none for a job without a waterfall.
 * @throws SluiceError `usage`, with the fact `unstated`, if this worker lacks an account, or this machine does not state
 * what a step brings
 */
async function findSteps(
  { accounts, stated: worker, store }: WorkerParts,
  { settings, steps: kept }: TaskJob,
  own: JobSettings | undefined,
): Promise<readonly Step[]> {
  const dialects = kept.map(({ dialect }) => dialect);
  const steps = await readSteps(settings, { ...BY_NAME, dialects });
  const all: WorkerAccount[] = [];
  const lacking: Step[] = [];
  for (const [i, step] of steps.entries()) {
    const found = await accounts.find(step, kept[i]?.account ?? '', store);
    if (found === undefined) lacking.push(step);
    else all.push(found);
  }
  if (lacking.length > 0) throw lacks(lacking);
  const paid = paidBy(
    steps,
    all.map(({ environment }) => environment),
  );
  const ownSteps = await stepsOfFile(own);
  await checkSteps(paid, (step) => {
    const account = all[paid.indexOf(step)]?.stated ?? {};
    const same = ownSteps.find(({ name }) => name === step.name);
    return refuseUnstated(step, { worker, account, own: same?.settings });
  });
  return paid;
}

const BY_NAME = { environment: NO_ENVIRONMENT, environmentOf: namesAlone() };

/** The steps that the job's file here states; none if it cannot be read. */
async function stepsOfFile(own: JobSettings | undefined): Promise<readonly Step[]> {
  if (own === undefined) return [];
  return (await unlessRefused(() => readSteps(own, BY_NAME))) ?? [];
}

function lacks(steps: readonly Step[]): SluiceError {
  const accounts = new Set(
    steps.map(({ name, settings: { account } }) => account ?? `of the step ${name}`),
  );
  const named = [...accounts].join(' and ');
  const what = accounts.size === 1 ? 'the account' : 'the accounts';
  return new SluiceError(
    'usage',
    `The worker on ${hostname()} lacks ${what} ${named}, and the run of a waterfall goes to a worker that has those of all its steps: name them in one file, with --credentials. Another worker may make the run.`,
    { unstated: ACCOUNT },
  );
}
