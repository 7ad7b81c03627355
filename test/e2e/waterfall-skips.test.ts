// A waterfall that does not wait: for a step that cannot be asked, and for requests of unknown fate.
import { describe, expect, test } from 'vitest';
import { isLong } from '../helpers/long.js';
import type { SandboxProcess } from '../helpers/sandbox-process.js';
import {
  type ChainStep,
  jobOf,
  judgeWaterfall,
  openPlace,
  RUN,
  startThree,
} from '../helpers/waterfall.js';
import { people, type Workdir } from '../helpers/workdir.js';

const SKIP = 'on-unavailable: skip\n';

/** Every row as the platforms say; returns the words of `sluice_tried`. */
async function expectRight(dir: Workdir, steps: readonly ChainStep[]): Promise<string[]> {
  const rows = dir.rows('out.csv');
  const judged = await judgeWaterfall(steps, rows);
  expect(judged).toMatchObject({ problems: [], unused: [] });
  return rows.flatMap((row) => row['sluice_tried']?.split(' ') ?? []);
}

/** No platform was asked for one person twice, whatever it was asked. */
async function expectOnce(sandboxes: Readonly<Record<string, SandboxProcess>>): Promise<void> {
  for (const sandbox of Object.values(sandboxes)) {
    const asked = (await sandbox.entries()).map(({ inputs }) => JSON.stringify(inputs));
    expect(asked).toEqual([...new Set(asked)]);
  }
}

describe.concurrent('a step that cannot be asked', () => {
  test('is passed over where its credits are used up, and asked by retry alone', async () => {
    const { sandboxes, steps } = await startThree({ first: '--credits 30' });
    const dir = openPlace(steps, people(20)).write('job.yaml', jobOf(steps, SKIP));
    const ended = await dir.sluice(RUN.replace(' --quiet', ''));
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(
      /Step first: The platform's account is out of credits .* \d+ leads did not wait for it \(on-unavailable: skip\)/,
    );
    const tried = await expectRight(dir, steps);
    for (const word of ['first:found', 'first:unavailable', 'second:found']) {
      expect(tried).toContain(word);
    }
    expect(await dir.json('status --state state.db')).toMatchObject({
      state: 'finished',
    });

    await sandboxes.first.giveCredits(10_000);
    const asked = (await sandboxes.first.entries()).length;
    const failed = dir.rows('out.csv').filter((row) => row['sluice_status'] === 'failed').length;
    expect(failed).toBeGreaterThan(0);
    expect(await dir.sluice('export 1 --state state.db')).toMatchObject({ code: 0 });
    expect(await sandboxes.first.entries()).toHaveLength(asked);

    // The next run leaves the step out for the same leads: what the second one has found is not paid for again.
    const paid = (await sandboxes.second.ledger()).charged;
    const later = await dir.sluice(RUN.replace(' --quiet', ''));
    expect(later.code).toBe(1);
    expect(later.stdout + later.stderr).toMatch(
      new RegExp(`a step that was unavailable was not asked for ${failed} leads?\\.`),
    );
    expect(await expectRight(dir, steps)).toContain('first:unavailable');
    expect(await sandboxes.first.entries()).toHaveLength(asked);
    expect((await sandboxes.second.ledger()).charged).toBe(paid);

    expect(await dir.json('retry 5 --state state.db')).toMatchObject({ queued: failed });
    expect([0, 1]).toContain((await dir.sluice(RUN)).code);
    expect(await sandboxes.first.entries()).toHaveLength(asked + failed);
    // The second step had been asked before the first one had an answer; all values are as ever.
    const { problems } = await judgeWaterfall(steps, dir.rows('out.csv'));
    expect(problems.filter((one) => !one.includes('sluice_tried is'))).toEqual([]);
    await expectOnce(sandboxes);
  });

  test('is passed over where its budget is used up', async () => {
    const { sandboxes, steps } = await startThree();
    const bounded = steps.map((step) =>
      step.name === 'second' ? { ...step, more: 'budget: 12' } : step,
    );
    const dir = openPlace(steps, people(20)).write('job.yaml', jobOf(bounded, SKIP));
    expect([0, 1]).toContain((await dir.sluice(RUN)).code);
    expect(await expectRight(dir, steps)).toContain('second:unavailable');
    expect((await sandboxes.second.ledger()).charged).toBeLessThanOrEqual(12);
    // A later run does not spend the budget again for the same leads.
    const again = await dir.sluice(RUN.replace(' --quiet', ''));
    expect([0, 1]).toContain(again.code);
    expect(again.stderr).not.toContain('Raise');
    expect((await sandboxes.second.ledger()).charged).toBeLessThanOrEqual(12);
  });

  test.runIf(isLong)('is passed over where the cap of its account is met', async () => {
    const { sandboxes, steps } = await startThree();
    const dir = openPlace(steps, people(20)).write(
      'job.yaml',
      jobOf(steps, `caps: {day: 60}\n${SKIP}`),
    );
    expect([0, 1]).toContain((await dir.sluice(RUN)).code);
    expect(await expectRight(dir, steps)).toContain('first:unavailable');
    expect((await sandboxes.first.ledger()).charged).toBeLessThanOrEqual(60);
  });

  test.runIf(isLong).each(['second', 'first', 'check'])(
    'is passed over where %s is down',
    async (name) => {
      const { sandboxes, steps } = await startThree();
      const placed = steps.map((step) =>
        step.name === name ? { ...step, url: 'http://127.0.0.1:9' } : step,
      );
      const dir = openPlace(placed, people(20)).write('job.yaml', jobOf(placed, SKIP));
      expect([0, 1]).toContain((await dir.sluice(RUN)).code);
      // The judge asks no platform that is not there.
      expect(await expectRight(dir, steps)).toContain(`${name}:unavailable`);
      expect(await sandboxes[name as 'first'].ledger()).toMatchObject({ requests: 0 });
    },
  );

  test('is passed over where it refuses the credentials, alone if it says so itself', async () => {
    const { sandboxes, steps } = await startThree();
    const own = steps.map((step) =>
      step.name === 'first' ? { ...step, more: SKIP.trim() } : step,
    );
    const dir = openPlace(own, people(12));
    const wrong = dir.text('accounts.yaml');
    dir.write(
      'accounts.yaml',
      wrong.replace(
        'first: {username: sandbox, password: sandbox',
        'first: {username: sandbox, password: wrong',
      ),
    );
    expect([0, 1]).toContain((await dir.sluice(RUN)).code);
    expect(await expectRight(dir, steps)).toContain('first:unavailable');
    expect(await sandboxes.first.ledger()).toMatchObject({ accepted: 0 });
    // Others wait as ever.
    dir.write(
      'accounts.yaml',
      wrong.replace(
        'second: {username: sandbox, password: sandbox',
        'second: {username: sandbox, password: wrong',
      ),
    );
    dir
      .write('job.yaml', jobOf(own))
      .write('leads.csv', 'first_name,last_name,domain\nMax,New,new.com\n');
    expect((await dir.sluice(RUN)).code).toBe(4);
  });
});

describe.concurrent('a request of unknown fate', () => {
  const UNKNOWN = 'on-uncertain: skip\n';

  test('that is uncertain is passed over, and the row says so', async () => {
    const { sandboxes, steps } = await startThree({ first: '--fault drop-after=0.3' });
    const dir = openPlace(steps, people(20)).write('job.yaml', jobOf(steps, UNKNOWN));
    await dir.sluice(RUN);
    const rows = dir.rows('out.csv');
    const passed = rows.filter((row) => /first:uncertain second:/.test(row['sluice_tried'] ?? ''));
    expect(passed.length).toBeGreaterThan(0);
    expect(passed.filter((row) => row['sluice_status'] === 'found').length).toBeGreaterThan(0);
    expect(passed.map((row) => row['sluice_status'])).not.toContain('not_found');
    await expectOnce(sandboxes);
    // It is sent again only where the user says so, and then waited for.
    const sent = (await sandboxes.first.entries()).length;
    await dir.sluice(RUN);
    expect(await sandboxes.first.entries()).toHaveLength(sent);
  });

  test('waits where nothing else is said', async () => {
    const { steps } = await startThree({ first: '--fault drop-after=0.3' });
    const dir = openPlace(steps, people(20));
    await dir.sluice(RUN);
    const words = dir.rows('out.csv').map((row) => row['sluice_tried'] ?? '');
    expect(words).toContain('first:uncertain');
    expect(words.filter((word) => /first:uncertain second/.test(word))).toEqual([]);
  });
});
