// sluice schedule: lists the schedules of jobs, sets them as the job files state them, and removes them. Workers begin
// the runs.
import { stateOf } from '../../../app/settings/command-settings.js';
import { ownJobs } from '../../../app/settings/own-job.js';
import type { KeptSchedule } from '../../../ports/store/jobs.js';
import { isDatabase } from '../../../store/open-store.js';
import type { Page } from '../../../tell/page.js';
import { tellSchedules } from '../../../tell/tell-lists.js';
import { command } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { loadJobSettings } from '../../job-flags.js';
import { withStateOrNew } from '../../open-state.js';
import { LIST_OPTIONS, needed, STATE_OPTION, texts } from '../../options.js';

const applyCommand = command({
  command: 'apply [jobs..]',
  describe: 'Take over what job files say',
  args: { jobs: texts('Job files, or names of those in jobs/ (default: all in jobs/)') },
  options: { ...STATE_OPTION, ...LIST_OPTIONS },
  handler: ({ jobs = [], state }) =>
    change(state, jobs.length === 0 ? [...ownJobs().values()] : jobs, []),
});

const removeCommand = command({
  command: 'remove <jobs..>',
  describe: 'Have jobs not run by themselves any more',
  args: { jobs: needed('Names of jobs that have a schedule', { array: true }) },
  options: { ...STATE_OPTION, ...LIST_OPTIONS },
  handler: ({ jobs, state }) => change(state, [], jobs),
});

export const scheduleCommand = command({
  options: { ...STATE_OPTION, ...LIST_OPTIONS },
  examples: { 'sluice schedule apply': 'Keep the schedules that the files in jobs/ state' },
  commands: [applyCommand, removeCommand],
  handler: ({ state }) =>
    withStateOrNew(
      state,
      async (store, path) => list(await store.schedules(), path),
      () => list([], stateOf(state, commandEnvironment())),
    ),
});

/** `wanted` are jobs whose schedules are to be as their files state them. */
async function change(
  flag: string | undefined,
  wanted: readonly string[],
  remove: readonly string[],
): Promise<Page> {
  const environment = commandEnvironment();
  const state = stateOf(flag, environment);
  const settings = await Promise.all(wanted.map((job) => loadJobSettings(job, { state })));
  const { keepSchedules } = await import('../../../app/queue/keep-schedules.js');
  const { changed, schedules } = await keepSchedules(state, environment, settings, remove);
  const changes = changed.map(({ job, schedule, timezone }) =>
    schedule === undefined
      ? `${job} has no schedule any more.`
      : `${job} is run at ${schedule} (${timezone ?? 'UTC'}).`,
  );
  return list(schedules, state, changes);
}

function list(
  schedules: readonly KeptSchedule[],
  state: string,
  changes: readonly string[] = [],
): Page {
  const none = isDatabase(state)
    ? 'No job has a schedule. "sluice schedule apply" takes over what job files say.'
    : 'No job has a schedule. Workers run jobs by a schedule, with a state in PostgreSQL (docs/several-machines.md). With a state file, cron runs a job (docs/cron.md).';
  return tellSchedules(schedules, none, changes);
}
