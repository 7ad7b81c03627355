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
import { exactText, type JsonValue } from '../../model/text/json.js';
import { selectField } from '../links.js';
import type { Goto, PageContent, UiContext, Visit } from '../page.js';
import { PATHS, pathTo } from '../paths.js';
import {
  type ColumnGuess,
  columnsOffered,
  guessesOf,
  INPUT_WORDS,
  lookAtUpload,
  NAME_MAX,
  placesOf,
  type ReadWish,
  readWish,
  type Taken,
  takenAt,
  takenName,
} from './tried-job.js';
import { findUpload, keepUpload, UPLOAD_BYTES_MAX, type Upload } from './uploads.js';

const VALUES_SHOWN = 3;
/** The number of lines that are shown as possible headers. */
const LINES_SHOWN = 10;

export async function showTry({ isReadOnly }: UiContext, { token }: Visit): Promise<PageContent> {
  return { title: 'Try a file', body: layOutDrop(token, isReadOnly) };
}

export async function takeFile({ clock, state }: UiContext, { file, query }: Visit): Promise<Goto> {
  const name = query.get('name') ?? '';
  const { id } = keepUpload(state, { body: file, name, at: clock.now() });
  return { goto: pathTo(PATHS.columns, { upload: id }) };
}

export function showUpload(context: UiContext, visit: Visit): Promise<PageContent> {
  return withLook(context, visit, (upload, first) =>
    showColumns(context, upload, first, visit.query),
  );
}

/** Shows a file, or the place to drop another if the file is wrong. */
export async function withLook<Shown>(
  context: UiContext,
  visit: Visit,
  show: (upload: Upload, first: FirstLook) => Promise<Shown>,
): Promise<Shown | PageContent> {
  const { isReadOnly, state } = context;
  const { params, query, token } = visit;
  const upload = findUpload(state, params['upload'] ?? '');
  let first: FirstLook;
  try {
    first = await lookAtUpload(upload, readWish(query));
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    if (error.facts['key'] === 'header-row' && !query.has('header-row')) {
      query.set('header-row', 'none');
      return withLook(context, visit, show);
    }
    const trouble = error.problem.replaceAll(upload.file, upload.label);
    return { title: 'Try a file', body: layOutDrop(token, isReadOnly, trouble), status: 400 };
  }
  return show(upload, first);
}

/** The form of the columns; `trouble`: the reason why there is no plan for what was chosen. */
export async function showColumns(
  context: UiContext,
  upload: Upload,
  first: FirstLook,
  query: URLSearchParams,
  trouble: string | null = null,
): Promise<PageContent> {
  // The form's values, if the user comes back from the plan.
  const chosen = query.has('where') || trouble !== null ? query : null;
  const title = 'Which column is which?';
  const reading = await readingForm(upload, first, readWish(query));
  const places = placesOf(context);
  const isChosen = (name: string, value: string, n: number): Content =>
    (chosen === null ? n === 0 : chosen.getAll(name).includes(value)) && html` checked`;
  const body = html`<h1>${title}</h1>
${trouble !== null && html`<p class="notice bad" role="alert">${trouble}</p>`}
<p>Your file ${upload.label} has these columns. What is each of them?</p>
${reading}<form class="stack" method="get" action="${pathTo(PATHS.tryPlan, { upload: upload.id })}">
${Object.entries(readWish(query)).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${columnTables(first, chosen)}
<fieldset><legend>What to ask for</legend><div class="stack"><div class="row">${ASKS.map(
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

async function readingForm(
  upload: Upload,
  first: FirstLook,
  wish: ReadWish,
): Promise<Markup | null> {
  const sheets = await sheetsOf(upload, first, wish);
  const lines = await linesOf(upload, first, wish);
  if (sheets.length + lines.length === 0) return null;
  const { 'header-row': chosen } = wish;
  const guessed = first.detected?.find(({ what }) => what === 'header')?.value;
  const taken = guessed === undefined ? 'the first line with text' : `line ${guessed}`;
  return html`<form class="filters" method="get" action="${pathTo(PATHS.columns, { upload: upload.id })}" data-at-once>${
    sheets.length > 0 &&
    selectField(
      'sheet',
      'Sheet',
      wish.sheet ?? sheets[0],
      sheets.map((sheet) => ({ value: sheet, words: cutText(sheet, NAME_MAX) })),
      null,
    )
  }${
    lines.length > 0 &&
    selectField(
      'header-row',
      'Names of the columns',
      chosen?.toString(),
      [
        ...lines.map(({ line, cells }) => ({ value: `${line}`, words: wordsOfLine(line, cells) })),
        { value: 'none', words: 'in no line' },
      ],
      chosen === undefined ? `in ${taken}` : 'in the line that Sluice finds',
    )
  }<button class="unscripted">Read it so</button></form>
`;
}

function wordsOfLine(line: number, cells: readonly (JsonValue | undefined)[]): string {
  const texts = cells.map((cell) => exactText(cell ?? '').trim()).filter(Boolean);
  const shown = texts.slice(0, CELLS_SHOWN).map((text) => cutText(text, VALUE_LENGTH_MAX));
  return `in line ${line}: ${shown.join(', ')}${texts.length > CELLS_SHOWN ? ', …' : ''}`;
}

/** The sheets of a workbook with several, the one that fits best first. */
async function sheetsOf(
  upload: Upload,
  first: FirstLook,
  { sheet: chosen }: ReadWish,
): Promise<readonly string[]> {
  const guess = chosen === undefined ? first : await lookAtUpload(upload, {});
  const found = guess.detected?.find(({ what }) => what === 'sheet');
  if (found === undefined) return [];
  return [found.value, ...(found.others ?? []).map(({ sheet }) => sheet)];
}

/** The first lines, which may have the names of the columns; none for a file that names its columns otherwise. */
async function linesOf(upload: Upload, { records }: FirstLook, wish: ReadWish) {
  if (detectFormat(upload.file, '') === 'ndjson') return [];
  try {
    const first = await lookAtUpload(upload, { ...wish, 'header-row': 1 });
    const header = { line: 1, cells: first.columns.map(({ name }) => name) };
    return [header, ...first.records].slice(0, LINES_SHOWN);
  } catch (error) {
    // Its first line has no text.
    if (error instanceof SluiceError) return records.slice(0, LINES_SHOWN);
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

const ONLY_MISSING = 'Only for leads that have none of their own in the file';

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

const COLUMNS_SHOWN = 50;
/** The limit of shown cells of a line that may hold the names. */
const CELLS_SHOWN = 6;
const VALUE_LENGTH_MAX = 40;

function columnTables(first: FirstLook, chosen: URLSearchParams | null): Markup {
  const guessed = guessesOf(first);
  const all = columnsOffered(first).map(({ key, name }, place) => ({
    name,
    place,
    values: valuesIn(first.records, findColumn(first.columns, key)),
    guesses: guessed.get(key) ?? [],
    taken: takenAt(chosen, place),
  }));
  // A column that is taken for something is seen at once, however many there are.
  const isFirst = ({ guesses, place, taken }: (typeof all)[number]): boolean =>
    place < COLUMNS_SHOWN || guesses.length > 0 || taken !== undefined;
  const others = all.filter((column) => !isFirst(column));
  const table = (columns: typeof all): Markup =>
    dataTable({
      caption: 'Columns, their first values, and what they are taken for',
      isCaptionHidden: true,
      isStacked: true,
      columns: [{ name: 'Column' }, { name: 'First values', isLong: true }, { name: 'Taken for' }],
      rows: columns.map((column) => [
        cutText(column.name, NAME_MAX),
        column.values.map((value) => cutText(value, VALUE_LENGTH_MAX)).join(', '),
        takenField(column),
      ]),
    });
  return html`${table(all.filter(isFirst))}${
    others.length > 0 && disclosure(formatCount(others.length, 'more column'), table(others))
  }`;
}

function takenField({ guesses, name, place, taken }: ShownColumn): Markup {
  const option = (as: Taken, words: Content): Markup =>
    html`<option value="${as}"${taken === as && html` selected`}>${words}</option>`;
  return html`<select name="${takenName(place)}" aria-label="${cutText(name, NAME_MAX)} is taken for"><option value="">${guessWords(
    guesses,
  )}</option>${guesses.length > 0 && option('nothing', 'nothing')}${COLUMN_INPUTS.map((input) =>
    option(input, INPUT_WORDS[input]),
  )}</select>`;
}

interface ShownColumn extends ColumnGuess {
  readonly name: string;
  readonly place: number;
  readonly taken: Taken | undefined;
}

function guessWords(guesses: ColumnGuess['guesses']): string {
  if (guesses.length === 0) return 'nothing';
  const words = guesses.map(({ input }) => INPUT_WORDS[input]).join(' and ');
  const isUsed = guesses.some(({ isToVerify }) => !isToVerify);
  return isUsed ? `${words} (guessed)` : `nothing, or ${words} to verify it (guessed)`;
}
