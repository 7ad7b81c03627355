// The figures of a run against counts made from its exported rows, on both stores.
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { gatherFigures } from '../../../src/app/report/gather-figures.js';
import { readRows } from '../../../src/app/results/read-rows.js';
import type { Ask } from '../../../src/model/ask.js';
import type { Row } from '../../../src/model/columns/row.js';
import type { MappedInput } from '../../../src/model/mapping/mapping.js';
import type { Result } from '../../../src/model/result.js';
import type { Run } from '../../../src/model/run.js';
import { judgeResult } from '../../../src/model/verdict.js';
import type { LeadEntry, Settlement } from '../../../src/ports/store/enrichments.js';
import type { Store } from '../../../src/ports/store/store.js';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { fingerprintOf, runPlan } from '../../helpers/leads.js';
import { tries } from '../../helpers/long.js';
import { newState } from '../../helpers/postgres.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const T0 = 1_700_000_000_000;
const DAY = 86_400_000;
const PRICES = { find_email: 5, verify_email: 1, social_enrichment: 1, find_phone: 20 };
const COLUMNS = ['First', 'Domain', 'Email', 'Phone'].map((name) => ({ key: name, name }));
const MAPPING: readonly MappedInput[] = (['firstName', 'companyDomain'] as const).map(
  (input, index) => ({
    input,
    column: COLUMNS[index] as (typeof COLUMNS)[number],
    index,
    isGuessed: true,
  }),
);
const ASK: readonly Ask[] = ['find_email', 'find_phone', 'social_enrichment'];

interface Wish {
  readonly who: string;
  /** What was asked for this person 3 days before, by another run. */
  readonly isKnown: boolean;
  readonly email: '' | 'n/a' | 'own@example.com';
  readonly phone: '' | '+33 1 23 45 67 89';
  readonly end: 'found' | 'not_found' | 'failed' | 'timed_out' | 'uncertain' | 'queued' | 'skipped';
  readonly found: {
    readonly email: boolean;
    readonly phone: boolean;
    readonly company: boolean;
    readonly status: 'deliverable' | 'risky';
    readonly isElsewhere: boolean;
  };
}

const wish: fc.Arbitrary<Wish> = fc.record({
  who: fc.constantFrom('ada', 'bob', 'eve', 'joe', 'kim', 'lea', 'max', 'zoe'),
  isKnown: fc.boolean(),
  email: fc.constantFrom('', 'n/a', 'own@example.com'),
  phone: fc.constantFrom('', '+33 1 23 45 67 89'),
  end: fc.constantFrom(
    'found',
    'found',
    'not_found',
    'failed',
    'timed_out',
    'uncertain',
    'queued',
    'skipped',
  ),
  found: fc.record({
    email: fc.boolean(),
    phone: fc.boolean(),
    company: fc.boolean(),
    status: fc.constantFrom('deliverable', 'risky'),
    isElsewhere: fc.boolean(),
  }),
});

function resultOf({ found, who }: Wish): Result {
  const domain = found.isElsewhere ? 'other.org' : 'example.com';
  return {
    ...(found.email ? { find_email: { email: `${who}@${domain}`, status: found.status } } : {}),
    ...(found.phone ? { find_phone: { phone: '+33 1 00 00 00 00' } } : {}),
    ...(found.company ? { social_enrichment: { companyName: 'ACME', positionGroups: [] } } : {}),
  };
}

function leadOf(one: Wish, position: number): LeadEntry {
  const { email, end, phone, who } = one;
  const place = { position, source: 0, line: position + 1 };
  const cells = [who, 'example.com', email, phone];
  if (end === 'skipped') return { ...place, cells, kind: 'skipped', note: 'malformed: no name' };
  const inputs = { firstName: who, companyDomain: 'example.com' };
  return {
    ...place,
    cells,
    kind: 'asked',
    note: null,
    fingerprint: fingerprintOf(who),
    request: { ask: ASK, inputs },
  };
}

/** Sends everything that the run may, and ends each enrichment as its first lead wishes. */
async function work(store: Store, run: Run, wishes: readonly Wish[], at: number): Promise<void> {
  const wishOf = (who: string) => wishes.find((one) => one.who === who && one.end !== 'skipped');
  for (const { id, request, send } of (await store.claim(run.id, 1_000, at)).claimed) {
    const one = wishOf(request.inputs.firstName ?? '');
    if (one === undefined || one.end === 'queued') {
      await store.recordSubmits([{ id, send, at, kind: 'unsent' }]);
    } else if (one.end === 'uncertain') {
      await store.recordSubmits([{ id, send, at, kind: 'lost', reason: 'reset' }]);
    } else {
      const ticket = `enr_${run.id}_${id}`;
      await store.recordSubmits([
        { id, send, at, kind: 'accepted', ticket, pollAt: at, deadlineAt: at + DAY },
      ]);
      await store.settle([settlementOf(one, id, request, at)]);
    }
  }
}

function settlementOf(
  one: Wish,
  id: number,
  request: Parameters<typeof judgeResult>[0],
  at: number,
): Settlement {
  const { end: outcome } = one;
  if (outcome === 'failed') return { id, at, outcome, reason: 'no such domain' };
  if (outcome === 'timed_out') return { id, at, outcome, reason: 'no answer' };
  const result = outcome === 'found' ? resultOf(one) : {};
  return { id, at, result, ...judgeResult(request, result, PRICES) };
}

const folder = tempFolder();
const database = await newState();
afterAll(() => database.drop());
let count = 0;
const STORES: readonly (readonly [string, () => Promise<Store>])[] = [
  [
    'a file',
    async () => {
      count += 1;
      return openSqliteStore(join(folder, `${count}.db`));
    },
  ],
  [
    'a database',
    async () => {
      await database.empty();
      return openPostgresStore(database.address);
    },
  ],
];

const begin = (store: Store, at: number, job = 'nightly') =>
  store.startRun(runPlan({ job, ask: ASK, prices: PRICES, budget: 500, priceMax: 26 }), at);

const ingest = async (
  store: Store,
  run: Run,
  leads: readonly LeadEntry[],
  at: number,
): Promise<void> => {
  const times = { at, freshSince: at - 30 * DAY, deadlineAt: at + DAY };
  const rejects = [{ source: 0, line: 99, reason: 'broken_json: no object', raw: 'Ada Secret' }];
  await store.ingest(run.id, { columns: COLUMNS, leads, rejects, mapping: MAPPING }, times);
  await store.finishReading(run.id);
};

async function rowsOf(store: Store, run: Run): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of readRows(store, run.id)) rows.push(row);
  return rows;
}

const isThere = (cell: unknown): boolean => cell !== null && cell !== '' && cell !== undefined;
const isOwnEmail = (row: Row): boolean => row['Email'] === 'own@example.com';
const isAnswer = (row: Row): boolean => /^(not_)?found$/.test(row['sluice_status']);
const FILLED = ['email', 'phone', 'company_name', 'social_occupation'];
const PRICED = {
  find_email: (row: Row) => isThere(row['email']),
  find_phone: (row: Row) => isThere(row['phone']),
  social_enrichment: (row: Row) => isThere(row['company_name']),
};

describe.each(STORES)('the figures of a run in %s', (_, open) => {
  it('are the counts of its exported rows, whatever became of its leads', async () => {
    const check = async (wishes: readonly Wish[]): Promise<void> => {
      const store = await open();
      try {
        const before = await begin(store, T0 - 3 * DAY, 'before');
        const known = wishes.filter(({ isKnown }) => isKnown);
        await ingest(
          store,
          before,
          known.map((one, n) => leadOf(one, n + 1)),
          T0 - 3 * DAY,
        );
        await work(store, before, known, T0 - 3 * DAY);
        const run = await begin(store, T0);
        await ingest(
          store,
          run,
          wishes.map((one, n) => leadOf(one, n + 1)),
          T0,
        );
        await work(store, run, wishes, T0 + 1_000);
        await expectCounts(store, run);
      } finally {
        await store.close();
      }
    };
    const wishes = fc.array(wish, { maxLength: 25 });
    await fc.assert(fc.asyncProperty(wishes, check), {
      numRuns: tries(12),
      interruptAfterTimeLimit: 20_000,
    });
  }, 120_000);
});

async function expectCounts(store: Store, run: Run): Promise<void> {
  const figures = await gatherFigures(store, run.id);
  const rows = await rowsOf(store, run);
  const counted = (is: (row: Row) => boolean) => rows.filter(is).length;
  const { cost, quality, tally, trouble } = figures;
  expect(tally.leads).toBe(rows.length);

  for (const name of FILLED) {
    const column = quality?.columns.find((one) => one.column === name);
    expect(column?.filled, name).toBe(counted((row) => isThere(row[name])));
  }
  expect(quality?.columns.find(({ column }) => column === 'email')?.own).toEqual({
    column: 'Email',
    filled: counted(isOwnEmail),
    either: counted((row) => isOwnEmail(row) || isThere(row['email'])),
  });
  expect(quality?.columns.find(({ column }) => column === 'phone')?.own).toEqual({
    column: 'Phone',
    filled: counted((row) => isThere(row['Phone'])),
    either: counted((row) => isThere(row['Phone']) || isThere(row['phone'])),
  });

  const statuses = Object.fromEntries(
    quality?.emailStatus.map(({ status, leads }) => [status, leads]) ?? [],
  );
  expect(statuses['deliverable'] ?? 0).toBe(
    counted((row) => row['email_status'] === 'deliverable'),
  );
  expect(quality?.domainMatch).toEqual({
    yes: counted((row) => row['email_domain_matches'] === true),
    no: counted((row) => row['email_domain_matches'] === false),
    unknown: counted((row) => isThere(row['email']) && row['email_domain_matches'] === null),
  });

  const isProfile = (row: (typeof rows)[number]) => isThere(row['company_name']);
  for (const [match, column] of [
    [quality?.nameMatch, 'name_matches'],
    [quality?.companyMatch, 'company_matches'],
  ] as const) {
    expect(match).toMatchObject({
      yes: counted((row) => row[column] === true),
      no: counted((row) => row[column] === false),
    });
    expect((match?.yes ?? 0) + (match?.no ?? 0) + (match?.unknown ?? 0)).toBe(counted(isProfile));
  }

  const answers = quality?.answers;
  const isNow = (row: Row) => isAnswer(row) && row['source'] === 'api';
  const isOlder = (row: Row) =>
    isAnswer(row) && row['source'] === 'cache' && Date.parse(String(row['enriched_at'])) < T0;
  expect(answers?.askedNow).toBe(counted(isNow));
  expect(answers?.known.find(({ daysMax }) => daysMax === 7)?.leads).toBe(counted(isOlder));
  expect((answers?.askedNow ?? 0) + (answers?.shared ?? 0)).toBe(
    counted((row) => isAnswer(row) && !isOlder(row)),
  );

  const paid = rows.reduce((sum, row) => sum + row['credits'], 0);
  expect(cost).toMatchObject({ paid, budget: 500 });
  for (const [ask, isHit] of Object.entries(PRICED)) {
    const one = cost.byAsk?.find((each) => each.ask === ask);
    const price = PRICES[ask as keyof typeof PRICED];
    expect(one, ask).toEqual({
      ask,
      asked: counted((row) => !['skipped', 'queued'].includes(row['sluice_status'])),
      found: counted(isHit),
      paidNow: counted((row) => isNow(row) && isHit(row)),
      credits: price * counted((row) => isNow(row) && isHit(row)),
    });
  }

  for (const { leads, places, reason, status } of trouble.reasons) {
    const lines = rows.flatMap((row, n) =>
      row['sluice_status'] === status && row['sluice_reason'] === reason ? [n + 2] : [],
    );
    expect(leads).toBe(lines.length);
    expect(places).toEqual(lines.slice(0, 5).map((line) => ({ source: 0, line })));
  }
  expect(trouble.rejects).toEqual([{ source: 0, line: 99, reason: 'broken_json: no object' }]);
}
