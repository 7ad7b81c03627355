import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LeadAnswer } from '../../../src/model/answer.js';
import type { Run } from '../../../src/model/run.js';
import type { LeadEntry } from '../../../src/ports/store/enrichments.js';
import type { LeadCursor } from '../../../src/ports/store/runs.js';
import type { Store } from '../../../src/ports/store/store.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { chooseLeads, type LeadsPage } from '../../../src/ui/leads/choose-leads.js';
import type { LeadsQuery } from '../../../src/ui/paths.js';
import { accepted, T0, TIMES } from '../../contract/store-bench.js';
import { asked, COLUMNS, notAskedLead, runPlan, skippedLead } from '../../helpers/leads.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const LEADS = 4_321;
const FROM_THE_FIRST: LeadCursor = { direction: 'after', position: 0 };

const folder = tempFolder();
let store: Store;
let run: Run;
let all: LeadAnswer[];

/** A few are rare, and some are shared, asked in part or left out. */
function leadAt(position: number): LeadEntry {
  if (position === 3_999) return notAskedLead(position, 'not in the sample');
  if (position % 10 === 0)
    return skippedLead(position, position % 70 === 0 ? 'no domain' : 'no name');
  const who = position % 9 === 0 ? 'shared' : `person${position}`;
  const note = position % 500 === 1 ? 'asked without a phone number' : null;
  return { ...asked(position, who), note };
}

beforeAll(async () => {
  store = openSqliteStore(join(folder, 'state.db'));
  run = await store.startRun(runPlan(), T0);
  for (let from = 1; from <= LEADS; from += 1_000) {
    const length = Math.min(1_000, LEADS - from + 1);
    const leads = Array.from({ length }, (_, i) => leadAt(from + i));
    await store.ingest(run.id, { columns: COLUMNS, leads, rejects: [] }, TIMES);
  }
  const claimed = (await store.claim(run.id, 600, T0)).claimed;
  await store.recordSubmits(claimed.map((one) => accepted(one)));
  await store.settle(
    claimed.slice(0, 500).map(({ id }, n) => {
      if (n === 77 || n === 78) {
        return { id, at: T0, outcome: 'failed', reason: n === 77 ? 'blocked' : 'broken' } as const;
      }
      const result = { find_email: { email: `Person.${id}@Example.com`, status: 'deliverable' } };
      return { id, at: T0, outcome: 'found', result, credits: 5 } as const;
    }),
  );
  all = await store.answers(run.id, { after: 0, limit: LEADS });
});
afterAll(() => store.close());

function choose(now: () => number = () => T0) {
  const source = { store, run, now };
  return (filter: LeadsQuery, cursor: LeadCursor, size: number): Promise<LeadsPage> =>
    chooseLeads(source, filter, cursor, size);
}

const FILTERS: readonly (readonly [string, LeadsQuery, (lead: LeadAnswer) => boolean])[] = [
  ['all', {}, () => true],
  ['found', { outcome: 'found' }, ({ status }) => status === 'found'],
  ['queued', { outcome: 'queued' }, ({ status }) => status === 'queued'],
  ['awaiting', { outcome: 'awaiting' }, ({ status }) => status === 'awaiting'],
  ['of a rare outcome', { outcome: 'failed' }, ({ status }) => status === 'failed'],
  ['left out', { outcome: 'not_asked' }, ({ status }) => status === 'not_asked'],
  ['with a rare reason', { reason: 'blocked' }, ({ reason }) => reason === 'blocked'],
  [
    'of an outcome with a reason',
    { outcome: 'skipped', reason: 'no domain' },
    ({ reason, status }) => status === 'skipped' && reason === 'no domain',
  ],
  [
    'asked in part',
    { reason: 'asked without a phone number' },
    ({ reason }) => reason === 'asked without a phone number',
  ],
  ['without any', { outcome: 'timed_out' }, () => false],
  [
    'with a text, however it is written',
    { text: ' pErSoN7 ' },
    ({ cells, result }) =>
      /person7/i.test(JSON.stringify(cells)) || /person7/i.test(JSON.stringify(result)),
  ],
  [
    'with words of several cells and of the result',
    { text: 'DELIVERABLE, person100' },
    ({ cells, result }) => /person100/.test(JSON.stringify(cells)) && result !== null,
  ],
  [
    'of an outcome with a text in the result',
    { outcome: 'found', text: 'person.10' },
    ({ result, status }) => status === 'found' && /person\.10/i.test(JSON.stringify(result)),
  ],
];

describe('a page of leads', () => {
  it.each(FILTERS)(
    'shows each lead once, forwards and backwards: %s',
    async (_, filter, isAlike) => {
      const wanted = all.filter(isAlike).map(({ position }) => position);
      const page = choose();
      const forwards: number[] = [];
      let at: number | null = 0;
      while (at !== null) {
        const { leads, lookedTo, next } = await page(
          filter,
          { direction: 'after', position: at },
          97,
        );
        expect(leads.length).toBeLessThanOrEqual(97);
        if (next !== null && lookedTo === null) expect(leads.length).toBe(97);
        forwards.push(...leads.map(({ position }) => position));
        at = next;
      }
      expect(forwards).toEqual(wanted);
      const backwards: number[] = [];
      at = LEADS + 1;
      while (at !== null) {
        const { leads, previous } = await page(filter, { direction: 'before', position: at }, 97);
        backwards.unshift(...leads.map(({ position }) => position));
        at = previous;
      }
      expect(backwards).toEqual(wanted);
    },
  );

  it('looks through what is before a lead that it has not come to yet', async () => {
    const left = all.filter(({ status }) => status === 'not_asked');
    const last = { direction: 'before', position: LEADS + 1 } as const;
    expect((await choose()({ outcome: 'not_asked' }, last, 50)).leads).toEqual(left);
  });

  it('goes back to where it came from', async () => {
    const page = choose();
    const first = await page({ outcome: 'found' }, FROM_THE_FIRST, 50);
    expect(first.previous).toBeNull();
    const second = await page(
      { outcome: 'found' },
      { direction: 'after', position: first.next ?? 0 },
      50,
    );
    const back = await page(
      { outcome: 'found' },
      { direction: 'before', position: second.previous ?? 0 },
      50,
    );
    expect(back.leads).toEqual(first.leads);
    expect(back.next).toBe(first.next);
  });

  it('takes a bounded time, says how far it came, and misses nothing when it goes on', async () => {
    let ms = T0;
    // Each look at the clock takes a second.
    const page = choose(() => (ms += 1_000));
    const found: number[] = [];
    let pages = 0;
    let at: number | null = 0;
    while (at !== null) {
      const one: LeadsPage = await page(
        { text: 'person43' },
        { direction: 'after', position: at },
        50,
      );
      found.push(...one.leads.map(({ position }) => position));
      if (one.next !== null) expect(one.lookedTo).toBe(one.next);
      at = one.next;
      pages += 1;
    }
    expect(found).toEqual(
      all
        .filter(({ cells }) => JSON.stringify(cells).includes('person43'))
        .map(({ position }) => position),
    );
    expect(pages).toBeGreaterThan(5);
  });

  // The last one, since it changes what the others look at.
  it('shows what leads are now', async () => {
    const page = choose();
    const awaiting = { outcome: 'awaiting' } as const;
    const before = await page(awaiting, FROM_THE_FIRST, 200);
    expect(before.leads).toHaveLength(100);
    const open = await store.awaited(run.id, 10);
    await store.settle(
      open.map(({ id }) => ({ id, at: T0, outcome: 'not_found', result: {}, credits: 0 }) as const),
    );
    const after = await page(awaiting, FROM_THE_FIRST, 200);
    expect(after.leads).toHaveLength(100 - open.length);
  });
});
