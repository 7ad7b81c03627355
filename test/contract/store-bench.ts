// What every part of the store's conformance suite starts from: a store of its own with one run in it,
// and short ways to bring an enrichment into the state that a test is about.
import { afterEach, beforeEach } from 'vitest';
import type { EnrichmentState } from '../../src/model/enrichment/arrows.js';
import type { Result } from '../../src/model/result.js';
import type { Run } from '../../src/model/run.js';
import type { Delivery } from '../../src/ports/store/deliveries.js';
import type {
  ClaimedEnrichment,
  LeadEntry,
  Settlement,
  SubmitRecord,
  Wanted,
} from '../../src/ports/store/enrichments.js';
import type { Store } from '../../src/ports/store/store.js';
import { asked, COLUMNS, runPlan } from '../helpers/leads.js';

export const T0 = 1_700_000_000_000;
export const TIMES = { at: T0, freshSince: T0 - 1_000, deadlineAt: T0 + 60_000 };

export interface StoreHarness {
  /** A store on a place of its own; opened again, it finds what was committed. */
  open(): Promise<Store>;
  /** Another handle to the same place, as a second process would have it. */
  openAgain(): Promise<Store>;
  /** Where the store makes copies of itself. */
  readonly copies?: {
    /** A path at which nothing stands. */
    newPath: () => string;
    /** What a backup wrote. */
    openCopy: (path: string) => Promise<Store>;
  };
}

/** What a webhook brings to the hook of the account. */
export function arrival(changes: Partial<Delivery> = {}): Delivery {
  return {
    scope: 'acc',
    enrichmentId: null,
    callId: null,
    receivedAt: T0,
    body: '{}',
    ...changes,
  };
}

/** Of an ingest that has taken nothing. */
export const NO_LEADS = { queued: 0, awaiting: 0, cached: 0, shared: 0, skipped: 0, notAsked: 0 };

/** One send of one enrichment. */
type Send = Pick<ClaimedEnrichment, 'id' | 'send'>;

export function accepted(
  { id, send }: Send,
  ticket = `enr_${id}`,
): Extract<SubmitRecord, { kind: 'accepted' }> {
  const deadlineAt = T0 + 60_000;
  return { id, send, at: T0, kind: 'accepted', ticket, pollAt: T0 + 500, deadlineAt };
}

export function unsent({ id, send }: Send): SubmitRecord {
  return { id, send, at: T0, kind: 'unsent' };
}

export function refused({ id, send }: Send): SubmitRecord {
  return { id, send, at: T0, kind: 'refused', reason: 'no such domain' };
}

export function uncertain({ id, send }: Send): SubmitRecord {
  return { id, send, at: T0, kind: 'lost', reason: 'reset' };
}

const ADDRESS = { find_email: { email: 'ada@example.com', status: 'deliverable' } };

export function found(id: number, result: Result = ADDRESS) {
  return { id, at: T0, outcome: 'found', result, credits: 5 } satisfies Settlement;
}

export function timedOut(id: number): Settlement {
  return { id, at: T0, outcome: 'timed_out', reason: 'no answer' };
}

export function missed(id: number, at = T0) {
  return { id, at, outcome: 'not_found', result: {}, credits: 0 } satisfies Settlement;
}

export function failed(id: number, at = T0): Settlement {
  return { id, at, outcome: 'failed', reason: 'broken' };
}

/** The value of the test that runs, under a name that is bound before there is one. */
export function ofTest<T extends object>(value: () => T): T {
  return new Proxy({} as T, {
    get: (_, key) => {
      const member: unknown = Reflect.get(value(), key);
      return typeof member === 'function' ? member.bind(value()) : member;
    },
    has: (_, key) => Reflect.has(value(), key),
    ownKeys: () => Reflect.ownKeys(value()),
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(value(), key);
      return found && { ...found, configurable: true };
    },
  });
}

/** Registers the hooks: to be called once, inside the suite's outermost `describe`. */
export function storeBench(createHarness: () => StoreHarness) {
  let harness: StoreHarness;
  let store: Store;
  let run: Run;

  beforeEach(async () => {
    harness = createHarness();
    store = await harness.open();
    run = await store.startRun(runPlan(), T0);
  });
  afterEach(() => store.close());

  const ingest = (leads: LeadEntry[], runId = run.id, times = TIMES) =>
    store.ingest(runId, { columns: COLUMNS, leads, rejects: [] }, times);

  /** One more lead for the run. */
  const add = async (who: string, runId = run.id) => {
    const { leadCount } = (await store.findRun(runId)) as Run;
    return ingest([asked(leadCount + 1, who)], runId);
  };

  const claimOne = async (runId = run.id): Promise<ClaimedEnrichment> => {
    const [claimed] = (await store.claim(runId, 1, T0)).claimed;
    if (claimed === undefined) throw new Error('there is nothing to claim');
    return claimed;
  };

  /** One more lead, whose request is under way. */
  const sent = async (who = 'ada', runId = run.id): Promise<ClaimedEnrichment> => {
    await add(who, runId);
    return claimOne(runId);
  };

  /** One more lead, whose enrichment has been sent and is now in this state. */
  const inState = async (
    state: EnrichmentState,
    who = 'ada',
    runId = run.id,
  ): Promise<ClaimedEnrichment> => {
    const claimed = await sent(who, runId);
    const { id } = claimed;
    if (state === 'submitting') return claimed;
    if (state === 'queued' || state === 'uncertain') {
      await store.recordSubmits([state === 'queued' ? unsent(claimed) : uncertain(claimed)]);
      return claimed;
    }
    await store.recordSubmits([accepted(claimed)]);
    if (state === 'found') await store.settle([found(id)]);
    if (state === 'not_found') await store.settle([missed(id)]);
    if (state === 'failed') await store.settle([failed(id)]);
    if (state === 'timed_out') await store.settle([timedOut(id)]);
    return claimed;
  };

  /** Where leads stand, and what would be sent for those that are new. */
  const peek = async (leads: readonly Wanted[], freshSince: number) =>
    (await store.peek('acc', leads, freshSince)).map(({ state }) => state);

  const finish = async (runId = run.id): Promise<void> => {
    await store.finishReading(runId);
    await store.endRun(runId, 'finished', T0);
  };

  /** Everything that is known of the run's leads. */
  const answers = (runId = run.id) => store.answers(runId, { after: 0, limit: 100 });

  const statuses = async (runId = run.id) => (await answers(runId)).map(({ status }) => status);

  return {
    store: ofTest(() => store),
    run: ofTest(() => run),
    openAgain: () => harness.openAgain(),
    get copies() {
      return harness.copies;
    },
    ingest,
    add,
    claimOne,
    sent,
    inState,
    peek,
    finish,
    answers,
    statuses,
  };
}

export type StoreBench = ReturnType<typeof storeBench>;
