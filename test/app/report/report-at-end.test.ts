// The job key `report`: the page at the end of each run, which costs no run.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { RunOptions } from '../../../src/app/run/run-options.js';
import type { JobFile } from '../../../src/config/job-schema.js';
import type { RunEvent } from '../../../src/model/telemetry/observe.js';
import { csv, people } from '../../helpers/workdir.js';
import { problemOf } from '../../platform/test-server.js';
import { openJobs } from '../job-runs.js';

const jobs = await openJobs();

function openFolder() {
  const at = jobs.openFolder('in', 'out');
  writeFileSync(at('leads.csv'), csv(people(3)));
  const run = (changes: Partial<JobFile> = {}, options: RunOptions = {}) =>
    jobs.run(
      'nightly',
      {
        input: at('leads.csv'),
        state: at('state.db'),
        out: at('out/people.csv'),
        report: at('out/{job}-{run}.html'),
        ...changes,
      },
      options,
    );
  const page = (name: string) => readFileSync(at(`out/${name}`), 'utf8');
  return { at, run, page, out: () => readdirSync(at('out')).sort() };
}

it('is written at the end of each run, with all that the run has sent', async () => {
  const { at, run, page, out } = openFolder();
  const [first] = await run();
  expect(first?.reportFile).toBe(at('out/nightly-1.html'));
  expect(page('nightly-1.html')).toContain('Run 1 of nightly');
  expect(page('nightly-1.html')).toContain('finished');
  writeFileSync(at('leads.csv'), csv(people(2)));
  await run();
  expect(out()).toEqual(['nightly-1.html', 'nightly-2.html', 'people.csv']);
});

it('tells of a run that was stopped, and again of the same run when it has ended', async () => {
  const { run, page, out } = openFolder();
  expect((await problemOf(() => run({ budget: 1 }))).code).toBe('budget');
  expect(page('nightly-1.html')).toContain('stopped at budget');
  const [report] = await run({ budget: 100 });
  expect(report?.isFinished).toBe(true);
  expect(page('nightly-1.html')).toContain('finished');
  expect(page('nightly-1.html')).not.toContain('stopped at budget');
  expect(out()).toEqual(['nightly-1.html', 'people.csv']);
});

it.each<[string, (at: (name: string) => string) => Partial<JobFile>, RegExp]>([
  ['in a folder that is not there', (at) => ({ report: at('no/r.html') }), /does not exist/],
  ['over the table', (at) => ({ out: at('out/r.html'), report: at('out/r.html') }), /both be/],
  ['over a file of the user', (at) => ({ report: at('out/mine.html') }), /Sluice wrote/],
  [
    'with a slip in its name',
    (at) => ({ report: at('out/{jobs}.html') }),
    /\{jobs\} has no meaning/,
  ],
  [
    'where the next run would read it as leads',
    (at) => ({ input: at('in/*'), report: at('in/r.html') }),
    /would match the input/,
  ],
  [
    'that is one for all files of a folder',
    (at) => ({ input: at('in/*'), out: at('out/{input}.csv'), report: at('out/r.html') }),
    /one for all/,
  ],
])('%s it is refused before anything is sent', async (_, changes, problem) => {
  const { at, run } = openFolder();
  writeFileSync(at('out/mine.html'), '<h1>mine</h1>');
  writeFileSync(at('in/leads.csv'), csv(people(1)));
  const sent: RunEvent[] = [];
  const observe = (event: RunEvent): void => {
    if (event.kind === 'enrichments.claimed') sent.push(event);
  };
  const refused = await problemOf(() => run(changes(at), { observe }));
  expect(refused).toMatchObject({ code: 'usage' });
  expect(refused.message).toMatch(problem);
  expect(sent).toEqual([]);
});

it('is a warning and no lost run where its folder has gone meanwhile', async () => {
  const { at, run } = openFolder();
  mkdirSync(at('pages'));
  const warnings: string[] = [];
  const observe = (event: RunEvent): void => {
    if (event.kind === 'table.exported') rmSync(at('pages'), { recursive: true });
    if (event.kind === 'run.warned' && event.warning === 'report_not_written') {
      warnings.push(event.message);
    }
  };
  const [report] = await run({ report: at('pages/r.html') }, { observe });
  expect(report).toMatchObject({ isFinished: true, reportFile: null });
  expect(existsSync(at('out/people.csv'))).toBe(true);
  expect(warnings).toEqual([
    expect.stringMatching(/^The report of run 1 was not written: .*"sluice report 1" writes it\.$/),
  ]);
});
