// A run as the composition root would put it together, on a real state file, a scripted platform and a
// clock that needs no waiting.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { NEUTRAL_DIALECT } from '../../src/dialect/dialect.js';
import { digest } from '../../src/identity/digest.js';
import { domainOwner } from '../../src/identity/domain-owner.js';
import { createKeyring } from '../../src/identity/keyring.js';
import { registrableDomain } from '../../src/identity/registrable-domain.js';
import type { CorrelationKey, Keyring } from '../../src/model/correlation-key.js';
import type { RunPlan } from '../../src/model/run.js';
import { createPollSchedule } from '../../src/model/schedule/poll-schedule.js';
import type { RunEvent } from '../../src/model/telemetry/observe.js';
import { createDeliveryDecoder } from '../../src/platform/answers/decode-delivery.js';
import { redact } from '../../src/platform/redact/reason.js';
import type { Store } from '../../src/ports/store/store.js';
import { Backlog } from '../../src/run/backlog.js';
import { Readings } from '../../src/run/collect/readings.js';
import { ingest } from '../../src/run/ingest.js';
import type { AskingTerms, Callbacks, RunContext } from '../../src/run/run-context.js';
import { submit } from '../../src/run/send/submit.js';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { createDrivenClock, type DrivenClock } from './driven-clock.js';
import { runPlan } from './leads.js';
import { people, readerOf } from './people.js';
import { createScriptedPlatform, type Script, type ScriptedPlatform } from './scripted-platform.js';

export const TERMS: AskingTerms = {
  account: 'acc',
  ask: ['find_email'],
  map: {},
  requirements: NEUTRAL_DIALECT.requires,
  arePricesAssumed: false,
  prices: NEUTRAL_DIALECT.prices,
  registrableDomain,
  domainOwner,
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

export type Changes = Partial<RunContext> & { readonly plan?: Partial<RunPlan> };

/**
 * A process that takes up the job's open run, or starts one: a handle and a context of its own, as
 * after a crash. It closes with the test.
 */
export async function openProcess(
  world: World,
  { plan: planned, ...changes }: Changes = {},
): Promise<TestProcess> {
  const { clock, path, platform } = world;
  const store: Store = changes.store ?? openSqliteStore(path);
  const plan = runPlan(planned);
  const { openRun } = await store.jobNow(plan.job);
  if (openRun !== null) {
    const { budget, caps } = plan;
    await store.changeRun(openRun.id, { output: openRun.output, budget, caps });
  }
  const run = (await store.jobNow(plan.job)).openRun ?? (await store.startRun(plan, clock.now()));
  const draining = new AbortController();
  const events: RunEvent[] = [];
  const context: RunContext = {
    run,
    terms: TERMS,
    store,
    platform,
    whenReady: () => Promise.resolve(true),
    takesSingles: true,
    clock,
    observe: (event) => events.push(event),
    backlog: new Backlog(),
    readings: new Readings('neutral'),
    firstBatch: undefined,
    schedule: createPollSchedule(),
    callbacks: createTestCallbacks(),
    bulkMax: 1,
    concurrency: 4,
    gatherMs: 0,
    limit: undefined,
    startedAt: clock.now(),
    freshForMs: 86_400_000,
    deadlineMs: 600_000,
    drain: draining.signal,
    ...changes,
  };
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= store.close());
  onTestFinished(close);
  return { context, events, stop: () => draining.abort(), close };
}

/** A process that has read everything and sent nothing. */
export async function openLoaded(
  world: World,
  who: readonly string[],
  changes: Changes = {},
): Promise<TestProcess> {
  const opened = await openProcess(world, changes);
  await ingest(opened.context, readerOf(people(who)));
  opened.context.backlog.readingEnded();
  return opened;
}

/** Sends all that a process has read: how that ends, and where each lead stands then. */
export async function sendAll(world: World, who: readonly string[], changes: Changes = {}) {
  const process = await openLoaded(world, who, changes);
  const ending = await world.clock.drive(submit(process.context)).then(
    () => 'ended',
    (error: Error) => error.message,
  );
  return { ...world, ...process, ending, statuses: await statusesOf(process.context) };
}

/** What every process of a test seals and opens its keys with. */
export const KEYRING: Keyring = createKeyring(new Uint8Array(32).fill(7));

/** Nothing is told to the platform, and no claim is waited for. */
export function createTestCallbacks(changes: Partial<Callbacks> = {}): Callbacks {
  return {
    keyring: KEYRING,
    scope: KEYRING.scopeOf(TERMS.account),
    decode: createDeliveryDecoder(NEUTRAL_DIALECT),
    redact,
    urlFor: () => undefined,
    isDelivered: false,
    claimWaitMs: 0,
    ...changes,
  };
}

/** Every request tells its own address. */
export function createRequestCallbacks(claimWaitMs = 60_000): Callbacks {
  return createTestCallbacks({ urlFor, claimWaitMs });
}

/** The address for a key. */
export function urlFor(key: CorrelationKey): string {
  return `https://here.example/${KEYRING.seal(key)}`;
}

/** The address of the registered hook of an account. */
export function hookUrl(account = TERMS.account): string {
  return urlFor({ kind: 'hook', scope: KEYRING.scopeOf(account), id: 0 });
}

/**
 * A webhook comes to an address and is kept, as by a `sluice listen`: another process, with a handle of
 * its own, that wakes no run.
 */
export async function deliver(world: World, body: string, url: string): Promise<void> {
  const listener = openSqliteStore(world.path);
  await deliverTo(listener, world.clock.now(), body, url);
  await listener.close();
}

/** The same with the handle that such a process has open already. */
export async function deliverTo(
  listener: Store,
  receivedAt: number,
  body: string,
  url: string,
): Promise<void> {
  const key = KEYRING.open(url.slice(url.lastIndexOf('/') + 1));
  if (key === undefined) return;
  const enrichmentId = key.kind === 'enrichment' ? key.id : null;
  const callId = key.kind === 'batch' ? key.id : null;
  await listener.keepArrivals([{ scope: key.scope, enrichmentId, callId, receivedAt, body }]);
}

/** Position and status of every lead, as the store has them now. */
export async function statusesOf({ run, store }: RunContext): Promise<string[]> {
  return (await store.answers(run.id, { after: 0, limit: 10_000 })).map(({ status }) => status);
}
