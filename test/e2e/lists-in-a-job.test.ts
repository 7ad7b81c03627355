// The outcome of a job in a contact list: who goes in, what is refused before anything is paid for, and that
// whatever dies on the way makes no second list. The sandbox is the judge.
import { describe, expect, test } from 'vitest';
import type { Running } from '../helpers/command-line.js';
import { listsOf, type Strike, startGate } from '../helpers/list-gate.js';
import { inBrief } from '../helpers/long.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import {
  complaintOf,
  csv,
  finishedRun,
  openPrepared,
  openWorkdir,
  people,
} from '../helpers/workdir.js';

const ENRICH =
  'enrich leads.csv --out out.csv --ask find_email --set rate=off --state state.db --quiet';
const JOB = `input: leads.csv
out: out.csv
ask: [find_email]
rate: 'off'
state: state.db
list:
  name: '{job} of {date}'
  where: email_status = deliverable
`;

async function openShop(count = 6, flags?: string) {
  const sandbox = await startSandboxProcess(flags);
  const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(count)));
  return { sandbox, dir, lists: () => listsOf(sandbox.url) };
}

function words(line: string, ...more: readonly string[]): string[] {
  return [...line.split(' '), ...more];
}

describe.concurrent('the leads of a job in a contact list', () => {
  test('are those whose row is chosen; the next run makes the next list', async () => {
    const { dir, lists } = await openShop(12);
    dir.write('jobs/nightly.yaml', JOB);
    const ended = await dir.sluice('run nightly --json');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const date = new Date().toISOString().slice(0, 10);
    const chosen = dir.rows('out.csv').filter((row) => row['email_status'] === 'deliverable');
    expect(chosen.length).toBeGreaterThan(0);
    expect(chosen.length).toBeLessThan(12);
    const [list, ...others] = await lists();
    expect(others).toEqual([]);
    expect(list?.name).toBe(`nightly of ${date}`);
    expect(list?.members.map(({ email }) => email)).toEqual(chosen.map((row) => row['email']));
    expect(JSON.parse(ended.stdout)).toMatchObject({ list: list?.id, listed: chosen.length });

    const told = await dir.sluice('run nightly');
    expect(told.stderr).toMatch(new RegExp(`^list +nightly of ${date} [(]clt_`, 'm'));
    expect(told.stderr).toContain(`): ${chosen.length} leads added`);
    expect((await lists()).map(({ membersCount }) => membersCount)).toEqual([
      chosen.length,
      chosen.length,
    ]);
  });

  test('are all of whom an address is known, where nothing chooses; lists are made after the answers', async () => {
    const { dir, sandbox, lists } = await openShop();
    const gate = await startGate(sandbox.url, () => undefined);
    await dir.sluice(words(ENRICH, '--set', 'list.name=Everybody', '--url', gate.url));
    const found = dir.rows('out.csv').flatMap((row) => row['email'] || []);
    const [list] = await lists();
    expect(list?.name).toBe('Everybody');
    expect(list?.members.map(({ email }) => email)).toEqual(found);
    expect(gate.asked.at(-2)).toBe('POST /contacts/lists');
    expect(gate.asked.at(-1)).toMatch(/^POST \/contacts\/lists\/clt_\w+\/entities$/);
  });

  test('go in after a retry as well, once they are found', async () => {
    const { dir, sandbox, lists } = await openShop(3, '--latency 8s --sigma 0');
    const listed = words(ENRICH, '--set', 'list.name=Warm', '--json');
    const early = await dir.sluice([...listed, '--set', 'deadline=1s']);
    expect(early.code).toBe(1);
    expect(JSON.parse(early.stdout)).toMatchObject({ run: 1, listed: 0 });
    await sandbox.ready();
    await dir.sluice('retry 1 --only timed_out --state state.db');
    const late = await dir.sluice(listed);
    expect(JSON.parse(late.stdout)).toMatchObject({ run: 1, listed: 3 });
    expect((await lists()).map(({ membersCount }) => membersCount)).toEqual([3]);
  });
});

describe.concurrent('what is refused before anything is sent', () => {
  test.each([
    [['--set', `list.name=${'x'.repeat(201)}`], 'is 201 characters long'],
    [['--set', `list.name=${'x'.repeat(191)}{date}`], 'is 201 characters long'],
    [['--set', `list.name=${'🙂'.repeat(200)}`], 'is 400 characters long'],
    [['--set', 'list.name= '], 'is empty'],
    [['--set', 'list.name='], '--set list.name: it is empty.'],
    [['--set', 'list.name=Warm', '--set', 'list.where='], '--set list.where: it is empty.'],
    [
      ['--set', 'list.name=Warm', '--set', 'list.where=email_status'],
      'the column email_status says neither true nor false',
    ],
    [['--set', 'list.name={run}'], '{job} and {date} have one'],
    [
      ['--set', 'list.name=Warm', '--set', 'list.where=email_statsu = deliverable'],
      'Did you mean "email_status"?',
    ],
    [['--set', 'list.name=Warm', '--set', 'list.where=email ='], 'character 8'],
    [['--set', 'list.where=email is empty'], '--set list.name: it is missing'],
  ])('%j: exit 2', async (flags, said) => {
    const gate = await startGate('http://127.0.0.1:1', () => 500);
    const dir = openWorkdir(gate.url).write('leads.csv', csv(people(2)));
    expect(await dir.refusal(words(ENRICH, ...flags))).toContain(said);
    expect(gate.asked).toEqual([]);
    expect(dir.has('out.csv')).toBe(false);
  });

  test('a plan tells the name of the list and who goes in', async () => {
    const dir = openWorkdir('http://127.0.0.1:1').write('leads.csv', csv(people(2)));
    const plan = words('plan leads.csv --ask find_email --set list.name=Warm_{date}');
    const date = new Date().toISOString().slice(0, 10);
    expect((await dir.sluice(plan)).stdout).toContain(
      `\nlist            Warm_${date}: every lead, if an e-mail or profile is known\n`,
    );
    const chosen = await dir.sluice([...plan, '--set', 'list.where=email is not empty']);
    expect(chosen.stdout).toContain(`Warm_${date}: the leads where email is not empty, if an`);
    expect((await dir.sluice('plan leads.csv --ask find_email')).stdout).not.toContain('list  ');
  });
});

describe.concurrent('a command that is killed', () => {
  /** Runs until it is killed at the first request like this one. */
  async function killedAt(like: RegExp, when: 'before' | 'after') {
    const { sandbox, dir, lists } = await openShop();
    let run: Running | undefined;
    let seen = 0;
    const strike: Strike = (asked) => {
      if (!like.test(asked)) return undefined;
      seen += 1;
      return seen === 1 ? { when, act: () => run?.child.kill('SIGKILL') } : undefined;
    };
    const gate = await startGate(sandbox.url, strike);
    const line = words(ENRICH, '--set', 'list.name=Warm', '--url', gate.url);
    run = dir.start(line);
    expect(await run.ended).toMatchObject({ signal: 'SIGKILL' });
    return { sandbox, dir, lists, gate, goOn: () => dir.sluice(line) };
  }

  async function expectAllIn({ dir, lists }: Awaited<ReturnType<typeof killedAt>>) {
    const found = dir.rows('out.csv').flatMap((row) => row['email'] || []);
    expect(found.length).toBeGreaterThan(0);
    const filled = (await lists()).filter(({ membersCount }) => membersCount > 0);
    expect(filled.map(({ members }) => members.map(({ email }) => email))).toEqual([found]);
  }

  test.each(
    inBrief(
      [['before it heard from the platform', 'after', 1]],
      [['before the platform heard of the list', 'before', 0]],
    ),
  )(
    '%s never creates it again, and goes on with the one that the user names',
    async (_, when, count) => {
      const shop = await killedAt(/^POST \/contacts\/lists$/, when);
      for (let again = 0; again < 2; again += 1) {
        const stopped = await shop.goOn();
        expect(stopped.code).toBe(4);
        expect(complaintOf(stopped)).toContain('sluice lists adopt 1 clt_…');
        expect(await shop.lists()).toHaveLength(count);
      }
      expect(shop.dir.rows('out.csv')).toHaveLength(6);

      if (count === 0) await shop.dir.sluice(['lists', 'create', 'Warm', '--rate', 'off']);
      const [list] = await shop.lists();
      const adopt = words('lists adopt 1', list?.id ?? '', '--state', 'state.db');
      expect(await shop.dir.sluice(adopt)).toMatchObject({ code: 0, stderr: '' });
      expect(await shop.goOn()).toMatchObject({ code: 0 });
      expect(await shop.lists()).toHaveLength(1);
      await expectAllIn(shop);
      expect(complaintOf(await shop.dir.sluice(adopt))).toMatch(/Run 1 has put leads into .*clt_/);
    },
  );
});

describe.concurrent('a platform that does not make the list', () => {
  test.each([
    ['breaks off', 500, 1],
    ['refuses', 409, 2],
  ] as const)(
    '%s: exit 4, the answers are saved, and no list is made twice',
    async (_, status, tries) => {
      const { dir, lists, sandbox } = await openShop();
      const gate = await startGate(sandbox.url, (asked) =>
        asked === 'POST /contacts/lists' ? status : undefined,
      );
      const line = words(ENRICH, '--set', 'list.name=Warm', '--url', gate.url);
      for (let again = 0; again < 2; again += 1) {
        expect(await dir.refusal(line, { code: 4 })).toContain('"Warm"');
      }
      expect(gate.asked.filter((asked) => asked === 'POST /contacts/lists')).toHaveLength(tries);
      expect(await lists()).toEqual([]);
      expect(dir.rows('out.csv').every((row) => row['sluice_status'] !== 'queued')).toBe(true);
      expect(await sandbox.ledger()).toMatchObject({ accepted: 6, doubled: [] });
    },
  );

  test('is not the one to ask for a run that wants none', async () => {
    const dir = await openPrepared(finishedRun);
    expect(await dir.refusal('lists adopt 1 clt_1 --state state.db')).toBe(
      'Run 1 has no contact list.',
    );
    expect((await dir.sluice('lists adopt 7 clt_1 --state state.db')).code).toBe(2);
  });
});
