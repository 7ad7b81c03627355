// The report of a run as one HTML file: it reads nothing else, and shows no person unless it was given samples.
import type { RunFigures } from '../../model/report/run-figures.js';
import { formatCount } from '../../model/text/count.js';
import { html, type Markup } from '../markup.js';
import { dataTable, statusBadge } from '../parts.js';

/** What the first bytes of every report hold, by which it is known again. */
export const REPORT_SIGN = '<meta name="generator" content="sluice report">';

export function reportPage({ cost, run, state, tally }: RunFigures): Markup {
  const title = `Run ${run.id} of ${run.job}`;
  const statuses = Object.entries(tally.byStatus).filter(([, leads]) => leads > 0);
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="generator" content="sluice report"><title>${title}</title></head><body><h1>${title}: ${state}</h1>${dataTable(
    {
      caption: 'Outcomes',
      columns: [{ name: 'status' }, { name: 'leads', isNumber: true }],
      rows: statuses.map(([status, leads]) => [
        statusBadge(status as keyof typeof tally.byStatus),
        leads,
      ]),
    },
  )}<p>${formatCount(cost.paid, 'credit')} paid.</p></body></html>`;
}
