// A drop folder whose files have different columns, each with a run and a table of its own.
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkInput } from '../../../src/app/doctor/check-input.js';
import { systemClock } from '../../../src/app/system-clock.js';
import { NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import { planJob, runJob } from '../../../src/index.js';
import { sqliteExaminer } from '../../../src/store/sqlite/state-checkup.js';
import { ENVIRONMENT, openJobs } from '../job-runs.js';

const jobs = await openJobs();
const environment = ENVIRONMENT;

const GERMAN = 'Vorname,Nachname,Webseite\nEve1,Byron,firm1.com\n';
const ENGLISH = 'First Name,Last Name,Company Domain\nEve2,Byron,firm2.com\nEve3,Byron,firm3.com\n';
const OTHER = 'a,b\n1,2\n';

function jobOver(files: Readonly<Record<string, string>>) {
  const at = jobs.openFolder('in');
  for (const [name, text] of Object.entries(files)) writeFileSync(at(`in/${name}`), text);
  return jobs.jobOf('mixed', {
    input: at('in/*.csv'),
    out: at('{input}-out.csv'),
    state: at('state.db'),
  });
}

function check(settings: ReturnType<typeof jobOver>) {
  return checkInput({
    settings,
    dialect: NEUTRAL_DIALECT,
    wish: {
      loadJob: undefined,
      account: undefined,
      url: undefined,
      dialect: undefined,
      state: undefined,
      rate: undefined,
      openEnvFile: () => undefined,
      environment: () => environment,
    },
    environment,
    examiner: sqliteExaminer,
    clock: systemClock,
    state: settings.state,
  });
}

it('is planned as it is run: each file by its own columns', async () => {
  const job = jobOver({ 'a.csv': GERMAN, 'b.csv': ENGLISH });
  const plan = await planJob(job, { environment });
  expect(plan).toMatchObject({ leads: 3, skipped: [], toPay: 3, creditsMax: 15 });
  const reports = await runJob(job, { environment });
  expect(reports.map(({ tally }) => tally.enrichments)).toEqual([1, 2]);
});

it('is looked at file by file by the doctor', async () => {
  expect(await check(jobOver({ 'a.csv': GERMAN, 'b.csv': ENGLISH }))).toMatchObject({
    verdict: 'ok',
    says: expect.stringMatching(/^2 files: firstName = Vorname, .*; or firstName = First Name, /),
  });
  await expect(check(jobOver({ 'a.csv': GERMAN, 'x.csv': OTHER }))).rejects.toThrow(
    /x\.csv: No column/,
  );
});
