// The needs of a run on a worker: the account that pays, and of a waterfall that of every step; and the worker's word for
// what the run brings.
import { hostname } from 'node:os';
import { SluiceError } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import type { Store } from '../../ports/store/store.js';
import { refuseElsewhere } from '../files/stated-files.js';
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
import type { Accounts, HeldAccount } from './accounts.js';
import { refuseUnstated, type Stated } from './stated.js';
import { readTask, type TaskJob } from './task.js';

/** The fact `unstated` of an error about accounts. */
export const ACCOUNT = 'account';

/** The parts of a worker that say which runs it may make. */
export interface Machine {
  readonly accounts: Accounts;
  /** Reads the job's file; undefined if it is not on this machine. */
  readonly loadJob: (job: string) => Promise<JobSettings | undefined>;
  /** The state as it was named, for messages. */
  readonly state: string;
  /** The statements of the worker's flags and environment. */
  readonly stated: Stated;
  readonly store: Store;
  readonly writesTables: boolean;
}

interface Needing {
  readonly run: Run;
  readonly task: string;
}

/** The job's file on this machine; nothing if it is missing, or cannot be read: then it states nothing. */
async function loadOwn({ loadJob }: Machine, job: string): Promise<JobSettings | undefined> {
  try {
    return await loadJob(job);
  } catch (error) {
    if (error instanceof SluiceError) return undefined;
    throw error;
  }
}

/**
 * The settings and the account for a run here; undefined if this worker does not hold its account.
 * @throws SluiceError `usage` for contents of the run that this machine does not state
 */
export async function findNeeded(machine: Machine, { run, task }: Needing) {
  const { state, writesTables } = machine;
  const brought = readTask(task, run.job, state);
  const own = await loadOwn(machine, run.job);
  const steps = await findSteps(machine, brought, own);
  const environment = steps[0]?.environment ?? (await findAccount(machine, brought, { run, own }));
  if (environment === undefined) return undefined;
  // The names of the files come from the state: they are judged by the statements of this machine.
  const files = { out: own?.out, further: own?.further ?? {}, report: own?.report };
  if (writesTables) refuseElsewhere(run.output, files);
  const settings: JobSettings = { ...brought.settings, ...files };
  const waterfall = steps.length > 0 ? { plan: waterfallOf(settings, steps), steps } : undefined;
  const dialect = steps[0]?.dialect ?? brought.dialect;
  return { brought, dialect, environment, settings, waterfall };
}

/** The account of a job with one platform. */
async function findAccount(
  { accounts, stated: worker, store }: Machine,
  brought: TaskJob,
  { own, run }: { readonly run: Run; readonly own: JobSettings | undefined },
): Promise<Environment | undefined> {
  const held = await accounts.find(brought, run.account, store);
  if (held === undefined) return undefined;
  await refuseUnstated(brought, { worker, account: held.stated, own });
  return held.environment;
}

/**
 * The steps, each with its account; none for a job without a waterfall.
 * @throws SluiceError `usage`, with the fact `unstated`, if this worker lacks an account, or this machine does not state
 * what a step brings
 */
async function findSteps(
  { accounts, stated: worker, store }: Machine,
  { settings, steps: kept }: TaskJob,
  own: JobSettings | undefined,
): Promise<readonly Step[]> {
  const dialects = kept.map(({ dialect }) => dialect);
  const steps = await readSteps(settings, { ...BY_NAME, environmentOf: namesAlone(), dialects });
  const all: HeldAccount[] = [];
  const lacking: Step[] = [];
  for (const [i, step] of steps.entries()) {
    const held = await accounts.find(step, kept[i]?.account ?? '', store);
    if (held === undefined) lacking.push(step);
    else all.push(held);
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

const BY_NAME = { environment: NO_ENVIRONMENT };

/** The steps that the job's file here states; none if it cannot be read. */
async function stepsOfFile(own: JobSettings | undefined): Promise<readonly Step[]> {
  if (own === undefined) return [];
  try {
    return await readSteps(own, { ...BY_NAME, environmentOf: namesAlone() });
  } catch (error) {
    if (error instanceof SluiceError) return [];
    throw error;
  }
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
    { unstated: ACCOUNT, accounts: named },
  );
}
