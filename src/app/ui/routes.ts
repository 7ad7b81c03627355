// Every page of `sluice ui`, and all that its forms do.
import type { UiAction, UiDownload, UiPage } from './page.js';
import { runsPage } from './runs-page.js';

export const PAGES: readonly UiPage[] = [runsPage];

export const ACTIONS: readonly UiAction[] = [];

export const DOWNLOADS: readonly UiDownload[] = [];
