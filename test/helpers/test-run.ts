// A run as the composition root would put it together, on a real state file, a scripted platform and a
// clock that needs no waiting.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { NEUTRAL_DIALECT } from '../../src/domain/dialect.js';
import { createPollSchedule } from '../../src/domain/poll-schedule.js';
import type { Store } from '../../src/domain/ports/store.js';
import type { RunPlan } from '../../src/domain/run.js';
import type { RunEvent } from '../../src/domain/run-event.js';
import { digest } from '../../src/identity/digest.js';
import { registrableDomain } from '../../src/identity/registrable-domain.js';
import { Backlog } from '../../src/pipeline/backlog.js';
import type { AskingTerms, RunContext } from '../../src/pipeline/run-context.js';
import { openSqliteStore } from '../../src/store/open-sqlite-store.js';
import { createDrivenClock, type DrivenClock } from './driven-clock.js';
import { runPlan } from './leads.js';
import { createScriptedPlatform, type Script, type ScriptedPlatform } from './scripted-platform.js';

export const TERMS: AskingTerms = {
  account: 'acc',
  ask: ['find_email'],
  map: {},
  requirements: NEUTRAL_DIALECT.requires,
  prices: NEUTRAL_DIALECT.prices,
  registrableDomain,
  digest,
};

export interface World {
  readonly path: string;
  readonly clock: DrivenClock;
  readonly platform: ScriptedPlatform;
}

/** A state file that is not there yet, a platform and the time; they outlive any process. */
export function createWorld(folder: string, script: Script = {}): World {
  const clock = createDrivenClock();
  return {
    path: join(folder, `${randomUUID()}.db`),
    clock,
    platform: createScriptedPlatform(clock, script),
  };
}

export interface TestProcess {
  readonly context: RunContext;
  readonly events: readonly RunEvent[];
  /** Makes it drain. */
  readonly stop: () => void;
  readonly close: () => Promise<void>;
}

type Changes = Partial<RunContext> & { readonly plan?: Partial<RunPlan> };

/**
 * A process that takes up the job's open run, or starts one: a handle and a context of its own, as
 * after a crash.
 */
export async function openProcess(
  world: World,
  { plan: planned, ...changes }: Changes = {},
): Promise<TestProcess> {
  const { clock, path, platform } = world;
  const store: Store = changes.store ?? openSqliteStore(path);
  const plan = runPlan(planned);
  const run = (await store.findOpenRun(plan.job)) ?? (await store.startRun(plan, clock.now()));
  const draining = new AbortController();
  const events: RunEvent[] = [];
  const context: RunContext = {
    run,
    terms: TERMS,
    store,
    platform,
    whenReady: () => Promise.resolve(),
    clock,
    observe: (event) => events.push(event),
    backlog: new Backlog(),
    schedule: createPollSchedule(),
    concurrency: 4,
    limit: undefined,
    startedAt: clock.now(),
    freshForMs: 86_400_000,
    deadlineMs: 600_000,
    drain: draining.signal,
    ...changes,
  };
  return { context, events, stop: () => draining.abort(), close: () => store.close() };
}

/** Position and status of every lead, as the store has them now. */
export async function statusesOf({ run, store }: RunContext): Promise<string[]> {
  return (await store.answers(run.id, 0, 10_000)).map(({ status }) => status);
}
