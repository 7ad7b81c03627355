// Both stores, side by side: whatever runs do to one another's leads, each verb tells the same, and so do the rows.
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import * as fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Run } from '../../../../src/model/run.js';
import type {
  ClaimedEnrichment,
  LeadEntry,
  RetriedOutcome,
  SubmitRecord,
} from '../../../../src/ports/store/enrichments.js';
import type { Store } from '../../../../src/ports/store/store.js';
import { openPostgresStore } from '../../../../src/store/postgres/open-postgres-store.js';
import { openSqliteStore } from '../../../../src/store/sqlite/open-sqlite-store.js';
import {
  accepted,
  found,
  refused,
  T0,
  timedOut,
  uncertain,
  unsent,
} from '../../../contract/store-bench.js';
import {
  asked,
  COLUMNS,
  fingerprintOf,
  knownBy,
  runPlan,
  skippedLead,
} from '../../../helpers/leads.js';
import { type TestState, testState } from '../../../helpers/postgres.js';
import { tempFolder } from '../../../helpers/temp-folder.js';

const folder = tempFolder();
let state: TestState;
beforeAll(async () => {
  state = await testState();
});

const PEOPLE = ['ada', 'bob', 'cyd', 'dan'] as const;
const WANTED = 'find_email,find_phone';
const person = fc.constantFrom(...PEOPLE);
const some = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 3 });
const runIndex = fc.nat({ max: 3 });

/** A lead in a batch: who, and by which other questions the person may be known. */
const lead = fc.record({
  who: some(person),
  former: some(person),
  wider: some(person),
  lesser: some(person),
});
type Sent = 'accepted' | 'unsent' | 'refused' | 'uncertain';
const outcome = fc.constantFrom<Sent[]>('accepted', 'unsent', 'refused', 'uncertain');
const end = fc.constantFrom('found', 'found_phone', 'not_found', 'failed', 'timed_out');
const RETRIED: RetriedOutcome[] = ['not_found', 'failed', 'timed_out', 'uncertain'];

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('ingest' as const),
      run: runIndex,
      leads: fc.array(lead, { minLength: 1, maxLength: 6 }),
      isStale: fc.boolean(),
      resendUncertain: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      run: runIndex,
      outcomes: fc.array(outcome, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      run: runIndex,
      ends: fc.array(end, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('retry' as const),
      run: runIndex,
      outcomes: fc.subarray(RETRIED, { minLength: 1 }),
      askAnew: fc.boolean(),
    }),
  },
  fc.record({
    kind: fc.constant('serve' as const),
    run: runIndex,
    by: person,
    isStale: fc.boolean(),
  }),
  fc.record({
    kind: fc.constantFrom(
      'claim' as const,
      'adopt' as const,
      'recover' as const,
      'requeue' as const,
      'finish' as const,
      'less' as const,
    ),
    run: runIndex,
  }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** What is done to a store, and what it says to that. */
async function perform(
  store: Store,
  one: Step,
  askedForLess: () => Promise<void>,
): Promise<unknown> {
  const run = one.run + 1;
  const at = T0 + 5;
  switch (one.kind) {
    case 'ingest': {
      const { endedAt, leadCount } = (await store.findRun(run)) as Run;
      if (endedAt !== null) return undefined;
      const first = leadCount + 1;
      const leads = one.leads.map((made, i) => toLead(made, first + i));
      const times = { at, deadlineAt: T0 + 60_000, ...freshness(one) };
      const { resendUncertain } = one;
      return store.ingest(
        run,
        { columns: COLUMNS, leads, rejects: [] },
        { ...times, resendUncertain },
      );
    }
    case 'send': {
      const claimed = await store.claim(run, one.outcomes.length, T0);
      const records = claimed.map((send, i) => RECORDS[one.outcomes[i] as Sent](send));
      return [claimed, await store.recordSubmits(records)];
    }
    case 'settle': {
      const awaited = await store.awaited(run, one.ends.length);
      const ends = awaited.map(({ id }, i) => ENDS[one.ends[i] ?? 'found'](id));
      return [awaited, await store.settle(ends)];
    }
    case 'serve': {
      const queued = await store.queued(run, 0, 10);
      const questions = queued.map(({ id }) => ({ id, wider: [fingerprintOf(one.by)] }));
      const times = { at, deadlineAt: T0 + 60_000, ...freshness(one) };
      return [queued, await store.serve(run, questions, times), await store.asked()];
    }
    case 'retry':
      return store.retry(run, one.outcomes, { at, deadlineAt: T0 + 90_000, askAnew: one.askAnew });
    case 'claim':
      return store.claim(run, 1, T0);
    case 'adopt':
      return store.adopt(run, T0 + 1);
    case 'recover':
      return store.recover(run);
    case 'requeue':
      return store.requeueUncertain(run);
    case 'finish':
      await store.finishReading(run);
      return store.finishRun(run, at);
    case 'less':
      return askedForLess();
  }
}

function freshness({ isStale }: { readonly isStale: boolean }) {
  return { freshSince: isStale ? T0 + 1_000 : T0 - 1_000 };
}

const RECORDS: Record<Sent, (send: ClaimedEnrichment) => SubmitRecord> = {
  accepted: (send) => accepted(send),
  unsent,
  refused,
  uncertain,
};
const ENDS = {
  found,
  found_phone: (id: number) => ({ ...found(id), result: { find_phone: { phone: '+331' } } }),
  not_found: (id: number) =>
    ({ id, at: T0, outcome: 'not_found', result: {}, credits: 0 }) as const,
  failed: (id: number) => ({ id, at: T0, outcome: 'failed', reason: 'broken' }) as const,
  timed_out: timedOut,
};

function toLead(
  made: {
    who?: string | undefined;
    former?: string | undefined;
    wider?: string | undefined;
    lesser?: string | undefined;
  },
  position: number,
): LeadEntry {
  const { former, lesser, who, wider } = made;
  const lead = asked(position, who ?? '');
  if (who === undefined || lead.kind !== 'asked') return skippedLead(position, 'no name');
  return {
    ...lead,
    request: { ...lead.request, ask: who < 'c' ? ['find_email', 'find_phone'] : ['find_email'] },
    ...knownBy(who, former),
    ...(wider !== undefined && { wider: [fingerprintOf(wider)] }),
    ...(lesser !== undefined && {
      lesser: { wanted: WANTED, fingerprints: [fingerprintOf(lesser)], note: 'in part' },
    }),
  };
}

/** Everything that is seen of the runs. */
async function look(store: Store): Promise<unknown> {
  const people = PEOPLE.map((who) => knownBy(who));
  const seen = [
    await store.peek(people, T0 - 1_000),
    await store.peek(people, T0 + 1_000),
  ] as unknown[];
  for (const run of [1, 2, 3, 4]) {
    const { open, spent } = await store.commitment(run);
    seen.push({
      run: await store.findRun(run),
      answers: await store.answers(run, 0, 1_000),
      work: await store.work(run),
      tally: await store.tally(run),
      series: await store.series(run),
      commitment: { spent, open: open.map(({ count }) => count) },
    });
  }
  return seen;
}

it('does what the store in a file does', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 30, size: 'max' }),
      async (steps) => {
        await state.empty();
        const path = join(folder, `${(count += 1)}.db`);
        const stores = [openSqliteStore(path), await openPostgresStore(state.address)] as const;
        const [file, database] = stores;
        const less = `UPDATE enrichments SET wanted = ' ${WANTED} ' WHERE id = 1`;
        const inFile = async () => {
          const db = new Sqlite(path);
          db.exec(less);
          db.close();
        };
        const inDatabase = async () => void (await state.pool.query(less));
        try {
          for (const store of stores) {
            for (const job of ['a', 'a', 'b', 'c']) await store.startRun(runPlan({ job }), T0);
          }
          for (const one of steps) {
            const said = await perform(file, one, inFile);
            expect(await perform(database, one, inDatabase)).toEqual(said);
            expect(await look(database)).toEqual(await look(file));
          }
        } finally {
          await Promise.all(stores.map((store) => store.close()));
        }
      },
    ),
    { numRuns: 10, endOnFailure: true },
  );
});
