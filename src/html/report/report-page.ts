// The report of a run: one HTML file that needs nothing beside it, and no network.

import { createHash } from 'node:crypto';
import type { RunFigures } from '../../model/report/run-figures.js';
import { isOpen } from '../../model/run.js';
import { cutText, formatNumber } from '../../model/text/count.js';
import { html, type Markup } from '../markup.js';
import { dataTable, notice, timeElement } from '../parts.js';
import { STYLE, STYLE_ELEMENT } from '../style.js';
import { costSection } from './cost-section.js';
import { contentsOf, numbersSection } from './numbers-section.js';
import { outcomeSection, runHeader } from './outcome-section.js';
import { qualitySection } from './quality-section.js';
import { timeSection } from './time-section.js';
import { troubleSection } from './trouble-section.js';

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The report, with sections in the order of a reader's questions: a file that loads nothing and runs no script. */
export function reportPage(figures: RunFigures): Markup {
  const { at, run, state } = figures;
  const policy = html`default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;
  const title = `Run ${run.id} of ${cutText(run.job, 120)}`;
  const body = html`${runHeader(figures)}${contentsOf()}${outcomeSection(figures)}${costSection(figures)}${qualitySection(figures)}${troubleSection(figures)}${timeSection(figures)}${samplesSection(figures)}${numbersSection(figures)}`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="generator" content="sluice report"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer"><title>${title}</title>${STYLE_ELEMENT}</head><body><main>${body}</main><footer><p>Written by Sluice at ${timeElement(at)}${isOpen(state) && ', while the run goes on'}. Times are in UTC. This file needs no network.</p></footer></body></html>
`;
}

/** The limit of cells, for any number of columns and rows. */
const CELLS_MAX = 300;
const CELL_MAX = 60;

/** A few leads, which are persons: only on request. One row for each column, so that they can be read on a phone. */
function samplesSection({ samples }: RunFigures): Markup | null {
  if (samples === null || samples.rows.length === 0) return null;
  const columns = samples.columns.slice(0, Math.floor(CELLS_MAX / samples.rows.length));
  return html`<h2 id="samples">Samples</h2><div class="stack">${notice('warn', 'This shows persons: keep the file as you keep the table.')}${dataTable(
    {
      caption: `${formatNumber(samples.rows.length)} of the leads`,
      columns: [
        { name: 'column' },
        ...samples.rows.map(({ line }) => ({ name: `line ${formatNumber(line)}`, isLong: true })),
      ],
      rows: columns.map((column, n) => [
        cutText(column, CELL_MAX),
        ...samples.rows.map(({ cells }) => cutText(cells[n] ?? '', CELL_MAX)),
      ]),
    },
  )}</div>`;
}
