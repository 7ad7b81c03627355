// The checks change nothing and cost nothing, and a failed one does not stop those after it.

import { SluiceError } from '../../model/errors.js';
import { sqliteExaminer } from '../../store/sqlite/state-checkup.js';
import type { Step } from '../run/waterfall/steps.js';
import { stateOf } from '../settings/command-settings.js';
import { systemClock } from '../system-clock.js';
import type { CheckContext, DoctorWish } from './check-context.js';
import { checkInput } from './check-input.js';
import { checkDialect, checkJob, checkOutput } from './check-job.js';
import {
  checkClock,
  checkCredentials,
  checkPlatform,
  checkRateLimit,
  waitUntilForgotten,
} from './check-platform.js';
import { checkEnvFile, checkNode, checkSqlite } from './check-program.js';
import { checkPublicUrl } from './check-public-url.js';
import {
  checkDisk,
  checkIntegrity,
  checkLock,
  checkState,
  checkStateFolder,
} from './check-state.js';
import { type Finding, fail } from './finding.js';

type Check = (context: CheckContext) => Finding | Promise<Finding>;

/** The checks in their order: each may use the findings of those before it. */
const CHECKS = {
  node: checkNode,
  sqlite: checkSqlite,
  env_file: checkEnvFile,
  job: checkJob,
  dialect: checkDialect,
  state_folder: checkStateFolder,
  disk: checkDisk,
  state: checkState,
  integrity: checkIntegrity,
  lock: checkLock,
  input: checkInput,
  output: checkOutput,
  credentials: checkCredentials,
  platform: checkPlatform,
  clock: checkClock,
  rate_limit: checkRateLimit,
  public_url: checkPublicUrl,
} as const satisfies Readonly<Record<string, Check>>;

export interface HealthCheck extends Finding {
  readonly check: keyof typeof CHECKS;
  /** The step of a waterfall that it is about; absent for a check of the whole. */
  readonly step?: string;
}

const OF_PLATFORM: ReadonlySet<string> = new Set<keyof typeof CHECKS>([
  'dialect',
  'credentials',
  'platform',
  'clock',
  'rate_limit',
  'public_url',
]);

/** One result for each of `CHECKS`, and for each step of a waterfall where it is about a platform. Never throws. */
export async function examineSetup(wish: DoctorWish): Promise<readonly HealthCheck[]> {
  const context: CheckContext = {
    wish,
    get environment() {
      return wish.environment();
    },
    examiner: sqliteExaminer,
    clock: systemClock,
    get state() {
      return this.settings?.state ?? stateOf(wish.state, this.environment);
    },
  };
  const ofSteps = new Map<string, CheckContext>();
  const results: HealthCheck[] = [];
  try {
    for (const [check, look] of Object.entries(CHECKS) as [keyof typeof CHECKS, Check][]) {
      const { steps = [] } = context;
      if (steps.length === 0 || !OF_PLATFORM.has(check)) {
        results.push({ check, ...(await guarded(look, context)) });
        continue;
      }
      for (const step of steps) {
        const own = { ...context, ...ofSteps.get(step.name), ...partOf(context, step) };
        ofSteps.set(step.name, own);
        const found = await guarded(look, own);
        const says = `Step ${step.name}: ${found.says}`;
        results.push({ ...found, check, step: step.name, says });
      }
    }
    return results;
  } finally {
    await context.checkup?.close();
    for (const own of [context, ...ofSteps.values()]) await waitUntilForgotten(own);
  }
}

/** The parts of a context that are other ones for a step, or have become known since the last check of the step. */
function partOf(
  { checkup, isStateAbsent }: CheckContext,
  { dialect, environment, settings }: Step,
): Partial<CheckContext> {
  return {
    dialect,
    environment,
    settings,
    ...(checkup && { checkup }),
    ...(isStateAbsent !== undefined && { isStateAbsent }),
  };
}

async function guarded(look: Check, context: CheckContext): Promise<Finding> {
  try {
    return await look(context);
  } catch (error) {
    if (error instanceof SluiceError) return fail(error.message, null);
    return fail(
      `This could not be looked at: ${error instanceof Error ? error.message : String(error)}`,
      null,
    );
  }
}
