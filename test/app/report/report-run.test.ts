// The report of a run as a file: where it may be written, what is in it whatever became of the run, and no person.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createQualityCount } from '../../../src/app/report/count-quality.js';
import { costOf } from '../../../src/app/report/read-rows.js';
import { reportRun } from '../../../src/app/report/write-report.js';
import type { SeenRun } from '../../../src/app/results/see-run.js';
import { forgetPerson } from '../../../src/app/state/forget-person.js';
import type { MappedInput } from '../../../src/model/mapping/mapping.js';
import type { Run } from '../../../src/model/run.js';
import type { StepTally } from '../../../src/model/waterfall/provenance.js';
import type { LeadEntry } from '../../../src/ports/store/enrichments.js';
import type { Store } from '../../../src/ports/store/store.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { leadAnswer } from '../../helpers/lead-answer.js';
import { asked, runPlan, skippedLead } from '../../helpers/leads.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { tallyOf } from '../../html/figures.js';
import { problemOf } from '../../platform/test-server.js';

const folder = tempFolder();
const T0 = 1_700_000_000_000;
const TIMES = { at: T0, freshSince: 0, deadlineAt: T0 + 9_000 };
let count = 0;
let store: Store;
let path: string;
const at = (name: string): string => join(folder, `${count}-${name}`);

beforeEach(() => {
  count += 1;
  path = at('state.db');
  store = openSqliteStore(path);
});
afterEach(() => store.close());

async function begin(
  leads: readonly LeadEntry[] = [asked(1, 'Ada Secret'), asked(2, 'bob')],
  columns = [{ key: 'name', name: 'name' }],
): Promise<Run> {
  const run = await store.startRun(runPlan(), T0);
  const [column = { key: '', name: '' }] = columns;
  const mapping: MappedInput[] = [{ input: 'firstName', column, index: 0, isGuessed: true }];
  const rejects = [{ source: 0, line: 9, reason: 'broken_json: no object', raw: 'Eve Secret' }];
  await store.ingest(run.id, { columns, leads, rejects, mapping }, TIMES);
  return run;
}

/** The first lead is found, and the second fails. */
async function work({ id: run }: Run): Promise<void> {
  await store.finishReading(run);
  for (const [n, { id, send }] of (await store.claim(run, 9, T0)).claimed.entries()) {
    await store.recordSubmits([
      { id, send, at: T0, kind: 'accepted', ticket: `enr_${id}`, pollAt: T0, deadlineAt: T0 + 9 },
    ]);
    const result = { find_email: { email: 'ada.secret@example.com', status: 'deliverable' } };
    await store.settle([
      n === 0
        ? { id, at: T0, outcome: 'found', result, credits: 5 }
        : { id, at: T0, outcome: 'failed', reason: 'no such domain' },
    ]);
  }
}

const pageAt = (name: string): string => readFileSync(at(name), 'utf8');

describe('the file of a report', () => {
  it('is replaced by the next report of the job, and by nothing else of it', async () => {
    const run = await begin();
    await reportRun(store, run.id, { out: at('r.html') });
    const before = pageAt('r.html');
    expect(before).toContain('Run 1 of nightly');
    await work(run);
    await reportRun(store, run.id, { out: at('r.html') });
    expect(pageAt('r.html')).not.toBe(before);
    const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
    const refused = await problemOf(() => reportRun(store, other.id, { out: at('r.html') }));
    expect(refused).toMatchObject({ code: 'usage' });
    expect(refused.message).toContain('is the report of job nightly');
  });

  it.each(['-', 'r.csv', 'html', '.html'])('is not %s', async (out) => {
    const { id } = await begin();
    const problem = await problemOf(() => reportRun(store, id, { out }));
    expect(problem.message).toContain('let it end in .html');
  });
});

describe('a person', () => {
  const PERSON = /Secret|ada\.secret|bob/i;

  it('is in no report', async () => {
    const run = await begin([asked(1, 'Ada Secret'), asked(2, 'bob'), skippedLead(3, 'malformed')]);
    await work(run);
    const figures = await reportRun(store, run.id, { out: at('r.html') });
    expect(pageAt('r.html')).not.toMatch(PERSON);
    expect(JSON.stringify(figures)).not.toMatch(PERSON);
  });

  it('is not in the names of columns where the header is missing', async () => {
    const columns = ['bob', 'bob@example.com'].map((name) => ({ key: name, name }));
    const leads = [skippedLead(1, 'insufficient inputs: the column bob holds no text')];
    const run = await begin(leads, columns);
    const figures = await reportRun(store, run.id, { out: at('r.html') });
    expect(figures.trouble.reasons[0]?.reason).toBe(
      'insufficient inputs: the column column 1 holds no text',
    );
    expect(figures.quality?.columns[0]?.own?.column).toBe(undefined);
    expect(pageAt('r.html')).not.toMatch(PERSON);
  });

  it('that was forgotten counts without a value, and what they cost stays', async () => {
    const run = await begin();
    await work(run);
    await store.endRun(run.id, 'finished', T0);
    await forgetPerson(store, { emails: ['ada.secret@example.com'], domains: [], urls: [] }, true);
    const { cost, quality, tally } = await reportRun(store, run.id);
    expect(tally.leads).toBe(2);
    expect(cost.paid).toBe(5);
    expect(quality?.columns).toEqual([{ column: 'email', filled: 0, own: null }]);
  });
});

describe('whatever became of a run, its report says so', () => {
  it.each<[string, (run: Run) => Promise<unknown>]>([
    ['cut_off', () => Promise.resolve()],
    ['cancelled', ({ id }) => store.endRun(id, 'cancelled', T0)],
    ['replaced', () => store.startRun(runPlan(), T0)],
    ['finished', async (run) => work(run).then(() => store.endRun(run.id, 'finished', T0))],
  ])('%s', async (state, end) => {
    const run = await begin();
    await end(run);
    const figures = await reportRun(store, run.id, { out: at('r.html'), state: path });
    expect(figures.state).toBe(state);
    expect(pageAt('r.html')).toContain(state.replaceAll('_', ' '));
    expect(figures.tally.rejects).toBe(1);
    expect(figures.trouble.advice.join()).toContain(
      {
        cut_off: 'Run 1 was cut off',
        finished: `retry 1 --only failed --state`,
        replaced: 'replaced by run 2',
        cancelled: 'serves the next run of nightly',
      }[state],
    );
  });

  it('but not once it is pruned', async () => {
    const run = await begin();
    await work(run);
    await store.endRun(run.id, 'finished', T0);
    // The newest run stays.
    await store.startRun(runPlan({ job: 'weekly' }), T0 + 9);
    await store.prune({ at: T0 + 9, before: T0 + 5, freshSince: T0 + 5 }, true);
    expect((await problemOf(() => reportRun(store, run.id))).message).toContain(
      'There is no run 1',
    );
  });

  it('before the rows are read the cost of what was asked is told in money, and for several platforms not at all', () => {
    const step = { step: 's', credits: 5, credit: null } as StepTally;
    const tally = tallyOf({ credits: 10, steps: [step, step] });
    const seen = { run: { ask: ['find_email'] }, seen: { caps: [] }, tally } as unknown as SeenRun;
    expect(costOf(seen, null, null).byAsk).toBeNull();
    const credit = { millionths: 2_000_000, currency: 'EUR' };
    const alone = { ...seen, run: { ...seen.run, credit }, tally: tallyOf({ credits: 10 }) };
    const money = { millionths: 20_000_000, currency: 'EUR' };
    expect(costOf(alone, null, null).byAsk).toMatchObject([{ credits: 10, money }]);
  });

  it('an answer of another line is none from the state, where a step of a waterfall asked', () => {
    const runOf = (id: number) =>
      ({ ...runPlan(), id, startedAt: T0, columns: [], mapping: [] }) as unknown as Run;
    const run = runOf(1);
    const count = createQualityCount(run, [run, runOf(2)]);
    const shared = { status: 'found', source: 'cache', enrichedAt: T0 + 1 } as const;
    for (const paidBy of [2, 9]) count.add(leadAnswer({ ...shared, paidBy }));
    const { answers } = count.figures();
    expect(answers).toMatchObject({ shared: 1, known: [{ leads: 1 }, {}, {}, {}, {}] });
  });

  it('prices that are not known leave open what each of several things cost', async () => {
    const lead = asked(1, 'Ada Secret');
    const request = { ask: ['find_email', 'find_phone'], inputs: { firstName: 'Ada' } } as const;
    const ask = request.ask;
    const run = await store.startRun(runPlan({ ask }), T0);
    const leads = [{ ...lead, kind: 'asked', request } as LeadEntry];
    await store.ingest(run.id, { columns: [], leads, rejects: [] }, TIMES);
    const [{ id, send } = { id: 0, send: 0 }] = (await store.claim(run.id, 1, T0)).claimed;
    await store.recordSubmits([
      { id, send, at: T0, kind: 'accepted', ticket: 'enr_1', pollAt: T0, deadlineAt: T0 + 9 },
    ]);
    const result = { find_email: { email: 'a@example.com' }, find_phone: { phone: '+331' } };
    await store.settle([{ id, at: T0, outcome: 'found', result, credits: 25 }]);
    const { cost } = await reportRun(store, run.id);
    expect(cost).toMatchObject({ paid: 25, budget: null });
    expect(cost.byAsk).toEqual(
      ask.map((one) => ({ ask: one, asked: 1, found: 1, paidNow: 1, credits: null })),
    );
  });
});
