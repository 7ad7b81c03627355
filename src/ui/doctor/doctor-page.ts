// The findings of `sluice doctor`, on a user's request.
import type { HealthCheck } from '../../app/doctor/examine-setup.js';
import { readEnvFile } from '../../app/settings/env-file.js';
import { resolveJobSettings } from '../../app/settings/job-settings.js';
import { loadJob } from '../../config/load-job.js';
import { jobFiles } from '../jobs/see-jobs.js';
import type { UiContext, UiPage } from '../page.js';
import { PATHS } from '../paths.js';
import { textIn, wordIn } from '../read-query.js';
import { droppedJobFile, droppedName } from '../try/uploads.js';
import { layOutDoctor } from './doctor-view.js';

export const doctorPage: UiPage = {
  path: PATHS.doctor,
  load: async (context, visit) => {
    const files = jobFiles().map((one) => ({ ...one, words: one.job, argument: one.job }));
    const dropped = droppedIn(context, textIn(visit, 'job'));
    const jobs = dropped === undefined ? files : [...files, dropped];
    const job = wordIn(
      visit,
      'job',
      jobs.map((one) => one.job),
    );
    const chosen = jobs.find((one) => one.job === job);
    const checks =
      textIn(visit, 'look') === undefined ? null : await examine(context, job, chosen?.file);
    const choices = jobs.map((one) => ({ value: one.job, words: one.words }));
    const argument = chosen?.argument;
    return { title: 'Doctor', body: layOutDoctor({ job, argument, jobs: choices, checks }) };
  },
};

/** The job of a dropped file, if it is one. */
function droppedIn({ state }: UiContext, job = '') {
  const file = droppedJobFile(state, job);
  if (file === undefined) return undefined;
  return { job, file, words: droppedName(state, job) ?? job, argument: file };
}

async function examine(
  { environment, state }: UiContext,
  job: string | undefined,
  file: string | undefined,
): Promise<readonly HealthCheck[]> {
  const load =
    job === undefined || file === undefined
      ? undefined
      : async () => {
          const stated = await loadJob(file, environment.variable, environment.checkFilled);
          // The state is that of these pages, whatever the file says.
          return { ...resolveJobSettings(job, { ...stated, state }, environment), file };
        };
  const nothing = { url: undefined, dialect: undefined, account: undefined, rate: undefined };
  const wish = { ...nothing, loadJob: load, state };
  const settings = { openEnvFile: () => readEnvFile(), environment: () => environment };
  // The checks need everything that a run needs, which takes longer to load than all pages together.
  const { examineSetup } = await import('../../app/doctor/examine-setup.js');
  const checks: HealthCheck[] = [];
  for await (const check of examineSetup(wish, settings)) checks.push(check);
  return checks;
}
