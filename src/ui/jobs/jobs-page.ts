// The list of jobs that can be run, and the page of one of them.
import type { JobFile } from '../../config/job-schema.js';
import { html } from '../../html/markup.js';
import { SluiceError } from '../../model/errors.js';
import { liveSection } from '../layout.js';
import type { UiPage } from '../page.js';
import { PATHS } from '../paths.js';
import { seeRuns } from '../runs/see-runs.js';
import { layOutJob, layOutJobRuns, layOutJobs } from './jobs-view.js';
import { seeJobs } from './see-jobs.js';

const RUNS_SHOWN = 10;

export const jobsPage: UiPage = {
  path: PATHS.jobs,
  load: async (context) => {
    const jobs = await seeJobs(context);
    return {
      title: 'Jobs',
      body: layOutJobs(
        jobs.map(({ line }) => line),
        context.isReadOnly,
      ),
    };
  },
};

export const jobPage: UiPage = {
  path: PATHS.job,
  load: async (context, visit) => {
    const { job = '' } = visit.params;
    const [seen] = await seeJobs(context, job);
    if (seen === undefined) {
      throw new SluiceError(
        'usage',
        `There is no job ${job}: no file of that name in jobs/, and no run.`,
        {
          job,
        },
      );
    }
    const { lines } = await seeRuns(context, { job }, RUNS_SHOWN);
    const runs = liveSection('runs', layOutJobRuns(seen.line, lines));
    const head = layOutJob({
      job: seen.line,
      isReadOnly: context.isReadOnly,
      stated: statedIn(seen.stated),
    });
    return {
      title: `Job ${seen.line.dropped ?? job}`,
      body: html`${head}${runs.markup}`,
      live: [runs],
    };
  },
};

/** The keys of a job file that are shown: a notice may hold a secret, and addresses may hold tokens. */
const SHOWN_KEYS = [
  'input',
  'out',
  'ask',
  'map',
  'where',
  'only-missing',
  'limit',
  'sample',
  'budget',
  'caps',
  'fresh-for',
  'deadline',
  'account',
  'dialect',
  'submit',
  'collect',
  'rate',
  'concurrency',
  'list',
  'key',
  'columns',
  'fill',
  'schedule',
  'timezone',
  'catch-up',
  'state',
] as const satisfies readonly (keyof JobFile)[];

function statedIn(stated: JobFile | undefined): readonly (readonly [string, string])[] {
  if (stated === undefined) return [];
  return SHOWN_KEYS.flatMap((key) => {
    const value = stated[key];
    return value === undefined ? [] : [[key, textOf(value)] as const];
  });
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.join(', ');
  if (isTexts(value)) {
    return Object.entries(value)
      .map(([name, text]) => `${name} = ${text}`)
      .join(', ');
  }
  return JSON.stringify(value);
}

/** Whether a value consists of texts, such as a mapping. */
function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((one) => typeof one === 'string')
  );
}
