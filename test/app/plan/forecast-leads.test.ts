import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ForecastOptions, forecastLeads } from '../../../src/app/plan/forecast-leads.js';
import { describeJob, planJob } from '../../../src/index.js';
import type { Pace } from '../../../src/model/schedule/rate.js';
import { type Forecast, leadsIn } from '../../../src/model/tally.js';
import type { LeadReader } from '../../../src/ports/lead-reader.js';
import { ingest } from '../../../src/run/ingest.js';
import { processRun } from '../../../src/run/process-run.js';
import { submit } from '../../../src/run/send/submit.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { asText } from '../../../src/tell/as-text.js';
import { tellPlan } from '../../../src/tell/tell-plan.js';
import { runPlan } from '../../helpers/leads.js';
import { tries } from '../../helpers/long.js';
import { names, PEOPLE_COLUMNS, people, peopleWith, readerOf } from '../../helpers/people.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { createWorld, openProcess, TERMS, type World } from '../../helpers/test-run.js';

const folder = tempFolder();
const DAY_MS = 86_400_000;
const PACE: Pace = { limit: [{ requests: 20, perMs: 2_000 }], perCall: 1, isRead: true };
const PLAN = runPlan({ job: 'weekly' });

async function forecast(
  world: World,
  reader: LeadReader,
  changes: Partial<ForecastOptions> = {},
): Promise<Forecast> {
  const store = openSqliteStore(world.path);
  const scratch = openSqliteStore(join(folder, `${randomUUID()}.db`));
  const result = await forecastLeads([reader], {
    store,
    scratch,
    plan: PLAN,
    terms: TERMS,
    pace: PACE,
    limit: undefined,
    isSending: false,
    elsewhere: undefined,
    keys: undefined,
    freshSince: () => world.clock.now() - DAY_MS,
    onMapped: () => undefined,
    onDetected: () => undefined,
    ...changes,
  });
  await scratch.close();
  await store.close();
  return result;
}

/** Brings persons into a state by a run of another job. */
async function prepare(
  world: World,
  job: string,
  who: readonly string[],
  until: 'end' | 'sent' | 'read',
) {
  const { context, close } = await openProcess(world, { plan: { job } });
  const reader = readerOf(people(who));
  if (until === 'end') await world.clock.drive(processRun(context, reader, false));
  if (until !== 'end') await ingest(context, reader);
  context.backlog.readingEnded();
  if (until === 'sent') await world.clock.drive(submit(context));
  await close();
}

describe('forecastLeads', () => {
  it('tells what would be paid for, and the least time and most credits it takes', async () => {
    const world = createWorld(folder);
    const reject = { source: 0, line: 99, reason: 'unclosed_quote', raw: '"x' };
    const reader = readerOf(people(names(30)), peopleWith(['a1', 'a2', ''], [reject], 40));
    const told = await forecast(world, reader);
    expect(told).toMatchObject({
      leads: 33,
      rejects: 1,
      skipped: [{ leads: 1, reason: expect.stringContaining('insufficient') }],
      duplicates: 2,
      alreadyKnown: 0,
      knownInPart: 0,
      onTheirWay: 0,
      uncertain: 0,
      toPay: 30,
      creditsMin: 0,
      creditsMax: 150,
      // 60 requests are three windows; the first costs no time.
      timeMsMin: 4_000,
    });
    expect((await forecast(world, reader, { pace: { ...PACE, limit: [] } })).timeMsMin).toBeNull();
    expect(await forecast(world, reader, { limit: 5 })).toMatchObject({ leads: 5, toPay: 5 });
    const late = readerOf(peopleWith(names(30), [reject]));
    expect(await forecast(world, late, { limit: 5 })).toMatchObject({ leads: 5, rejects: 0 });
  });

  it('tells who would be asked for without an input that tells nothing', async () => {
    const columns = [...PEOPLE_COLUMNS, { key: 'company', name: 'company' }];
    const records = ['a.example', 'facebook.com/a', 'linkedin.com/company/b', 'x@web.de'].map(
      (site, i) => ({ source: 0, line: 2 + i, cells: ['Jo', 'Kim', site, `Firm ${i}`] }),
    );
    const told = await forecast(createWorld(folder), readerOf({ columns, records, rejects: [] }));
    expect(told).toMatchObject({
      skipped: [],
      inPart: [
        { leads: 2, reason: expect.stringContaining("it is a social network's domain") },
        { leads: 1, reason: expect.stringContaining("it is a mail provider's domain") },
      ],
      toPay: 4,
    });
  });

  it('counts for the budget what may still be charged for what was sent', async () => {
    const world = createWorld(folder);
    await prepare(world, 'weekly', names(3), 'sent');
    const input = join(folder, 'three.csv');
    await writeFile(input, 'First Name,Last Name,Company Domain\nEve,Byron,firm1.com\n');
    const terms = { ask: ['find_email'] as const, url: 'sandbox', state: world.path, budget: 19 };
    const settings = describeJob('weekly', { input: [input], ...terms });
    const told = await planJob(settings);
    expect(told).toMatchObject({ budgetSpent: 0, budgetReserved: 15, creditsMax: 5 });
    const { data, parts } = tellPlan(told, { settings });
    expect(data).toMatchObject({ budget: 19, budgetLeft: 4 });
    expect(asText(parts).join('\n')).toMatch(
      /^budget +0 spent of 19, 15 may still be charged: may stop the run before the end$/m,
    );
  });

  it('changes nothing and sends nothing', async () => {
    const world = createWorld(folder);
    await prepare(world, 'nightly', names(3), 'end');
    const before = await readFile(world.path);
    const sent = world.platform.submissions.length;
    await forecast(world, readerOf(people(names(9))));
    expect(await readFile(world.path)).toEqual(before);
    expect(world.platform.submissions).toHaveLength(sent);
  });

  it('equals what a run then does: new, duplicate, skipped, fresh, stale, open, uncertain', async () => {
    const pool = fc.constantFrom('', ...names(14));
    const some = fc.array(fc.constantFrom(...names(14)), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(pool, { maxLength: 12 }), { minLength: 1, maxLength: 3 }),
        fc.record({
          stale: some,
          fresh: some,
          lost: some,
          refused: some,
          sent: some,
          queued: some,
        }),
        fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
        async (batches, before, limit) => {
          let fate: 'accepted' | 'lost' | 'refused' = 'accepted';
          const world = createWorld(folder, { submit: () => fate });
          await prepare(world, 'stale', before.stale, 'end');
          await world.clock.advance(2 * DAY_MS);
          await prepare(world, 'fresh', before.fresh, 'end');
          fate = 'lost';
          await prepare(world, 'lost', before.lost, 'end');
          fate = 'refused';
          await prepare(world, 'refused', before.refused, 'end');
          fate = 'accepted';
          await prepare(world, 'sent', before.sent, 'sent');
          await prepare(world, 'queued', before.queued, 'read');

          const reader = readerOf(...batches.map((who, i) => people(who, 2 + 20 * i)));
          const told = await forecast(world, reader, { limit });
          const sentBefore = world.platform.submissions.length;
          const run = await openProcess(world, { plan: { job: 'weekly' }, limit });
          expect((await world.clock.drive(processRun(run.context, reader, false))).problem).toBe(
            undefined,
          );
          const tally = await run.context.store.tally(run.context.run.id);
          await run.close();

          expect(world.platform.submissions.length - sentBefore).toBe(told.toPay);
          expect(tally.leads).toBe(told.leads);
          expect(tally.reasons.filter(({ status }) => status === 'skipped')).toEqual(told.skipped);
          expect(leadsIn(tally, 'uncertain')).toBe(told.uncertain);
          expect(tally.credits).toBe(told.creditsMax);
          // Two lines of one person are sent once.
          expect(told.creditsOnTheirWay > 0).toBe(told.onTheirWay > 0);
          expect(told.creditsOnTheirWay).toBeLessThanOrEqual(5 * told.onTheirWay);
          expect(tally.byStatus.found).toBe(
            told.toPay +
              told.duplicates +
              told.alreadyKnown +
              told.onTheirWay +
              (tally.askedAgain.uncertain ?? 0),
          );
        },
      ),
      { numRuns: tries(15) },
    );
  });
});
