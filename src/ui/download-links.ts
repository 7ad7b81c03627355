import { once } from 'node:events';
import { addAbortSignal, PassThrough, type Writable } from 'node:stream';
import { columnsOfPeople } from '../app/results/write-tables.js';
import { type Content, html, type Markup } from '../html/markup.js';
import { disclosure } from '../html/parts.js';
import type { Run } from '../model/run.js';
import { fileStem } from '../model/text/file-label.js';
import { ClosedPipe } from '../output/standard-output.js';
import type { FormatName } from '../output/table-format.js';
import type { Store } from '../ports/store/store.js';
import { COLUMNS_MAX } from './links.js';
import { patientStore } from './memory.js';
import type { Download, UiContext, Visit } from './page.js';
import { PATHS, pathTo } from './paths.js';
import { wordIn } from './read-query.js';
import { droppedName } from './try/uploads.js';

/** The formats in which a browser gets a table, each with its name for a reader. */
const TABLES: Readonly<Record<FormatName, { readonly name: string; readonly type: string }>> = {
  csv: { name: 'CSV', type: 'text/csv; charset=utf-8' },
  xlsx: {
    name: 'XLSX',
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
  ndjson: { name: 'NDJSON', type: 'application/x-ndjson' },
  parquet: { name: 'Parquet', type: 'application/vnd.apache.parquet' },
};
const TABLE_FORMATS = Object.keys(TABLES) as FormatName[];

/** The format that the address of a table names, and the file, whose name begins with `stem`. */
export function tableIn(visit: Visit, stem: string) {
  const format = wordIn(visit, 'as', TABLE_FORMATS) ?? 'csv';
  return { format, file: { name: `${stem}.${format}`, type: TABLES[format].type } };
}

/** Everything that can be had of a run; `more`: what else can be done with its tables. */
export function exportMenu(run: Run, asked: RowsAsked | null, more: Content): Markup {
  const { id } = run;
  const report = downloadLink('the report', 'HTML', pathTo(PATHS.report, { run: id }));
  const table = tableDownloads('the table', (as) => pathTo(PATHS.table, { run: id }, { as }));
  return html`<details class="menu"${asked !== null && html` open`}><summary class="button">Export</summary><div class="stack">${table}${chosenRows(run, asked)}<span class="row"><span>Download the report as</span>${report}</span>${more}</div></details>`;
}

/** An expression that was typed to choose rows, and the reason why it chooses none. */
export interface RowsAsked {
  readonly where: string;
  readonly trouble: string;
}

/** The form for rows that an expression chooses: a button for each format, which sends the content of the field. */
function chosenRows(run: Run, asked: RowsAsked | null): Markup {
  const buttons = TABLE_FORMATS.map(
    (format) =>
      html`<button name="as" value="${format}" aria-label="Download the chosen rows as ${TABLES[format].name}">${TABLES[format].name}</button>`,
  );
  const names = columnsOfPeople(run)
    .slice(0, COLUMNS_MAX)
    .map(({ name }, n) => [n > 0 && ', ', html`<code>${name}</code>`]);
  const value = asked !== null && html` value="${asked.where}" aria-invalid="true" autofocus`;
  return html`${asked !== null && html`<p class="notice bad" role="alert">${asked.trouble}</p>`}<form class="filters" method="get" action="${pathTo(PATHS.table, { run: run.id })}"><div class="field"><label for="where">Only rows where</label><input id="where" name="where" type="text" maxlength="500" placeholder="email is not empty" aria-describedby="where-hint"${value}></div>${buttons}<div class="hint" id="where-hint"><p>Like <code>email is not empty and email_status = deliverable</code>, or <code>outcome in (failed, timed_out)</code>. Outcome, reason and step are called as among the leads.</p>${disclosure('The columns', names)}</div></form>`;
}

/** The links to a table in each format; `what` names it, with its article. */
export function tableDownloads(what: string, pathOf: (format: FormatName) => string): Markup {
  return html`<span class="row"><span>Download ${what} as</span>${TABLE_FORMATS.map((format) =>
    downloadLink(what, TABLES[format].name, pathOf(format)),
  )}</span>`;
}

/** A link whose name says everything: a screen reader lists links without the text around them. */
function downloadLink(what: string, format: string, path: string): Markup {
  return html`<a href="${path}" aria-label="Download ${what} as ${format}">${format}</a>`;
}

/**
 * Makes a file. Resolves with the first bytes, so that a failure is shown as a page with the reason. `write` is given a
 * store that reads no further once the browser has gone; it does not end the stream.
 */
export async function makeFile(
  context: UiContext,
  { gone }: Visit,
  file: Omit<Download, 'content'>,
  write: (store: Store, body: Writable) => Promise<unknown>,
): Promise<Download> {
  const content = new PassThrough();
  // The reader of the stream gets the error; until then it must not end the process.
  content.on('error', () => undefined);
  // The browser may go before there is anything to send.
  addAbortSignal(gone, content);
  const store = patientStore(context.store, () => {
    if (content.destroyed) throw new ClosedPipe();
  });
  const begun = once(content, 'readable');
  write(store, content).then(
    () => content.end(),
    (error: Error) => content.destroy(error),
  );
  await begun;
  return { ...file, content };
}

/** The beginning of its files' names: the name of the file that was dropped for the job, or that of the job. */
export function stemOf({ state }: UiContext, job: string): string {
  return fileStem(droppedName(state, job) ?? '') || job;
}
