// sluice schedule: takes over when jobs are to be run, and lists it. Workers begin the runs.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stateOf } from '../../../app/settings/job-settings.js';
import { command, JSON_OPTION, STATE_OPTION } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { loadJobSettings } from '../../job-flags.js';
import { formatTable, formatTime } from '../../print/format.js';

const FOLDER = 'jobs';
const HEADER = ['job', 'schedule', 'time zone', 'catch-up', 'next (UTC)'];

export const scheduleCommand = command({
  builder: (yargs) =>
    yargs
      .positional('jobs', {
        type: 'string',
        array: true,
        describe: 'Job files, or names of those in jobs/ (default: all in jobs/)',
      })
      .options({
        remove: {
          type: 'array',
          string: true,
          describe: 'Names of jobs that are not run by themselves any more',
        },
        ...STATE_OPTION,
        ...JSON_OPTION,
      })
      .example('$0 schedule', 'Keep the schedules that the files in jobs/ state'),
  handler: async ({ jobs = [], remove = [], state: flag }) => {
    const environment = commandEnvironment();
    const state = stateOf(flag, environment);
    const isAll = jobs.length === 0 && remove.length === 0;
    const named = isAll ? filesIn(FOLDER) : jobs;
    const settings = await Promise.all(named.map((job) => loadJobSettings(job, { state })));
    const { keepSchedules } = await import('../../../app/queue/keep-schedules.js');
    const { changed, schedules } = await keepSchedules({ state, environment, settings, remove });
    const lines = changed.map(({ job, schedule }) =>
      schedule === undefined
        ? `${job} has no schedule any more.`
        : `${job} is run at ${schedule.pattern} (${schedule.timezone}).`,
    );
    const rows = schedules.map(({ job, pattern, timezone, catchUp, nextAt }) => [
      job,
      pattern,
      timezone,
      catchUp,
      formatTime(nextAt),
    ]);
    const json = schedules.map(({ nextAt, catchUp, ...one }) => ({
      ...one,
      catch_up: catchUp,
      next: formatTime(nextAt),
    }));
    const table = schedules.length === 0 ? ['No job has a schedule.'] : formatTable(HEADER, rows);
    return { json, lines: [...lines, ...table] };
  },
});

function filesIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => /\.ya?ml$/.test(name)).map((name) => join(folder, name));
}
