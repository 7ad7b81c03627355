// A job whose leads a program gives: what becomes of them, of what is no lead, and of a source that breaks.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  openStore,
  planJob,
  type RunOptions,
  type RunReport,
  readRows,
  runJob,
  type StatedJob,
} from '../../../src/index.js';
import { ENVIRONMENT, openJobs } from '../job-runs.js';

const jobs = await openJobs();
const { sandbox, root: folder } = jobs;
const environment = ENVIRONMENT;

function jobOf(name: string, more: StatedJob = {}) {
  return jobs.jobOf(name, {
    out: join(folder, `${name}.ndjson`),
    state: join(folder, `${name}.db`),
    ...more,
  });
}

const person = (n: number) => ({
  first_name: `Eve${n}`,
  last_name: 'Byron',
  company_domain: `firm${n}.com`,
});

async function run(name: string, options: RunOptions): Promise<RunReport> {
  const [report] = await runJob(jobOf(name), { environment, ...options });
  if (report === undefined) throw new Error('no report');
  return report;
}

async function namesIn(name: string, id: number): Promise<unknown[]> {
  const store = await openStore(join(folder, `${name}.db`));
  const names: unknown[] = [];
  for await (const row of readRows<'first_name'>(store, id)) names.push(row.first_name);
  await store.close();
  return names;
}

describe('leads in memory', () => {
  it('are planned and run as those of a file, and what is no object is a reject', async () => {
    const leads = [person(1), 7, person(2), [person(3)], person(1)] as object[];
    const plan = await planJob(jobOf('array'), { environment, leads });
    expect(plan).toMatchObject({ leads: 3, rejects: 2, duplicates: 1 });
    const report = await run('array', { leads });
    expect(report).toMatchObject({ isFinished: true, tally: { leads: 3, rejects: 2 } });
    expect(report.run.sources).toEqual(['-']);
    expect(await namesIn('array', 1)).toEqual(['Eve1', 'Eve2', 'Eve1']);
    const again = await run('array', { leads: leads.slice(0, 1) });
    expect(again).toMatchObject({ run: { id: 2 }, tally: { leads: 1, credits: 0 } });
  });

  it('whose source breaks end the run with all before it saved, and paid for once', async () => {
    async function* breaking() {
      for (let n = 1; n <= 3; n += 1) yield person(n);
      // What was read is answered for; only then the source breaks.
      await accepted(3);
      throw new RangeError('the database is gone');
    }
    const before = sandbox.ledger.summary().accepted;
    const accepted = async (count: number): Promise<void> => {
      while (sandbox.ledger.summary().accepted < before + count) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const broken = runJob(jobOf('broken'), { environment, leads: breaking() });
    await expect(broken).rejects.toThrow(new RangeError('the database is gone'));
    expect(await namesIn('broken', 1)).toEqual(['Eve1', 'Eve2', 'Eve3']);
    const whole = await run('broken', { leads: [1, 2, 3, 4].map(person) });
    expect(whole).toMatchObject({ run: { id: 2 }, isFinished: true, tally: { leads: 4 } });
    expect(sandbox.ledger.summary().accepted).toBe(before + 4);
  });

  it('are refused beside an input, and where they are none', async () => {
    const leads = [person(1)];
    const withInput = jobOf('wrong', { input: 'a.csv' });
    await expect(runJob(withInput, { environment, leads })).rejects.toThrow(
      'Give either leads or the input of the job',
    );
    const none = {} as unknown as object[];
    await expect(run('wrong', { leads: none })).rejects.toThrow('leads is no iterable');
    await expect(run('wrong', { leads: [] })).rejects.toMatchObject({ code: 'input' });
    await expect(run('wrong', {})).rejects.toThrow('leads or standardInput must be given');
  });
});
