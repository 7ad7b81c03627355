// The rows of a run as a program gets them while it goes on, over real runs against the sandbox.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type LeadsInMemory,
  openSandbox,
  type RowPlace,
  type RunOptions,
  type Sandbox,
  type StatedJob,
} from '../../../src/index.js';
import { csv, people } from '../../helpers/workdir.js';
import { openJobs } from '../job-runs.js';

const jobs = await openJobs();
const { sandbox, root: folder } = jobs;
const silent = await openSandbox({ rate: 'off', latency: { medianMs: 3_600_000, sigma: 0 } });
afterAll(() => silent.close());

const person = (n: number) => ({
  first_name: `Eve${n}`,
  last_name: 'B',
  company_domain: `f${n}.io`,
});
const persons = (count: number, from = 1) =>
  Array.from({ length: count }, (_, n) => person(n + from));

interface Seen extends RowPlace {
  readonly name: unknown;
  readonly status: string;
  readonly cost: string | null;
}

/** Runs it, and tells what was handed on. */
async function run(
  name: string,
  leads: LeadsInMemory,
  { at = sandbox, ...options }: RunOptions & { readonly at?: Sandbox } = {},
  more: StatedJob = {},
) {
  const seen: Seen[] = [];
  const job = {
    out: join(folder, `${name}.ndjson`),
    url: at.url,
    state: join(folder, `${name}.db`),
    ...more,
  };
  const [report] = await jobs.run(name, job, {
    leads,
    onRow(row, place) {
      const { sluice_status: status, source: cost } = row;
      seen.push({ ...place, name: row['first_name'], status, cost });
    },
    ...options,
  });
  return { report, seen };
}

const positions = (seen: readonly Seen[]) =>
  seen.map(({ position }) => position).toSorted((a, b) => a - b);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

describe('rows while a run goes on', () => {
  it('come once for each lead, with their place, whatever became of it', async () => {
    const leads = [...persons(120), {}, person(1), 5 as unknown as object, person(200)];
    const { report, seen } = await run('each', leads);
    expect(report).toMatchObject({ isFinished: true, tally: { leads: 123 } });
    expect(positions(seen)).toEqual(upTo(123));
    const last = seen.find(({ position }) => position === 123);
    expect(last).toMatchObject({ run: 1, source: '-', line: 124, name: 'Eve200' });
    expect(seen.find(({ position }) => position === 121)?.status).toBe('skipped');
    expect(seen.find(({ position }) => position === 122)?.cost).toBe('cache');
    // What is known already is handed on as well, in the next run.
    const again = await run('each', persons(2));
    expect(again.seen).toMatchObject([
      { run: 2, position: 1, cost: 'cache' },
      { run: 2, position: 2, cost: 'cache' },
    ]);
  });

  it('come before the leads behind them are read', async () => {
    let handed = 0;
    async function* waiting() {
      yield* persons(3);
      while (handed < 3) await new Promise((resolve) => setImmediate(resolve));
      yield person(4);
    }
    const { report } = await run('early', waiting(), {
      onRow: () => {
        handed += 1;
      },
    });
    expect(report?.isFinished).toBe(true);
    expect(handed).toBe(4);
  });

  it('are awaited one at a time, and hold up neither sending nor collecting', async () => {
    let free = (): void => undefined;
    const isFree = new Promise<void>((resolve) => {
      free = resolve;
    });
    let settled = 0;
    let [atOnce, most] = [0, 0];
    await run('slow', persons(110), {
      observe(event) {
        if (event.kind === 'enrichments.settled') settled += event.enrichments.length;
        if (settled === 110) free();
      },
      async onRow() {
        atOnce += 1;
        most = Math.max(most, atOnce);
        await isFree;
        atOnce -= 1;
      },
    });
    expect(most).toBe(1);
  });

  it('end the run where the program fails, and come again when it is run again', async () => {
    let count = 0;
    const failing = run('failing', persons(30), {
      onRow() {
        count += 1;
        if (count === 7) throw new RangeError('the CRM is down');
      },
    });
    await expect(failing).rejects.toThrow(new RangeError('the CRM is down'));
    expect(count).toBe(7);
    const before = sandbox.ledger.summary().accepted;
    const { seen } = await run('failing', persons(30));
    expect(positions(seen)).toEqual(upTo(30));
    expect(sandbox.ledger.summary().accepted - before).toBeLessThanOrEqual(30);
  });

  it('come at the end where the answer stays away, but not where the run was stopped', async () => {
    const late = await run('late', persons(2), { at: silent }, { deadline: '1s' });
    expect(late.seen.map(({ status }) => status)).toEqual(['timed_out', 'timed_out']);
    const stop = new AbortController();
    const stopped = await run('stopped', [...persons(2, 10), {}], {
      at: silent,
      drain: stop.signal,
      observe: ({ kind }) => kind === 'enrichments.submitted' && stop.abort(),
    });
    expect(stopped.report?.isFinished).toBe(false);
    expect(stopped.seen.filter(({ status }) => status !== 'skipped')).toEqual([]);
  });

  it('come all again where a stopped run is continued', async () => {
    const file = join(folder, 'continued.csv');
    writeFileSync(file, csv(people(3)));
    const seen: number[] = [];
    const stop = new AbortController();
    const job = {
      input: file,
      out: join(folder, 'continued.ndjson'),
      state: join(folder, 'continued.db'),
    };
    const onRow = (_: unknown, { position, run, source }: RowPlace): void => {
      expect({ run, source }).toEqual({ run: 1, source: file });
      seen.push(position);
      stop.abort();
    };
    const [stopped] = await jobs.run('continued', job, { onRow, drain: stop.signal });
    expect(stopped?.isFinished).toBe(false);
    expect(seen).toHaveLength(1);
    await jobs.run('continued', job, { onRow });
    expect(seen.splice(1).toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  });

  it('are as many as the lead has positions, where each has a row', async () => {
    const job = { ask: ['social_enrichment'], positions: 'long' } as const;
    const { report, seen } = await run('long', persons(20), {}, job);
    expect(seen).toHaveLength(report?.exported?.rows ?? 0);
    expect([...new Set(positions(seen))]).toEqual(upTo(20));
  });
});
