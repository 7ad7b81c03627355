// A job whose input is a pattern: each file is done once, whoever is killed, renamed or late.
import { renameSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inBrief, isLong } from '../helpers/long.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const sandbox = await startSandboxProcess();

const JOB = 'input: inbox/*.csv\nask: [find_email]\n';
const SILENT = { code: 0, stdout: '', stderr: '' };

function withJob(out: string, url = sandbox.url, more = ''): Workdir {
  return openWorkdir(url)
    .write('jobs/nightly.yaml', `${JOB}out: "${out}"\n${more}`)
    .write('inbox/.keep', '')
    .write('out/.keep', '');
}

const byName = (a = '', b = '') => a.localeCompare(b);
const namesIn = (dir: Workdir, table: string) => dir.rows(table).map((row) => row['first_name']);
const tables = (dir: Workdir) => dir.files().filter((path) => path.startsWith('out/o'));
const runs = async (dir: Workdir): Promise<{ run: number; state: string; out: string }[]> =>
  (await dir.sluice('runs --ndjson')).stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe.concurrent('a drop folder', () => {
  test('is done file by file, by content, and a night without a new one is silent', async () => {
    const dir = withJob('out/o{run}.csv');
    expect(await dir.sluice('run nightly -q')).toMatchObject(SILENT);
    expect(dir.has('data/sluice.db')).toBe(false);

    dir.write('inbox/a.csv', csv(people(2))).write('inbox/b.csv', csv(people(1, 3)));
    expect(await dir.sluice('run nightly -q')).toMatchObject(SILENT);
    expect(namesIn(dir, 'out/o1.csv')).toEqual(['Eve1', 'Eve2', 'Eve3']);

    renameSync(dir.at('inbox/a.csv'), dir.at('inbox/z.csv'));
    dir.write('inbox/copy.csv', csv(people(1, 3)));
    const before = dir.files();
    expect(await dir.sluice('run nightly -q')).toMatchObject(SILENT);
    expect(await dir.sluice('run nightly --json')).toMatchObject(SILENT);
    const told = await dir.sluice('run nightly');
    expect(told.stderr).toBe(
      'Nothing new: what matches inbox/*.csv was read before (2 files). Use --again to run it again.\n',
    );
    expect(dir.files()).toEqual(before);
    expect(await runs(dir)).toHaveLength(1);

    dir.write('inbox/c.csv', csv(people(2, 3)));
    expect(await dir.json('plan nightly')).toMatchObject({ leads: 2, already_known: 1, to_pay: 1 });
    expect(await dir.json('plan nightly --again')).toMatchObject({
      leads: 5,
      to_pay: 1,
    });
    expect(await dir.sluice('run nightly -q')).toMatchObject(SILENT);
    expect(namesIn(dir, 'out/o2.csv')).toEqual(['Eve3', 'Eve4']);

    expect(await dir.sluice('run nightly -q --again')).toMatchObject(SILENT);
    expect(namesIn(dir, 'out/o3.csv')).toHaveLength(5);
    expect(await dir.sluice('run nightly -q')).toMatchObject(SILENT);
    expect(tables(dir)).toHaveLength(3);
  });

  test('is new where something else is asked, and not where another pattern finds the same', async () => {
    const dir = withJob('out/o{run}.csv').write('inbox/a.csv', csv(people(1)));
    await dir.sluice('run nightly -q');
    dir.write('jobs/nightly.yaml', `${JOB.replace('*.csv', '*')}out: "out/o{run}.csv"\n`);
    expect((await dir.sluice('run nightly --resend-uncertain')).stderr).toMatch(
      /^Nothing new: .* sluice retry RUN --only uncertain, then sluice run nightly$/m,
    );
    expect((await dir.sluice('run nightly --ask find_email,find_phone -q')).code).toBe(0);
    expect(tables(dir)).toEqual(['out/o1.csv', 'out/o2.csv']);
  });

  test('says once of a file that no line of it is a lead, and does not call it done', async () => {
    const dir = withJob('out/o{run}.csv')
      .write('inbox/a.csv', csv(people(1)))
      .write('inbox/b.csv', csv(['"Ada" , "Lovelace" , x']));
    expect(await dir.refusal('run nightly -q', { code: 1 })).toContain(
      'no line of inbox/b.csv is a lead',
    );
    expect(namesIn(dir, 'out/o1.csv')).toEqual(['Eve1']);
    expect(await dir.sluice('run nightly -q')).toMatchObject(SILENT);
    expect((await dir.sluice('run nightly')).stderr).not.toContain('done');
    dir.write('inbox/b.csv', csv([]));
    expect(await dir.refusal('run nightly -q', { code: 1 })).toContain(
      'inbox/b.csv has a header and no leads. ',
    );
    expect(await dir.sluice('run nightly -q')).toMatchObject(SILENT);
    dir.write('inbox/b.csv', csv(people(1, 2)));
    expect(await dir.sluice('run nightly -q')).toMatchObject(SILENT);
    expect(namesIn(dir, 'out/o3.csv')).toEqual(['Eve2']);
  });

  test('with {input} in the name each file has its run and table, and a broken one holds up none', async () => {
    const dir = withJob('out/o-{input}.csv')
      .write('inbox/a.csv', csv(people(1)))
      .write('inbox/b.csv', new Uint8Array([0x50, 0x4b, 3, 4, 0]))
      .write('inbox/c.csv.txt', 'no match')
      .write('inbox/d.csv', csv([...people(1, 2), 'x,"y']));
    expect(await dir.refusal('run nightly -q', { code: 3 })).toContain(
      'inbox/b.csv is a workbook or zip archive that is damaged',
    );
    expect(tables(dir)).toEqual(['out/o-a.csv', 'out/o-d.csv', 'out/o-d.rejects.csv']);
    dir.write('inbox/b.csv', csv(people(1, 3)));
    expect(await dir.sluice('run nightly -q')).toMatchObject(SILENT);
    expect(namesIn(dir, 'out/o-b.csv')).toEqual(['Eve3']);
    expect(await runs(dir)).toHaveLength(3);
  });

  test('what a cancelled run left is not done; what it paid for is', async () => {
    const slow = await startSandboxProcess('--latency 60s');
    const dir = withJob('out/o{run}.csv', slow.url).write('inbox/a.csv', csv(people(2)));
    const running = dir.start('run nightly -q');
    await slow.until(({ accepted }) => accepted >= 2, running);
    expect((await dir.sluice('cancel 1')).code).toBe(0);
    expect((await running.ended).code).toBe(7);
    const next = dir.start('run nightly');
    await next.says('Run 2 of nightly: inbox/a.csv');
    next.child.kill('SIGTERM');
    expect((await next.ended).code).toBe(143);
    expect(await slow.ledger()).toMatchObject({ accepted: 2 });
  });
});

test.runIf(isLong)(
  'a run over several files goes on as one, where each shall have its own table by now',
  async () => {
    const platform = await startSandboxProcess('--latency 60s');
    const dir = withJob('out/o{run}.csv', platform.url);
    dir.write('inbox/a.csv', csv(people(1))).write('inbox/b.csv', csv(people(1, 2)));
    const killed = dir.start('run nightly -q');
    await platform.until(({ accepted }) => accepted >= 2, killed);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const next = dir.start(['run', 'nightly', '--out', 'out/o-{input}.csv']);
    await next.says('Continuing run 1');
    next.child.kill('SIGTERM');
    expect((await next.ended).code).toBe(143);
    expect(namesIn(dir, 'out/o1.csv')).toEqual(['Eve1', 'Eve2']);
  },
);

describe.concurrent('a run over a drop folder that is killed', () => {
  const cases = inBrief([[9, 'out/o-{input}-{date}.csv']], [[2, 'out/o{run}.csv']]);

  test.each(cases)(
    'after %i requests, with %s, loses no line, doubles none, and pays once',
    async (moment, out) => {
      const platform = await startSandboxProcess('--latency 50ms');
      const files = {
        a: people(5),
        b: [...people(5, 6), ...people(1, 1)],
        c: [...people(2, 5), ...people(2, 11)],
      };
      const dir = withJob(out, platform.url, 'concurrency: 2\n')
        .write('inbox/a.csv', csv(files.a))
        .write('inbox/b.csv', csv(files.b));
      const killed = dir.start('run nightly -q');
      await platform.until(({ accepted }) => accepted >= moment, killed);
      killed.child.kill('SIGKILL');
      await killed.ended;
      const [first] = await runs(dir);

      // Meanwhile one more comes, which sorts first, and one gets another name.
      dir.write('inbox/0.csv', csv(files.c));
      renameSync(dir.at('inbox/b.csv'), dir.at('inbox/moved.csv'));
      const codes = [0, 1];
      expect(codes).toContain((await dir.sluice('run nightly -q')).code);
      const told = tables(dir).map((table) => namesIn(dir, table));
      expect(await dir.sluice('run nightly -q')).toMatchObject(SILENT);

      // The run that was cut off is the one that goes on, under its name, with its files alone.
      const all = await runs(dir);
      expect(all.every(({ state }) => state === 'finished')).toBe(true);
      expect(all.find(({ run }) => run === first?.run)?.out).toBe(first?.out);
      expect(all).toHaveLength(out.includes('{input}') ? 3 : 2);
      const lines = Object.values(files).flat();
      const wanted = lines.map((line) => line.split(',')[0]).toSorted(byName);
      expect(told.flat().toSorted(byName)).toEqual(wanted);
      expect(
        tables(dir)
          .flatMap((table) => namesIn(dir, table))
          .toSorted(byName),
      ).toEqual(wanted);
      expect((await platform.ledger()).doubled).toEqual([]);
    },
  );
});
