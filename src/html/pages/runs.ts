// The list of runs, newest first.
import type { Run } from '../../model/run.js';
import type { RunTally } from '../../model/tally.js';
import { html, type Markup } from '../markup.js';
import { dataTable } from '../parts.js';

const COLUMNS = [
  { name: 'Run', isNumber: true },
  { name: 'Job' },
  { name: 'State' },
  { name: 'Leads', isNumber: true },
  { name: 'Found', isNumber: true },
  { name: 'Credits', isNumber: true },
];

export function layOutRuns(
  runs: readonly { readonly run: Run; readonly tally: RunTally }[],
): Markup {
  const rows = runs.map(({ run, tally }) => [
    run.id,
    run.job,
    run.state,
    tally.leads,
    tally.byStatus.found,
    tally.credits,
  ]);
  return html`<h1>Runs</h1>${dataTable({ caption: 'Runs', isCaptionHidden: true, columns: COLUMNS, rows })}`;
}
