// Old runs go, and what would have to be paid for again stays.
import { expect, test } from 'vitest';
import { hasTerminal, talk } from '../helpers/at-terminal.js';
import { MAIN } from '../helpers/command-line.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, finishedRun, openPrepared, openWorkdir, people } from '../helpers/workdir.js';

const FLAGS = '--ask find_email,social_enrichment --set rate=off --state state.db --quiet';

test('prune takes ended runs and keeps fresh results, so that nothing is paid for twice', async () => {
  const sandbox = await startSandboxProcess();
  const dir = openWorkdir(sandbox.url);
  dir.write('old.csv', csv(people(10)));
  dir.write('new.csv', csv(people(1)));
  await dir.sluice(`enrich old.csv --out old-out.csv --fresh-for 1h ${FLAGS}`);
  await dir.sluice(`enrich new.csv --out new-out.csv --fresh-for 1d ${FLAGS}`);
  const prune = async (flags: string) => {
    const ended = await dir.sluice(`state prune ${flags} --json --state state.db`);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    return JSON.parse(ended.stdout) as Record<string, unknown>;
  };
  expect(await prune('--older-than 1h')).toMatchObject({ runs: 0, leads: 0 });
  const counted = { runs: 1, leads: 10, enrichments: 0, kept_fresh: 9 };
  expect(await prune('--older-than 0s --dry-run')).toMatchObject({ ...counted, removed: false });
  expect(await prune('--older-than 0s --yes')).toMatchObject({ ...counted, removed: true });
  expect(await dir.refusal('export 1 --state state.db')).toContain('no run 1');
  expect(dir.rows('old-out.csv')).toHaveLength(10);
  await dir.sluice(`enrich old.csv --out again.csv --fresh-for 1h ${FLAGS}`);
  expect(await sandbox.ledger()).toMatchObject({ accepted: 10, doubled: [] });
  expect(dir.rows('again.csv').every((row) => row['source'] === 'cache')).toBe(true);
});

test('prune removes nothing before a yes', async () => {
  const dir = openWorkdir();
  dir.write('old.csv', csv(people(2)));
  dir.write('new.csv', csv(people(1, 40)));
  await dir.sluice(`enrich old.csv --out old-out.csv --fresh-for 1ms --url sandbox ${FLAGS}`);
  await dir.sluice(`enrich new.csv --out new-out.csv --fresh-for 1ms --url sandbox ${FLAGS}`);
  const PRUNE = 'state prune --older-than 1ms --state state.db';
  expect(await dir.refusal(PRUNE)).toContain(
    'Nothing was removed. state.db holds 1 run, 2 leads, 2 enrichments, 2 results. To remove them, repeat this with --yes.',
  );
  expect((await dir.sluice(`${PRUNE} --dry-run`)).stdout).toMatch(/^Would remove: 1 run, 2 leads/);
  if (!hasTerminal) return;
  const command = `'${process.execPath}' '${MAIN}' ${PRUNE}`;
  const question =
    'Remove 1 run, 2 leads, 2 enrichments, 2 results permanently from state.db? [y/N]';
  const kept = await talk(dir.path, command, [[question, 'n\r']]);
  expect(kept.said).toContain('Nothing was removed.');
  const removed = await talk(dir.path, command, [[question, 'y\r']]);
  expect(removed.said).toContain('Removed: 1 run, 2 leads');
});

test('prune says what it wants', async () => {
  const dir = await openPrepared(finishedRun);
  expect(await dir.refusal('state prune --older-than soon --state state.db')).toContain('90d');
  expect((await dir.sluice('state prune --state state.db')).code).toBe(2);
});
