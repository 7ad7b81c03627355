// The first pages for trying a file: it is dropped, and its columns are shown and corrected. Its cost is shown next, and
// only then it is run (plan-page.ts).
import type { FirstLook } from '../../app/plan/first-look.js';
import { type Content, html, type Markup } from '../../html/markup.js';
import { dataTable, disclosure, wordsOf } from '../../html/parts.js';
import { detectFormat } from '../../input/sources/probe-source.js';
import { ASKS, COLUMN_INPUTS } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import { cellAt, type FoundColumn, findColumn } from '../../model/mapping/find-column.js';
import { cutText, formatCount, formatNumber } from '../../model/text/count.js';
import { exactText } from '../../model/text/json.js';
import type { Goto, PageContent, UiContext, Visit } from '../page.js';
import { PATHS, pathTo } from '../paths.js';
import {
  type ColumnGuess,
  columnsOffered,
  guessesOf,
  INPUT_WORDS,
  lookAgain,
  lookAtUpload,
  NAME_MAX,
  placesOf,
  type ReadWish,
  readWish,
  TAKEN,
  type Taken,
  takenOf,
  takenValue,
} from './tried-job.js';
import { findUpload, keepUpload, UPLOAD_BYTES_MAX, type Upload } from './uploads.js';

const VALUES_SHOWN = 3;
/** The number of lines that are shown as possible headers. */
const LINES_SHOWN = 5;

export async function showTry({ isReadOnly }: UiContext, { token }: Visit): Promise<PageContent> {
  return { title: 'Try a file', body: layOutDrop(token, isReadOnly) };
}

export async function takeFile({ clock, state }: UiContext, { file, query }: Visit): Promise<Goto> {
  const name = query.get('name') ?? '';
  const { id } = keepUpload(state, { body: file, name, at: clock.now() });
  return { goto: pathTo(PATHS.columns, { upload: id }) };
}

export function showUpload(context: UiContext, visit: Visit): Promise<PageContent> {
  return withLook(context, visit, async (upload, first, query) => {
    // The form's values, if the user comes back from the plan or reads it in another way.
    const chosen = query.has('where') ? query : null;
    const wish = readWish(query);
    return showColumns(context, { upload, first, wish, chosen, trouble: null });
  });
}

/** Shows a file, or the place to drop another if the file is wrong. */
export async function withLook(
  { isReadOnly, state }: UiContext,
  { params, query, token }: Visit,
  show: (upload: Upload, first: FirstLook, query: URLSearchParams) => Promise<PageContent>,
): Promise<PageContent> {
  const upload = findUpload(state, params['upload'] ?? '');
  let looked: Awaited<ReturnType<typeof lookAgain>>;
  try {
    looked = await lookAgain(upload, query);
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    const trouble = error.problem.replaceAll(upload.file, upload.label);
    return { title: 'Try a file', body: layOutDrop(token, isReadOnly, trouble), status: 400 };
  }
  return show(upload, looked.first, looked.form);
}

interface ColumnsShown {
  readonly upload: Upload;
  readonly first: FirstLook;
  /** The chosen way to read the file. */
  readonly wish: ReadWish;
  /** The form's values; null if it was not sent yet. */
  readonly chosen: URLSearchParams | null;
  /** The reason why there is no plan for them. */
  readonly trouble: string | null;
}

/** The form of the columns, with the error in the choice. */
export async function showColumns(
  context: UiContext,
  { chosen, first, trouble, upload, wish }: ColumnsShown,
): Promise<PageContent> {
  const title = 'Which column is which?';
  const again = pathTo(PATHS.columns, { upload: upload.id });
  const sheets = await sheetsOf(upload, first, wish);
  const header = await headerOf(upload, first, wish);
  const places = await placesOf(context);
  const isChosen = (name: string, value: string, n: number): Content =>
    (chosen === null ? n === 0 : chosen.getAll(name).includes(value)) && html` checked`;
  // Enter presses the first button of a form, so the hidden one leads to the same place as the main one.
  const body = html`<h1>${title}</h1>
<form class="stack" method="get" action="${pathTo(PATHS.tryPlan, { upload: upload.id })}">
<button type="submit" hidden></button>
${trouble !== null && html`<p class="notice bad" role="alert">${trouble}</p>`}
${sheetChoice(sheets, again)}<p>Your file ${upload.label} has these columns${sheets.length > 0 && ' on that sheet'}. What is each of them?</p>
${columnTables(first, chosen)}
${header !== null && headerChoice(header, again)}<fieldset><legend>What to ask for</legend><div class="stack"><div class="row">${ASKS.map(
    (ask, n) =>
      html`<label class="row"><input type="checkbox" name="ask" value="${ask}"${isChosen('ask', ask, n)}>${wordsOf(ask)}</label>`,
  )}</div><label class="row"><input type="checkbox" name="only-missing"${chosen?.has('only-missing') === true && html` checked`}>${ONLY_MISSING}</label></div></fieldset>
<fieldset><legend>Where to run it</legend><div class="stack">${places.map(
    ({ value, words }, n) =>
      html`<label class="row"><input type="radio" name="where" value="${value}"${isChosen('where', value, n)}>${words}</label>`,
  )}${places.length === 1 && html`<p class="hint">To run it for real, set SLUICE_URL, or write a job in jobs/ that says where it asks (url:).</p>`}</div></fieldset>
<div class="row"><button type="submit" class="main">See what it would cost</button><a class="button" href="${PATHS.drop}">Another file</a></div>
</form>`;
  return { title, body, status: trouble === null ? 200 : 400 };
}

/** The sheets of a workbook with several; the one that is shown comes first. */
async function sheetsOf(
  upload: Upload,
  first: FirstLook,
  { sheet: chosen }: ReadWish,
): Promise<readonly string[]> {
  const guess = chosen === undefined ? first : await lookAtUpload(upload, {});
  const found = guess.detected?.find(({ what }) => what === 'sheet');
  if (found === undefined) return [];
  const names = [found.value, ...(found.others ?? []).map(({ sheet }) => sheet)];
  const shown = chosen ?? found.value;
  return [shown, ...names.filter((name) => name !== shown)];
}

/**
 * The line with the names of the columns, null if that is the first one with text, and other lines that may have them;
 * null for a file that names its columns otherwise.
 */
async function headerOf(upload: Upload, { detected = [], records }: FirstLook, wish: ReadWish) {
  if (detectFormat(upload.file, '') === 'ndjson') return null;
  const { 'header-row': chosen } = wish;
  const guessed = detected.find(({ what }) => what === 'header')?.value;
  const line = chosen === undefined ? (guessed ?? null) : String(chosen);
  const above = line === null ? [] : await linesAbove(upload, Number(line), wish);
  const others = [...above.slice(-LINES_SHOWN), ...records.slice(0, LINES_SHOWN)];
  return { chosen, line, others };
}

/** The lines above a header; none if the first line has no text. */
async function linesAbove(upload: Upload, header: number, wish: ReadWish) {
  if (header === 1) return [];
  try {
    const { columns, records } = await lookAtUpload(upload, { ...wish, 'header-row': 1 });
    const all = [{ line: 1, cells: columns.map(({ name }) => name) }, ...records];
    return all.filter(({ line }) => line < header);
  } catch (error) {
    if (error instanceof SluiceError) return [];
    throw error;
  }
}

/** The first different values of a column. */
function valuesIn(
  records: FirstLook['records'],
  found: FoundColumn | undefined,
): readonly string[] {
  const values = new Set<string>();
  for (const { cells } of records) {
    const text = exactText((found && cellAt(found, cells)) ?? '').trim();
    if (text !== '') values.add(text);
    if (values.size === VALUES_SHOWN) break;
  }
  return [...values];
}

/** The error, with the file's name for its user, and what to do on the page. */
export function tellTrouble(
  { facts, logged, problem }: SluiceError,
  { file, label }: Upload,
): string {
  const way =
    facts['key'] === 'only-missing'
      ? ` Untick “${ONLY_MISSING}”, or ask for something else.`
      : problem === logged
        ? ''
        : ' Choose the columns below.';
  return problem.replaceAll(file, label) + way;
}

/** The page with the place to drop a file; its script sends the file, with the token, to /try. */
function layOutDrop(token: string, isReadOnly: boolean, trouble = ''): Markup {
  if (isReadOnly) {
    return html`<h1>Try a file</h1><p>These pages are read-only: no file is taken.</p>`;
  }
  return html`<h1>Try a file</h1>
<div class="stack"><p>Drop a file of leads: CSV, NDJSON or an Excel workbook, up to ${formatNumber(UPLOAD_BYTES_MAX / 1_000_000)} MB. You see its
columns and what it would cost before anything is sent. The file stays on this machine.</p>
<label class="drop" data-drop="${PATHS.drop}" data-token="${token}">Drop a file here, or choose one:
<input type="file" accept=".csv,.tsv,.ndjson,.jsonl,.xlsx,.gz"></label>
<p class="notice bad" role="alert" data-drop-trouble${trouble === '' && html` hidden`}>${trouble}</p></div>`;
}

const ONLY_MISSING = 'Only for leads that have none of their own in the file';
const COLUMNS_SHOWN = 50;
/** The limit of shown cells of a line that may hold the names. */
const CELLS_SHOWN = 6;
const VALUE_LENGTH_MAX = 40;

/** A button that sends the marked values of the form along. */
function readButton(again: string, value: string, words: Content): Markup {
  return html`<button type="submit" class="plain" formaction="${again}" name="read" value="${value}">${words}</button>`;
}

function sheetChoice([shown, ...others]: readonly string[], again: string): Markup | null {
  if (shown === undefined) return null;
  return html`<p>Sheet: <strong>${cutText(shown, NAME_MAX)}</strong>. Another one: ${others.map(
    (name) => readButton(again, `sheet ${name}`, cutText(name, NAME_MAX)),
  )}<input type="hidden" name="sheet" value="${shown}"></p>
`;
}

function headerChoice(
  { chosen, line, others }: NonNullable<Awaited<ReturnType<typeof headerOf>>>,
  again: string,
): Markup {
  const choices = others.map((other) => {
    const cells = other.cells.map((cell) => exactText(cell ?? '').trim()).filter(Boolean);
    const shown = cells.slice(0, CELLS_SHOWN).map((cell) => cutText(cell, VALUE_LENGTH_MAX));
    return html`<li>${readButton(again, `line ${other.line}`, `Line ${other.line}`)}: ${shown.join(', ')}${cells.length > CELLS_SHOWN && ', …'}</li>`;
  });
  return html`<details><summary>Do their names stand in another line?</summary>
<p>They were taken from ${line === null ? 'the first line with text' : `line ${line}`}.${
    chosen !== undefined &&
    html` ${readButton(again, 'line', 'Let Sluice choose it.')}<input type="hidden" name="header-row" value="${String(chosen)}">`
  } Another one:</p><ul>${choices}</ul></details>
`;
}

function columnTables(first: FirstLook, chosen: URLSearchParams | null): Markup {
  const taken = takenOf(chosen);
  const guessed = guessesOf(first);
  const all = columnsOffered(first).map(({ key, name }, place) => ({
    name,
    place,
    values: valuesIn(first.records, findColumn(first.columns, key)),
    guesses: guessed.get(key) ?? [],
  }));
  // A column that is taken for something is seen at once, however many there are.
  const isFirst = ({ guesses, place }: (typeof all)[number]): boolean =>
    place < COLUMNS_SHOWN || guesses.length > 0 || taken.has(place);
  const others = all.filter((column) => !isFirst(column));
  const table = (columns: typeof all): Markup =>
    dataTable({
      caption: 'Columns, their first values, and what they are taken for',
      isCaptionHidden: true,
      isStacked: true,
      columns: [{ name: 'Column' }, { name: 'First values', isLong: true }, { name: 'Taken for' }],
      rows: columns.map(({ guesses, name, place, values }) => [
        cutText(name, NAME_MAX),
        values.map((value) => cutText(value, VALUE_LENGTH_MAX)).join(', '),
        takenField({ guesses, name, place }, taken.get(place)),
      ]),
    });
  return html`${table(all.filter(isFirst))}${
    others.length > 0 && disclosure(formatCount(others.length, 'more column'), table(others))
  }`;
}

/** The list of what a column may be taken for; the first choice is the guess. */
function takenField(
  { guesses, name, place }: ColumnGuess & { readonly name: string; readonly place: number },
  taken: Taken | undefined,
): Markup {
  const option = (as: Taken, words: Content): Markup =>
    html`<option value="${takenValue(place, as)}"${taken === as && html` selected`}>${words}</option>`;
  return html`<select name="${TAKEN}" aria-label="${cutText(name, NAME_MAX)} is taken for"><option value="">${guessWords(
    guesses,
  )}</option>${guesses.length > 0 && option('nothing', 'nothing')}${COLUMN_INPUTS.map((input) =>
    option(input, INPUT_WORDS[input]),
  )}</select>`;
}

function guessWords(guesses: ColumnGuess['guesses']): string {
  if (guesses.length === 0) return 'nothing';
  const words = guesses.map(({ input }) => INPUT_WORDS[input]).join(' and ');
  const isUsed = guesses.some(({ isToVerify }) => !isToVerify);
  return isUsed ? `${words} (guessed)` : `nothing, or ${words} to verify it (guessed)`;
}
