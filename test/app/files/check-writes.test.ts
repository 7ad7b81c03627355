// Whose file may take whose place: by the same job, by another, for something else, under another name, after an upgrade.
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkInvoicePlace } from '../../../src/app/audit/write-invoice.js';
import { exportEvents } from '../../../src/app/results/export-events.js';
import { exportRun } from '../../../src/app/results/export-run.js';
import type { RunOptions } from '../../../src/app/run/run-options.js';
import { pruneState } from '../../../src/app/state/prune-state.js';
import { systemClock } from '../../../src/app/system-clock.js';
import type { JobFile } from '../../../src/config/job-schema.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { Store } from '../../../src/ports/store/store.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { plantWritten } from '../../helpers/state.js';
import { csv, people } from '../../helpers/workdir.js';
import { openJobs } from '../job-runs.js';

const jobs = await openJobs();

/** A folder with two files of leads, and no state file yet. */
function openFolder() {
  let folder = jobs.openFolder()('');
  const at = (name: string) => join(folder, name);
  const write = (name: string, text: string) => writeFileSync(at(name), text);
  write('a.csv', csv(people(1)));
  write('b.csv', csv(people(1, 2)));
  const withStore = async <R>(work: (store: Store) => Promise<R>): Promise<R> => {
    const store = openSqliteStore(at('state.db'));
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  return {
    at,
    write,
    withStore,
    text: (name: string) => readFileSync(at(name), 'utf8'),
    move: (name: string) => {
      renameSync(folder, join(jobs.root, name));
      folder = join(jobs.root, name);
    },
    run: async (
      job: string,
      { input = `${job}.csv`, out, ...rest }: Partial<JobFile> & { out: string },
      options: RunOptions = {},
    ) => {
      const inputs = [input].flat().map(at);
      const stated = { input: inputs, out: at(out), state: at('state.db'), ...rest };
      const [report] = await jobs.run(job, stated, options);
      return report?.run.id;
    },
    exportTo: (run: number, out: string, force = false) =>
      withStore((store) => exportRun(store, run, { out: at(out), force })),
    events: (out: string, force = false) =>
      withStore((store) =>
        exportEvents(
          store,
          {},
          { out: at(out), bom: false, excel: false, formulaGuard: true },
          { standardOutput: process.stdout, force },
        ),
      ),
  };
}

type Folder = ReturnType<typeof openFolder>;

const usage = (sentence: string) => ({
  code: 'usage',
  message: expect.stringContaining(sentence) as string,
});
const UNKNOWN = usage('is there already, and this state does not know it');

/** Runs of jobs a and b, from a.csv and b.csv into a-out.csv and b-out.csv. */
async function openTwoJobs(): Promise<Folder> {
  const folder = openFolder();
  await folder.run('a', { out: 'a-out.csv' });
  await folder.run('b', { out: 'b-out.csv' });
  return folder;
}

describe.concurrent('a file that even --force keeps', () => {
  it('is never replaced, under whatever name', async () => {
    const folder = await openTwoJobs();
    mkdirSync(folder.at('deep'));
    linkSync(folder.at('b.csv'), folder.at('hard.csv'));
    symlinkSync('b.csv', folder.at('soft.csv'));
    symlinkSync('.', folder.at('here'));
    const isInput = usage('would replace the input file');
    for (const out of ['b.csv', 'deep/../b.csv', 'here/b.csv', 'hard.csv', 'soft.csv']) {
      await expect(folder.run('a', { out }, { force: true }), out).rejects.toMatchObject(isInput);
      await expect(folder.exportTo(1, out, true), out).rejects.toMatchObject(isInput);
      await expect(folder.events(out, true), out).rejects.toMatchObject(isInput);
    }
    symlinkSync('b.csv', folder.at('b.prom'));
    const metrics = { out: 'a-out.csv', 'metrics-file': folder.at('b.prom') };
    await expect(folder.run('a', metrics, { force: true })).rejects.toMatchObject(isInput);
    expect(folder.text('b.csv')).toBe(csv(people(1, 2)));
  });

  it('is a state file, also another one, and all that lies beside it', async () => {
    const folder = await openTwoJobs();
    await folder.run('a', { out: 'o.csv', state: folder.at('other.db') });
    const isState = usage('would replace the state file');
    for (const out of ['state.db', 'state.db-wal', 'state.db-x', 'other.db', 'other.db-wal']) {
      await expect(folder.run('a', { out }, { force: true })).rejects.toMatchObject(isState);
      await expect(folder.exportTo(1, out, true)).rejects.toMatchObject(isState);
      await expect(folder.events(out, true)).rejects.toMatchObject(isState);
    }
  });

  it('is an input as long as its run is known', async () => {
    const folder = await openTwoJobs();
    await folder.run('a', { out: 'a-out.csv' });
    const wish = { olderThanMs: 0, freshForMs: undefined };
    const later: Clock = { ...systemClock, now: () => Date.now() + 60_000 };
    await folder.withStore((store) => pruneState(store, wish, true, later));
    await expect(folder.exportTo(3, 'b.csv')).rejects.toMatchObject(UNKNOWN);
  });
});

describe.concurrent('a table', () => {
  it('is replaced by its own job, until the user has changed it', async () => {
    const folder = openFolder();
    folder.write('broken.csv', `${csv(people(1))}x,"y`);
    await folder.run('broken', { out: 'out.csv' });
    expect(await folder.run('broken', { out: 'out.csv' })).toBe(2);
    expect(await folder.exportTo(1, 'out.csv')).toMatchObject({ rows: 1 });
    for (const name of ['out.csv', 'out.rejects.csv']) {
      const mine = `${folder.text(name)}edited`;
      folder.write(name, mine);
      const isOther = usage(`${name} has changed since Sluice wrote it. Move it away`);
      await expect(folder.run('broken', { out: 'out.csv' })).rejects.toMatchObject(isOther);
      expect(folder.text(name)).toBe(mine);
      await folder.run('broken', { out: 'out.csv' }, { force: true });
    }
  });

  it('is known again where its successors were cut off before they took its place', async () => {
    const folder = openFolder();
    await folder.run('a', { out: 'out.csv' });
    for (let night = 1; night <= 2; night += 1) {
      const cutOff = folder.withStore((store) => {
        const noteWritten: Store['noteWritten'] = async (...file) => {
          await store.noteWritten(...file);
          throw new Error('cut off');
        };
        return exportRun({ ...store, noteWritten }, 1, { out: folder.at('out.csv') });
      });
      await expect(cutOff).rejects.toThrow('cut off');
    }
    expect(await folder.run('a', { out: 'out.csv' })).toBe(2);
  });

  it('is no file of the user that a planted row and a link lead to', async () => {
    const folder = openFolder();
    await folder.run('a', { out: 'out.csv' });
    const victim = join(jobs.root, 'victim');
    writeFileSync(victim, 'set -o vi\n');
    rmSync(folder.at('out.csv'));
    symlinkSync(victim, folder.at('out.csv'));
    await plantWritten(folder.at('state.db'), victim, 10);
    const isOther = usage('out.csv has changed since Sluice wrote it');
    await expect(folder.run('a', { out: 'out.csv' })).rejects.toMatchObject(isOther);
    expect(readFileSync(victim, 'utf8')).toBe('set -o vi\n');
  });

  it('is replaced by the same leads under another name of the job', async () => {
    const folder = openFolder();
    await folder.run('a', { out: 'out.csv' });
    expect(await folder.run('again', { input: 'a.csv', out: 'out.csv' })).toBe(2);
    expect(await folder.run('more', { input: ['a.csv', 'b.csv'], out: 'out.csv' })).toBe(3);
    const less = folder.run('less', { input: 'a.csv', out: 'out.csv' });
    await expect(less).rejects.toMatchObject(usage('is the table of job more.'));
  });

  it('is found again where the folder was moved with its state file', async () => {
    const folder = openFolder();
    await folder.run('a', { out: 'out.csv' });
    folder.move('moved');
    expect(await folder.run('a', { out: 'out.csv' })).toBe(2);
    await expect(folder.events('a.csv', true)).rejects.toMatchObject(usage('the input file'));
  });

  it('is not replaced by another job, nor for something else, but with force', async () => {
    const folder = await openTwoJobs();
    const isOther = usage('a-out.csv is the table of job a. Move it away');
    await expect(folder.run('b', { out: 'a-out.csv' })).rejects.toMatchObject(isOther);
    await expect(folder.exportTo(2, 'a-out.csv')).rejects.toMatchObject(isOther);
    await expect(folder.events('a-out.csv')).rejects.toMatchObject(isOther);
    await folder.events('events.csv');
    await folder.events('events.csv');
    const isEvents = usage('events.csv is a table of events');
    await expect(folder.run('a', { out: 'events.csv' })).rejects.toMatchObject(isEvents);
    expect(await folder.run('b', { out: 'a-out.csv' }, { force: true })).toBe(3);
    const isTheirs = usage('a-out.csv is the table of job b.');
    await expect(folder.run('a', { out: 'a-out.csv' })).rejects.toMatchObject(isTheirs);
  });

  it('may be the input of another job and is written again, until the user has changed it', async () => {
    const folder = openFolder();
    await folder.run('a', { out: 'stage.csv' });
    await folder.run('next', { input: 'stage.csv', out: 'out.csv' });
    expect(await folder.run('a', { out: 'stage.csv' })).toBe(3);
    folder.write('stage.csv', csv(people(1, 9)));
    const isInput = usage('would replace the input file');
    const again = folder.run('a', { out: 'stage.csv' }, { force: true });
    await expect(again).rejects.toMatchObject(isInput);
  });

  it('takes no place that was taken while it ran', async () => {
    const folder = openFolder();
    const running = folder.run(
      'a',
      { out: 'out.csv' },
      {
        observe: ({ kind }) => {
          if (kind === 'run.started') folder.write('out.csv', 'mine');
        },
      },
    );
    await expect(running).rejects.toMatchObject({
      code: 'output',
      message: expect.stringContaining('is there already') as string,
    });
    expect(folder.text('out.csv')).toBe('mine');
    rmSync(folder.at('out.csv'));
    expect(await folder.run('a', { out: 'out.csv' })).toBe(1);
  });
});

describe.concurrent('what Sluice did not write', () => {
  it('is replaced with force alone, and is its own from then on', async () => {
    const folder = openFolder();
    for (const name of ['mine.csv', 'mine.prom']) folder.write(name, 'mine 1\n');
    const metrics = { 'metrics-file': folder.at('mine.prom') };
    await expect(folder.run('a', { out: 'mine.csv' })).rejects.toMatchObject(UNKNOWN);
    await expect(folder.run('a', { out: 'o.csv', ...metrics })).rejects.toMatchObject(UNKNOWN);
    expect(existsSync(folder.at('state.db'))).toBe(false);
    await folder.run('a', { out: 'o.csv' });
    await expect(folder.run('a', { out: 'mine.csv' })).rejects.toMatchObject(UNKNOWN);
    await expect(folder.exportTo(1, 'mine.csv')).rejects.toMatchObject(UNKNOWN);
    await expect(folder.events('mine.csv')).rejects.toMatchObject(UNKNOWN);
    expect(folder.text('mine.prom') + folder.text('mine.csv')).toBe('mine 1\nmine 1\n');
    const forced = { force: true };
    expect(await folder.run('a', { out: 'mine.csv', ...metrics }, forced)).toBe(2);
    expect(await folder.run('a', { out: 'mine.csv', ...metrics })).toBe(3);
    expect(folder.text('mine.prom')).toContain('# HELP sluice_');
  });

  it('is replaced where it is an invoice of the sandbox, with its tickets or without a row', async () => {
    const { at, write } = openFolder();
    const head = 'ticket,date,credits\n';
    for (const own of [head, `${head}enr_1,2026-11-02,5\n`, '{"ticket":"enr_1"}\n']) {
      write('own.csv', own);
      await checkInvoicePlace(at('own.csv'), false);
    }
    for (const other of [`${head}ticket-1,2026-11-02,5\n`, '{"ticket":"ticket-1"}\n']) {
      write('other.csv', other);
      await expect(checkInvoicePlace(at('other.csv'), false)).rejects.toThrow('is there already');
    }
  });

  it('is replaced where it is empty: the user has set its permissions', async () => {
    const folder = openFolder();
    folder.write('out.csv', '');
    expect(await folder.run('a', { out: 'out.csv' })).toBe(1);
  });

  it('is not removed in the place of rejects, which are', async () => {
    const folder = openFolder();
    folder.write('q.rejects.csv', 'mine');
    folder.write('broken.csv', `${csv(people(1))}x,"y`);
    await expect(folder.run('broken', { out: 'q.csv' })).rejects.toMatchObject(UNKNOWN);
    await folder.run('a', { out: 'q.csv' }, { force: true });
    await folder.exportTo(1, 'q.csv');
    expect(folder.text('q.rejects.csv')).toBe('mine');
    await folder.run('broken', { out: 'q.csv' }, { force: true });
    expect(folder.text('q.rejects.csv')).toMatch(/^source,line,reason,raw/);
    folder.write('broken.csv', csv(people(1)));
    await folder.run('broken', { out: 'q.csv' });
    expect(existsSync(folder.at('q.rejects.csv'))).toBe(false);
    folder.write('q.rejects.csv', 'mine again');
    await expect(folder.run('broken', { out: 'q.csv' })).rejects.toMatchObject(UNKNOWN);
  });

  it.each([
    ['m.prom', 'm.prom'],
    ['m{run}.prom', 'm1.prom'],
  ])('two outputs of one command are not one file: %s and %s', async (out, metrics) => {
    const folder = openFolder();
    const running = folder.run('a', { out, 'metrics-file': folder.at(metrics) }, { force: true });
    await expect(running).rejects.toMatchObject(usage('would both be written to'));
    expect(existsSync(folder.at('state.db'))).toBe(false);
  });
});
