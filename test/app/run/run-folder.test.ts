// The runs of a command over a drop folder: whose table may take the place of whose, and what ends the command.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RunOptions } from '../../../src/app/run/run-options.js';
import { retryRun } from '../../../src/app/state/change-run.js';
import type { JobFile } from '../../../src/config/job-schema.js';
import type { RunEvent } from '../../../src/model/telemetry/observe.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { csv, parseRows, people } from '../../helpers/workdir.js';
import { openJobs } from '../job-runs.js';

const jobs = await openJobs();

/** A folder with a job of its own. */
function openFolder() {
  const at = jobs.openFolder('in/deep', 'out');
  const warned: string[] = [];
  const run = (changes: Partial<JobFile> = {}, options: RunOptions = {}) => {
    const job = { input: at('in/*.csv'), state: at('state.db'), ...changes };
    const observe = (event: RunEvent) => {
      if (event.kind === 'run.warned') warned.push(event.message);
    };
    return jobs.run('nightly', job, { observe, ...options });
  };
  return {
    folder: at(''),
    warned,
    at,
    run,
    put: (name: string, lines: readonly string[] = people(1)) =>
      writeFileSync(at(name), csv(lines)),
    namesIn: (table: string) =>
      parseRows(readFileSync(at(table), 'utf8')).map((row) => row['first_name']),
    runsOf: async (...args: Parameters<typeof run>) =>
      (await run(...args)).map((report) => report.run.id),
  };
}

const BROKEN = new Uint8Array([0x50, 0x4b, 3, 4, 0]);

describe.concurrent('the table of a run over a drop folder', () => {
  it('is checked again where the run goes on under another name', async () => {
    const { at, namesIn, put, run, runsOf } = openFolder();
    put('in/a.csv', people(2));
    await expect(run({ out: at('out/all.csv'), budget: 5 })).rejects.toMatchObject({
      code: 'budget',
    });
    const input = readFileSync(at('in/a.csv'), 'utf8');
    for (const [out, sentence] of [
      ['state.db', 'would replace the state file'],
      ['in/a.csv', 'would replace the input file'],
      ['in/x.csv', 'would match the input pattern'],
    ] as const) {
      await expect(run({ out: at(out) })).rejects.toThrow(sentence);
    }
    expect(readFileSync(at('in/a.csv'), 'utf8')).toBe(input);
    expect(await runsOf({ out: at('out/other.csv') })).toEqual([1]);
    expect(namesIn('out/other.csv')).toEqual(['Eve1', 'Eve2']);
  });

  it('is not replaced by that of another file with the same base name, also with --again', async () => {
    const { at, namesIn, put, run } = openFolder();
    const wish = { input: [at('in/*.csv'), at('in/*.txt'), at('in/deep/*')] };
    const out = at('out/{input}.csv');
    put('in/leads.csv');
    put('in/leads.txt', people(1, 2));
    put('in/other.csv', people(1, 3));
    for (const again of [false, true]) {
      await expect(run({ ...wish, out }, { again })).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringMatching(
          /leads\.csv is the table of run \d, .* the one of .*leads\.txt\. Move it away, or put \{date\} or \{run\} into its name\.$/,
        ),
      });
      expect(namesIn('out/leads.csv')).toEqual(['Eve1']);
      expect(namesIn('out/other.csv')).toEqual(['Eve3']);
    }
  });

  it('is replaced where its files are all in the new one, and however the name is written, only there', async () => {
    const { at, folder, namesIn, put, run, runsOf } = openFolder();
    put('in/a.csv', people(3));
    const out = at('out/{input}.csv');
    expect(await runsOf({ out, limit: 2 })).toEqual([1]);
    expect(await runsOf({ out })).toEqual([2]);
    expect(namesIn('out/a.csv')).toHaveLength(3);

    put('in/b.csv', people(1, 4));
    for (const name of ['out/a.csv', './out/../out/a.csv', 'out//a.csv']) {
      await expect(run({ out: `${folder}/${name}` })).rejects.toThrow('is the table of run 2');
    }
    renameSync(at('in/a.csv'), at('moved.csv'));
    await expect(run({ out: at('out/a.csv') }, { again: true })).rejects.toThrow('run 2');
    renameSync(at('moved.csv'), at('in/z.csv'));
    expect(await runsOf({ out: at('out/a.csv') }, { again: true })).toEqual([3]);
    expect(namesIn('out/a.csv')).toHaveLength(4);
  });

  it('is not replaced by that of a run that is opened again, whose place no other one takes', async () => {
    const { at, namesIn, put, run, runsOf } = openFolder();
    const out = at('out/{input}.csv');
    // The 31st fails in the sandbox.
    put('in/a.csv', people(1, 31));
    expect(await runsOf({ out })).toEqual([1]);
    renameSync(at('out/a.csv'), at('out/first.csv'));
    put('in/a.csv', people(1, 2));
    expect(await runsOf({ out })).toEqual([2]);
    const store = openSqliteStore(at('state.db'));
    const first = await store.findRun(1);
    if (first !== null)
      await retryRun(store, first.id, { only: ['failed'], state: at('state.db') });
    await store.close();
    put('in/c.csv', people(1, 3));
    await expect(run({ out })).rejects.toThrow('a.csv is the table of run 2');
    expect(namesIn('out/a.csv')).toEqual(['Eve2']);
    expect(await runsOf({ out: at('out/{input}-{run}.csv') })).toEqual([1, 3]);
  });
});

describe.concurrent('a command over a drop folder', () => {
  it('tells of each broken file at once, does the others, and ends with the first', async () => {
    const { at, namesIn, put, run, warned } = openFolder();
    put('in/b.csv');
    for (const name of ['in/a.csv', 'in/c.csv']) writeFileSync(at(name), BROKEN);
    writeFileSync(at('in/c.csv'), Buffer.concat([BROKEN, BROKEN]));
    const out = at('out/{input}.csv');
    await expect(run({ out })).rejects.toMatchObject({
      code: 'input',
      message: expect.stringMatching(
        /a\.csv is a workbook or zip .* 1 more file was left out; without --quiet each is reported\.$/,
      ),
    });
    expect(warned.map((message) => message.match(/\w\.csv/)?.[0])).toEqual(['a.csv', 'c.csv']);
    expect(namesIn('out/b.csv')).toEqual(['Eve1']);
  });

  it('tells of a broken file also where something else ends it', async () => {
    const { at, put, run } = openFolder();
    writeFileSync(at('in/a.csv'), BROKEN);
    put('in/b.csv', people(2));
    await expect(run({ out: at('out/{input}.csv'), budget: 5 })).rejects.toMatchObject({
      code: 'budget',
      message: expect.stringMatching(
        /Before that 1 file was left out: .*a\.csv is a workbook or zip/,
      ),
    });
  });

  it('begins no other run once it is told to stop', async () => {
    const { at, namesIn, put, runsOf } = openFolder();
    put('in/a.csv');
    put('in/b.csv', people(1, 2));
    const out = at('out/{input}.csv');
    const stop = new AbortController();
    const onEnded = async () => stop.abort();
    expect(await runsOf({ out }, { drain: stop.signal, onEnded })).toEqual([1]);
    expect(await runsOf({ out })).toEqual([2]);
    expect(namesIn('out/b.csv')).toEqual(['Eve2']);
  });
});
