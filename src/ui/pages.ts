import { type Action, performAction, showAsking } from './action.js';
import { openChanges, showComparison } from './compare/compare-page.js';
import { forgetAction } from './forget/forget-people.js';
import { showJob, showJobs } from './jobs/jobs-page.js';
import { showLeads } from './leads/leads-page.js';
import { showLine } from './leads/line-page.js';
import type { Answering, Route, UiContext } from './page.js';
import { PATHS } from './paths.js';
import {
  cancelAction,
  exportAction,
  pauseAction,
  resumeAction,
  retryAction,
} from './run/change-run.js';
import { openReport, openTable, showRun } from './run/run-page.js';
import { showRuns } from './runs/runs-page.js';
import { showStarted, startAction } from './start/start-job.js';
import { showTry, showUpload, takeFile } from './try/columns-page.js';
import { tryAction } from './try/plan-page.js';
import { platformAction } from './try/platform-form.js';
import { UPLOAD_BYTES_MAX } from './try/uploads.js';

const PAGES: readonly (readonly [path: string, Answering])[] = [
  [PATHS.runs, showRuns],
  [PATHS.allRuns, showRuns],
  [PATHS.run, showRun],
  [PATHS.leads, showLeads],
  [PATHS.line, showLine],
  [PATHS.jobs, showJobs],
  [PATHS.job, showJob],
  [PATHS.compare, showComparison],
  [PATHS.started, showStarted],
  [PATHS.drop, showTry],
  [PATHS.columns, showUpload],
  [PATHS.table, openTable],
  [PATHS.report, openReport],
  [PATHS.changes, openChanges],
];

const ACTIONS: readonly Action[] = [
  pauseAction,
  resumeAction,
  cancelAction,
  retryAction,
  exportAction,
  startAction,
  forgetAction,
  tryAction,
  platformAction,
];

export function routesOf(context: UiContext): readonly Route[] {
  const get = (path: string, answer: Answering): Route => ({
    method: 'GET',
    path,
    answer: (visit) => answer(context, visit),
  });
  const post = (path: string, answer: Answering): Route => ({
    ...get(path, answer),
    method: 'POST',
  });
  return [
    ...PAGES.map(([path, answer]) => get(path, answer)),
    ...ACTIONS.flatMap((action) => [
      get(action.path, (...visit) => showAsking(action, ...visit)),
      post(action.path, (...visit) => performAction(action, ...visit)),
    ]),
    { ...post(PATHS.drop, takeFile), fileBytesMax: UPLOAD_BYTES_MAX },
  ];
}
