// Every page of `sluice ui`, and the actions of its forms.
import { askingPage, performing } from './action.js';
import { changesDownloads, compareRunsPage } from './compare/compare-page.js';
import { jobPage, jobsPage } from './jobs/jobs-page.js';
import { pauseAction, resumeAction } from './jobs/pause-job.js';
import { leadsPage } from './leads/leads-page.js';
import { linePage } from './leads/line-page.js';
import type { UiAction, UiDownload, UiPage } from './page.js';
import { cancelAction, exportAction, retryAction } from './run/change-run.js';
import { reportDownload, runPage, tableDownloads } from './run/run-page.js';
import { runsPage } from './runs/runs-page.js';
import { startAction } from './start/start-job.js';
import { startedPage } from './start/started-page.js';
import { columnsPage, dropAction, tryPage } from './try/columns-page.js';
import { tryPlanPage, tryStartAction } from './try/plan-page.js';

const STEERING = [
  pauseAction,
  resumeAction,
  cancelAction,
  retryAction,
  exportAction,
  startAction,
] as const;

export const PAGES: readonly UiPage[] = [
  runsPage,
  runPage,
  leadsPage,
  linePage,
  jobsPage,
  jobPage,
  compareRunsPage,
  startedPage,
  tryPage,
  columnsPage,
  tryPlanPage,
  ...STEERING.map(askingPage),
];

export const ACTIONS: readonly UiAction[] = [
  dropAction,
  tryStartAction,
  ...STEERING.map(performing),
];

export const DOWNLOADS: readonly UiDownload[] = [
  ...tableDownloads,
  reportDownload,
  ...changesDownloads,
];
