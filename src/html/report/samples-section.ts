// A few leads in the form of the table: they are persons, so only on request.
import type { RunFigures } from '../../model/report/run-figures.js';
import { cutText, formatNumber } from '../../model/text/count.js';
import { html, type Markup } from '../markup.js';
import { dataTable, notice } from '../parts.js';

/** The limit of cells, for any number of columns and rows. */
const CELLS_MAX = 300;
const CELL_MAX = 60;

/** The samples, with one row for each column, so that they can be read on a phone. */
export function samplesSection({ samples }: RunFigures): Markup | null {
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
