// Links to files that the browser keeps: a table in several formats, and pages that need no server.
import { html, type Markup } from '../markup.js';
import { runPath } from './links.js';

/** The formats of a table by the endings of its file, each with its name for a reader. */
export const TABLE_FORMATS = {
  csv: 'CSV',
  xlsx: 'XLSX',
  ndjson: 'NDJSON',
  parquet: 'Parquet',
} as const;

export type TableFormat = keyof typeof TABLE_FORMATS;

/** The downloads of a run: its table and its report. */
export function runDownloads(run: number): Markup {
  const path = runPath(run);
  return html`${tableDownloads('the table', (format) => `${path}/table.${format}`)}${fileDownload(
    'the report',
    `${path}/report.html`,
  )}`;
}

/** An expression that was typed to choose rows, and the reason why it chooses none. */
export interface RowsAsked {
  readonly where: string;
  readonly trouble: string;
}

/** The form for rows that an expression chooses: a button for each format, which sends the content of the field. */
export function chosenRows(run: number, asked: RowsAsked | null): Markup {
  const path = runPath(run);
  const formats = Object.keys(TABLE_FORMATS) as TableFormat[];
  const buttons = formats.map(
    (format) =>
      html`<button formaction="${`${path}/table.${format}`}" aria-label="Download the chosen rows as ${TABLE_FORMATS[format]}">${TABLE_FORMATS[format]}</button>`,
  );
  const value = asked !== null && html` value="${asked.where}" aria-invalid="true" autofocus`;
  return html`${asked !== null && html`<p class="notice bad" role="alert">${asked.trouble}</p>`}<form class="filters" method="get" action="${`${path}/table.csv`}"><div class="field"><label for="where">Only rows where</label><input id="where" name="where" type="text" maxlength="500" placeholder="email is not empty"${value}></div>${buttons}</form>`;
}

/** The links to a table in each format; `what` names it, with its article. */
export function tableDownloads(what: string, pathOf: (format: TableFormat) => string): Markup {
  const formats = Object.keys(TABLE_FORMATS) as TableFormat[];
  return html`<span class="row"><span>Download ${what} as</span>${formats.map((format) =>
    downloadLink(what, TABLE_FORMATS[format], pathOf(format)),
  )}</span>`;
}

/** The link to a page; `what` names it, with its article. */
export function fileDownload(what: string, path: string): Markup {
  return html`<span class="row"><span>Download ${what} as</span>${downloadLink(what, 'HTML', path)}</span>`;
}

/** A link whose name says everything: a screen reader lists links without the text around them. */
function downloadLink(what: string, format: string, path: string): Markup {
  return html`<a href="${path}" aria-label="Download ${what} as ${format}">${format}</a>`;
}
