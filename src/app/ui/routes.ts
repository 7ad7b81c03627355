// Every page of `sluice ui`, and the actions of its forms.
import { askingPage, performing } from './actions/action.js';
import { cancelAction } from './actions/cancel-run.js';
import { exportAction } from './actions/export-run.js';
import { pauseAction, resumeAction } from './actions/pause-job.js';
import { retryAction } from './actions/retry-run.js';
import { startAction } from './actions/start-job.js';
import { startedPage } from './actions/started-page.js';
import { compareRunsPage } from './compare-runs-page.js';
import { doctorPage } from './doctor-page.js';
import { changesDownloads, comparisonDownload } from './downloads/compare-downloads.js';
import { reportDownload, tableDownloads } from './downloads/run-downloads.js';
import { jobPage, jobsPage } from './jobs-page.js';
import { leadsPage } from './leads-page.js';
import { linePage } from './line-page.js';
import type { UiAction, UiDownload, UiPage } from './page.js';
import { runPage } from './run-page.js';
import { runsPage } from './runs-page.js';
import { columnsPage, dropAction, tryPage, tryPlanPage, tryStartAction } from './try/try-pages.js';

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
  doctorPage,
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
  comparisonDownload,
];
