// Jobs that are due at a time, and files of a drop folder, through the queue: begun by workers alone.
import { describe, expect, it, type TestContext } from 'vitest';
import { COMMAND_MS } from '../helpers/patience.js';
import { csv, people } from '../helpers/workdir.js';
import { openWorkerPlace, type WorkerPlace } from '../helpers/worker-place.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const until = { timeout: COMMAND_MS };

/** Once a day, at a time that does not come while a test runs. */
const DAILY = `0 ${(new Date().getUTCHours() + 12) % 24} * * *`;

async function placeOf(context: TestContext): Promise<WorkerPlace> {
  const place = await openWorkerPlace(context);
  place.dir.write('leads.csv', csv(people(5))).write('out/.keep', '');
  return place;
}

function daily(name: string, more = ''): string {
  return `input: leads.csv\nout: out/${name}.csv\nask: [find_email]\nrate: off\nschedule: "${DAILY}"\n${more}`;
}

/** Which jobs are due next in the future: those whose last time has been dealt with. */
async function passed({ sluice }: WorkerPlace): Promise<string[]> {
  const lines = (await sluice('schedule --ndjson')).stdout.trim().split('\n');
  const all = lines.map((line) => JSON.parse(line) as { job: string; next_at: string });
  return all.filter(({ next_at: next }) => Date.parse(next) > Date.now()).map(({ job }) => job);
}

async function runs({ sluice }: WorkerPlace): Promise<string[]> {
  const { stdout } = await sluice('runs --ndjson');
  if (stdout === '') return [];
  return stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { job: string }).job);
}

describe.concurrent('a job with a schedule', () => {
  it('is run once over two workers, by the one that has its file', async (context) => {
    const place = await placeOf(context);
    const { dir, sandbox, sluice, worker } = place;
    dir.write('jobs/nightly.yaml', daily('nightly'));
    expect((await sluice('schedule apply')).code).toBe(0);
    await place.passTime(1_000);
    const workers = [worker(), worker('--folder elsewhere'), worker()];
    await Promise.any(workers.map((one) => one.says('Run 1 of nightly: finished.')));
    await context.expect.poll(() => passed(place), until).toEqual(['nightly']);
    for (const { child } of workers) child.kill('SIGTERM');
    const ends = await Promise.all(workers.map(({ ended }) => ended));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(
      ends
        .map(({ stderr }) => stderr)
        .join('')
        .split('taken up'),
    ).toHaveLength(2);
    expect(ends[1]?.stderr).not.toContain('taken up');
    expect(await runs(place)).toEqual(['nightly']);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 5, doubled: [] });
    expect(dir.rows('out/nightly.csv')).toHaveLength(5);
  });

  it('has one run for all times that were missed, or none, as catch-up says', async (context) => {
    const place = await placeOf(context);
    const { dir, sluice, worker } = place;
    dir.write('jobs/usual.yaml', daily('usual'));
    dir.write('jobs/one.yaml', daily('one', 'catch-up: one\n'));
    dir.write('jobs/none.yaml', daily('none', 'catch-up: none\n'));
    expect((await sluice('schedule apply')).code).toBe(0);
    // Three times each.
    await place.passTime(3 * DAY_MS - HOUR_MS);
    expect(await passed(place)).toEqual([]);
    const one = worker();
    await Promise.all([
      one.says(/Run \d of one: finished\./),
      one.says(/Run \d of usual: finished\./),
    ]);
    await context.expect
      .poll(async () => (await passed(place)).toSorted(), until)
      .toEqual(['none', 'one', 'usual']);
    one.child.kill('SIGTERM');
    expect((await one.ended).code).toBe(0);
    expect((await runs(place)).toSorted()).toEqual(['one', 'usual']);
  });

  it('is not run late where catch-up is none, and all the same where it has just come', async (context) => {
    const place = await placeOf(context);
    const { dir, sluice, worker } = place;
    dir.write('jobs/none.yaml', daily('none', 'catch-up: none\n'));
    await sluice('schedule apply');
    await place.passTime(61_000);
    const one = worker();
    await one.says('is not run late: its catch-up is none.');
    await context.expect.poll(() => passed(place), until).toEqual(['none']);
    expect(await runs(place)).toEqual([]);
    await place.passTime(1_000);
    await one.says('Run 1 of none: finished.');
  });
  it('is left to a worker that has its file, and one that has not says so once', async (context) => {
    const place = await placeOf(context);
    const { dir, sluice, worker } = place;
    dir.write('jobs/a.yaml', daily('a'));
    await sluice('schedule apply');
    const first = worker('--folder elsewhere');
    await first.says('Taking runs');
    await place.passTime(1_000);
    await first.says('The job a is due, and its file is not here');
    const second = worker();
    await second.says('Run 1 of a: finished.');
    first.child.kill('SIGTERM');
    const { stderr } = await first.ended;
    expect(stderr.split('its file is not here')).toHaveLength(2);
    expect(stderr).not.toContain('trouble');
  });
});

describe.concurrent('a drop folder', () => {
  const JOB = 'input: inbox/*.csv\nask: [find_email]\nrate: off\n';

  it('is read by enqueue, each file once', async (context) => {
    const place = await placeOf(context);
    const { dir, sandbox, sluice, worker } = place;
    dir.write('jobs/drop.yaml', `${JOB}out: "out/o{run}.csv"\n`);
    dir.write('inbox/a.csv', csv(people(2))).write('inbox/b.csv', csv(people(2, 3)));
    const enqueue = async () => JSON.parse((await sluice('enqueue drop --json')).stdout) as object;
    expect(await enqueue()).toEqual({ job: 'drop', run: 1, leads: 4, queued: true });
    const one = worker();
    await one.says('Run 1 of drop: finished.');
    expect(await enqueue()).toEqual({ job: 'drop', run: null, leads: 0, queued: false });
    expect((await sluice('enqueue drop')).stdout).toContain('Nothing new for drop');
    dir.write('inbox/c.csv', csv(people(3, 4)));
    expect(await enqueue()).toEqual({ job: 'drop', run: 2, leads: 3, queued: true });
    await one.says('Run 2 of drop: finished.');
    expect(dir.rows('out/o1.csv')).toHaveLength(4);
    expect(dir.rows('out/o2.csv')).toHaveLength(3);
    // One of the third file's was in the second.
    expect(await sandbox.ledger()).toMatchObject({ accepted: 6, doubled: [] });
  });

  it('is run to its end when it is due, a run for each file', async (context) => {
    const place = await placeOf(context);
    const { dir, sandbox, sluice, worker } = place;
    dir.write('jobs/drop.yaml', `${JOB}out: "out/{input}-done.csv"\nschedule: "${DAILY}"\n`);
    for (const [i, name] of ['a', 'b', 'c'].entries()) {
      dir.write(`inbox/${name}.csv`, csv(people(2, 1 + 2 * i)));
    }
    await sluice('schedule apply');
    await place.passTime(1_000);
    const workers = [worker(), worker()];
    await context.expect
      .poll(async () => (await runs(place)).length > 2 && (await place.states()), until)
      .toEqual(['finished', 'finished', 'finished']);
    for (const { child } of workers) child.kill('SIGTERM');
    await Promise.all(workers.map(({ ended }) => ended));
    for (const name of ['a', 'b', 'c']) {
      expect(dir.rows(`out/${name}-done.csv`)).toHaveLength(2);
    }
    expect(await sandbox.ledger()).toMatchObject({ accepted: 6, doubled: [] });
  });
});
