// Several tables of one run: what is there when writing them ends in the middle, and over a drop folder.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { exportRun } from '../../../src/app/results/export-run.js';
import type { StatedJob } from '../../../src/index.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { atCall } from '../../helpers/around.js';
import { inBrief } from '../../helpers/long.js';
import { csv, parseRows, people } from '../../helpers/workdir.js';
import { openJobs } from '../job-runs.js';

const jobs = await openJobs();

function openFolder() {
  const at = jobs.openFolder('in', 'out');
  const job: StatedJob = {
    input: at('leads.csv'),
    ask: ['social_enrichment'],
    map: { socialUrl: 'url' },
    state: at('state.db'),
    out: {
      people: at('out/people.csv'),
      positions: at('out/positions.csv'),
      companies: at('out/companies.csv'),
    },
  };
  const run = (changes: StatedJob) => jobs.run('nightly', { ...job, ...changes });
  const tables = () =>
    new Map(readdirSync(at('out')).map((name) => [name, readFileSync(at(`out/${name}`), 'utf8')]));
  return { at, run, stated: jobs.jobOf('nightly', job), tables };
}

function profiles(from: number, to: number): string {
  const urls = Array.from({ length: to - from }, (_, n) => `https://s.example/in/p-${from + n}`);
  return ['url', ...urls, ''].join('\n');
}

describe('where writing ends between two tables', () => {
  it.each(inBrief([2], [1, 3]))(
    'each is whole, and the next export repairs them: file %s',
    async (nth) => {
      const { at, run, stated, tables } = openFolder();
      writeFileSync(at('leads.csv'), profiles(1, 4));
      await run({});
      const before = tables();
      writeFileSync(at('leads.csv'), profiles(1, 9));
      await run({});
      const after = tables();
      const names = [...after.keys()];
      expect(names).toHaveLength(3);
      const store = openSqliteStore(at('state.db'));
      await exportRun(store, 1, { force: true, stated });
      expect(tables()).toEqual(before);
      const ending = atCall(store, 'noteWritten', nth, async () => {
        throw new Error('power cut');
      });
      await expect(exportRun(ending, 2, { stated })).rejects.toThrow('power cut');
      const between = tables();
      expect([...between.keys()]).toEqual(names);
      for (const [name, text] of between) {
        expect([before.get(name), after.get(name)], name).toContain(text);
      }
      expect(between).not.toEqual(after);
      await exportRun(store, 2, { stated });
      expect(tables()).toEqual(after);
      await store.close();
    },
  );
});

describe('several tables of a drop folder', () => {
  it('are written for each file, and refused where one would be shared', async () => {
    const { at, run, tables } = openFolder();
    writeFileSync(at('in/a.csv'), csv(people(2)));
    writeFileSync(at('in/b.csv'), csv(people(2, 3)));
    const input = at('in/*.csv');
    const ask = ['find_email'] as const;
    const shared = { people: at('out/{input}.csv'), positions: at('out/positions.csv') };
    await expect(run({ input, ask, map: {}, out: shared })).rejects.toThrow(
      'Put {input} into its name as well.',
    );
    expect(tables().size).toBe(0);
    const own = { people: at('out/{input}.csv'), companies: at('out/{input}-companies.csv') };
    await run({ input, ask, map: {}, out: own });
    expect([...tables().keys()]).toEqual(['a-companies.csv', 'a.csv', 'b-companies.csv', 'b.csv']);
    expect(parseRows(tables().get('b.csv') ?? '').map((row) => row['lead_number'])).toEqual([
      '1',
      '2',
    ]);
  });

  it('are not replaced by the tables of other files that are done', async () => {
    const { at, run, tables } = openFolder();
    const input = at('in/*.csv');
    const wish = (n: number) => ({
      input,
      ask: ['find_email'] as const,
      map: {},
      out: { people: at(`out/people-${n}.csv`), positions: at('out/positions.csv') },
    });
    writeFileSync(at('in/a.csv'), csv(people(1)));
    await run(wish(1));
    const before = tables();
    writeFileSync(at('in/b.csv'), csv(people(1, 2)));
    await expect(run(wish(2))).rejects.toThrow('is the table of run 1, whose files are done');
    expect(tables()).toEqual(before);
  });

  it('may not be read as leads', async () => {
    const { at, run } = openFolder();
    writeFileSync(at('in/a.csv'), csv(people(1)));
    const out = { people: at('out/people.csv'), companies: at('in/companies.csv') };
    await expect(run({ input: at('in/*.csv'), map: {}, out })).rejects.toThrow(
      'in/companies.csv would match the input pattern',
    );
  });
});

it('has the format that is asked for where a table goes to a stream, and that of its ending where it is a file', async () => {
  const { at, run } = openFolder();
  writeFileSync(at('leads.csv'), profiles(1, 4));
  await run({});
  const store = openSqliteStore(at('state.db'));
  const standardOutput = new PassThrough();
  await exportRun(store, 1, { out: '-', format: 'ndjson', standardOutput });
  standardOutput.end();
  const lines = (await text(standardOutput)).trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { url: string }).url)).toHaveLength(3);
  await exportRun(store, 1, { out: at('out/again.csv'), format: 'ndjson' });
  expect(parseRows(readFileSync(at('out/again.csv'), 'utf8'))).toHaveLength(3);
  await store.close();
});
