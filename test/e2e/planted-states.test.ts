// What a state says about where files go: it may be a stranger's, and came with the folder.
import { symlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inBrief } from '../helpers/long.js';
import { plantInRuns } from '../helpers/state.js';
import {
  complaintOf,
  csv,
  openPrepared,
  openWorkdir,
  people,
  type Workdir,
} from '../helpers/workdir.js';

const JOB = 'input: leads.csv\nask: [find_email]\nurl: sandbox\nrate: off\n';
const PLAIN = `${JOB}out: out.csv\n`;
const SAID = 'The state says that a file goes to';

async function runPlain(dir: Workdir): Promise<void> {
  dir.write('leads.csv', csv(people(2))).write('jobs/nightly.yaml', PLAIN);
  await dir.sluice('run nightly --quiet');
}

/** A run of the job `nightly`, whose state then says something else of its files. */
async function openPlanted(
  planted: Readonly<Record<string, unknown>>,
  { job = PLAIN, flags = '' } = {},
): Promise<Workdir> {
  const isPlain = job === PLAIN && flags === '';
  const dir = isPlain ? await openPrepared(runPlain) : openWorkdir();
  const own = (text: string): string => text.replaceAll('ASIDE', asideOf(dir));
  dir.write(own('../ASIDE/.keep'), '');
  if (!isPlain) {
    dir.write('leads.csv', csv(people(2))).write('jobs/nightly.yaml', own(job));
    await dir.sluice(`run nightly --quiet ${flags}`.trim());
  }
  const output = JSON.parse(own(JSON.stringify(planted))) as Record<string, unknown>;
  await plantInRuns(dir.at('data/sluice.db'), { output });
  return dir;
}

/** A folder beside that of the test. */
function asideOf(dir: Workdir): string {
  return `aside-${basename(dir.path)}`;
}

async function refused(dir: Workdir, line: string): Promise<void> {
  const ended = await dir.sluice(line);
  expect(complaintOf(ended), line).toContain(SAID);
  expect(ended.code, line).toBe(2);
  const aside = `../${asideOf(dir)}`;
  expect(['x.csv', 'x.html', 'x/x.csv'].filter((name) => dir.has(`${aside}/${name}`))).toEqual([]);
}

describe.concurrent('a state', () => {
  test.each([
    { out: '../ASIDE/x.csv' },
    { out: 'data/../../ASIDE/x.csv' },
    { out: 'linked/x.csv' },
    { out: 'linked/../ASIDE/x.csv' },
    { further: { positions: '../ASIDE/x.csv' } },
    { further: { companies: '../ASIDE/x.csv' } },
  ])('names no table outside the folder: %j', async (planted) => {
    const dir = await openPlanted(planted);
    symlinkSync(`../${asideOf(dir)}`, dir.at('linked'));
    await refused(dir, 'export 1');
    await refused(dir, 'export 1 --force --excel');
    expect(
      await dir.sluice(`export 1 --out ../${asideOf(dir)}/own.csv --set out.positions=p.csv`),
    ).toMatchObject({ code: 0 });
  });

  test('names no report outside the folder', async () => {
    const dir = await openPlanted({ report: '../ASIDE/x.html' });
    await refused(dir, 'report 1');
    expect(await dir.sluice(`report 1 --out ../${asideOf(dir)}/own.html`)).toMatchObject({
      code: 0,
    });
  });

  test.each([
    [{ template: 'out-{date}.csv', out: '../ASIDE/x.csv' }, 'out: out-{date}.csv\n'],
    [
      { reportTemplate: 'r-{run}.html', report: '../ASIDE/x.html' },
      'out: out.csv\nreport: r-{run}.html\n',
    ],
  ])('does not lead a run elsewhere that goes on: %j', async (planted, files) => {
    const dir = await openPlanted(planted, { job: JOB + files, flags: '--budget 0' });
    await refused(dir, 'run nightly --quiet --budget 100');
    expect((await dir.sluice('status --json')).stdout).not.toContain('"found":2');
  });

  test.each(
    inBrief(
      [
        ['out: ../ASIDE/{job}-{date}.csv\n', {}],
        ['out: out.csv\n', { out: 'data/deeper.csv' }],
      ],
      [
        ['out: ../ASIDE/own.csv\n', {}],
        ['out: ../ASIDE/{input}/../{run}.csv\n', {}],
      ],
    ),
  )(
    'is believed where the job says the same, and inside the folder: %j',
    async (files, planted) => {
      const dir = await openPlanted(planted, { job: JOB + files });
      expect(await dir.sluice('export 1')).toMatchObject({ code: 0 });
    },
  );

  test('is not believed where the job says another place outside', async () => {
    const job = `${JOB}out: ../ASIDE/{date}.csv\n`;
    await refused(await openPlanted({ out: '../ASIDE/x/x.csv' }, { job }), 'export 1');
    await refused(await openPlanted({ out: '../x.csv' }, { job }), 'export 1');
  });
});
