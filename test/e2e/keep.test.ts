// A job with `keep`: what is older goes at the end of its runs, and nothing is paid for twice.
import { expect, test } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { ageEnrichments, ageRuns, countRows, plantSize } from '../helpers/state.js';
import {
  complaintOf,
  csv,
  finishedRun,
  openPrepared,
  openWorkdir,
  people,
  type Workdir,
} from '../helpers/workdir.js';

const DAY = 86_400_000;
const FLAGS = '--ask find_email --set rate=off --state state.db --quiet';

/** As if everything in the state file had happened so long ago. */
async function age(dir: Workdir, days: number): Promise<void> {
  await ageRuns(dir.at('state.db'), days * DAY);
  ageEnrichments(dir.at('state.db'), () => days * DAY);
}

test('nights with keep need no prune: old runs go, and fresh answers stay', async () => {
  const sandbox = await startSandboxProcess();
  const dir = openWorkdir(sandbox.url);
  dir.write('inbox/monday.csv', csv(people(9)));
  dir.write(
    'nightly.yaml',
    'input: inbox/*.csv\nout: "{input}-{run}.csv"\nask: [find_email]\nfresh-for: 60d\nkeep: 60d\nrate: off\nstate: state.db\n',
  );
  const night = () => dir.sluice('run nightly.yaml --quiet');
  expect(await night()).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  await age(dir, 40);
  // The same people and one more: their answers are shared.
  dir.write('inbox/tuesday.csv', csv(people(10)));
  expect((await night()).code).toBe(0);
  expect(await countRows(dir.at('state.db'))).toMatchObject({ leads: 19, enrichments: 10 });
  // A night without new files keeps as well; what a younger run shows stays with it.
  await age(dir, 30);
  expect((await night()).code).toBe(0);
  expect(await countRows(dir.at('state.db'))).toMatchObject({ leads: 10, enrichments: 10 });
  await age(dir, 40);
  dir.write('inbox/wednesday.csv', csv(people(1, 40)));
  expect((await night()).code).toBe(0);
  expect(await countRows(dir.at('state.db'))).toMatchObject({
    leads: 1,
    enrichments: 1,
    results: 1,
  });
  const runs = await dir.sluice('runs --ndjson --state state.db');
  expect(JSON.parse(runs.stdout)).toMatchObject({ run: 3 });
  expect(await sandbox.ledger()).toMatchObject({ accepted: 11, doubled: [] });
});

test('a keep that is shorter than the fresh-for of any job is refused, before anything is done', async () => {
  const dir = openWorkdir((await startSandboxProcess()).url);
  dir.write('leads.csv', csv(people(2)));
  await dir.sluice(`enrich leads.csv --out out.csv --fresh-for 90d ${FLAGS}`);
  dir.write('other.csv', csv(people(1, 40)));
  const flags = FLAGS.replace(' --quiet', '');
  for (const command of ['plan other.csv', 'enrich other.csv --out o.csv']) {
    const refused = await dir.sluice(`${command} --fresh-for 1h --set keep=30d ${flags}`);
    expect(refused.code).toBe(2);
    expect(complaintOf(refused)).toMatch(/keep is 30d, and .*leads\.csv .* 90d .* 90d or more/);
    const env = { SLUICE_KEEP: '30d' };
    expect((await dir.sluice(`${command} ${flags}`, { env })).code).toBe(2);
  }
  expect(await countRows(dir.at('state.db'))).toMatchObject({ runs: 1 });
  const env = { SLUICE_KEEP: '90d' };
  expect((await dir.sluice(`enrich other.csv --out o.csv ${FLAGS}`, { env })).code).toBe(0);
});

test('status and plan say how large the state file is, and how fast it grows', async () => {
  const dir = await openPrepared(finishedRun, 'sandbox');
  await plantSize(dir.at('state.db'), 0, 2 * DAY);
  const flags = FLAGS.replace(' --quiet', '');
  for (const command of ['status --state state.db', `plan leads.csv ${flags}`]) {
    const told = await dir.sluice(command);
    expect(told.stdout).toMatch(/^ *state size +[\d.]+ [KM]B.*, growing by [\d.]+ [KM]B a day$/m);
    const { stdout } = await dir.sluice(`${command} --json`);
    expect(JSON.parse(stdout)).toMatchObject({
      state_bytes: expect.any(Number),
      state_unused_bytes: expect.any(Number),
      state_log_bytes: expect.any(Number),
      state_bytes_a_day: expect.any(Number),
    });
  }
});
