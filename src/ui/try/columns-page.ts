// The first pages for trying a file: it is dropped, and its columns are shown and corrected. Its cost is shown next, and
// only then it is run (plan-page.ts).
import type { FirstLook } from '../../app/plan/first-look.js';
import { plain } from '../../config/job-keys/key.js';
import { JOB_KEYS } from '../../config/job-schema.js';
import { type Content, html, type Markup } from '../../html/markup.js';
import { dataTable, disclosure, wordsOf } from '../../html/parts.js';
import { ASKS, type Ask, COLUMN_INPUTS, type ColumnInput, type Prices } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import { cellAt, type FoundColumn, findColumn } from '../../model/mapping/find-column.js';
import { cutText, formatCount, formatNumber } from '../../model/text/count.js';
import { exactText } from '../../model/text/json.js';
import { INPUT_WORDS } from '../../tell/shared.js';
import { link, NAME_MAX, selectField } from '../links.js';
import type { Goto, PageContent, UiContext, Visit } from '../page.js';
import { PATHS, pathTo } from '../paths.js';
import { readingForm, VALUE_LENGTH_MAX } from './reading-form.js';
import {
  type ColumnGuess,
  columnsOffered,
  guessedColumns,
  guessesOf,
  insteadOf,
  lookAtUpload,
  PLATFORM,
  placesOf,
  readWish,
  type Taken,
  takenAt,
  takenName,
} from './tried-job.js';
import { findUpload, keepUpload, UPLOAD_BYTES_MAX, type Upload } from './uploads.js';

const VALUES_SHOWN = 3;

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
  const chosen = query.has('place') || trouble !== null ? query : null;
  const title = 'Which column is which?';
  const reading = await readingForm(upload, first, readWish(query));
  const places = await placesOf(context);
  const usual = places[0]?.prices ?? {};
  const isChosen = (ask: Ask): boolean =>
    chosen === null ? ask === ASKS[0] : chosen.getAll('ask').includes(ask);
  const body = html`<h1>${title}</h1>
${trouble !== null && html`<p class="notice bad" role="alert">${trouble}</p>`}
<p>Your file ${upload.label} has these columns. What is each of them?</p>
${reading}<form class="stack" method="get" action="${pathTo(PATHS.tryPlan, { upload: upload.id })}">
${Object.entries(readWish(query)).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${columnTables(first, chosen)}
<fieldset><legend>What to ask for</legend><div class="stack"><div class="row">${ASKS.map(
    (ask) =>
      html`<label class="row"><input type="checkbox" name="ask" value="${ask}"${isChosen(ask) && html` checked`}>${wordsOf(ask)} <span class="quiet">${tellPrice(usual, ask)}</span></label>`,
  )}</div><p class="hint">The price of each one that is found, unless another is stated below. A miss costs nothing.</p><label class="row"><input type="checkbox" name="only-missing"${chosen?.has('only-missing') === true && html` checked`}>${ONLY_MISSING}</label></div></fieldset>
${choiceFields(first, chosen)}
<div class="stack">${selectField(
    'place',
    'Where to run it',
    places.find(({ value }) => value === chosen?.get('place'))?.value,
    places.map(({ prices, value, words }) => {
      const other = ASKS.filter((ask) => prices[ask] !== usual[ask]);
      const told = other.map((ask) => `, ${wordsOf(ask)} ${tellPrice(prices, ask)}`);
      return { value, words: words + told.join('') };
    }),
    null,
  )}${!places.some(({ value }) => value === PLATFORM) && html`<p class="hint">To run it for real, ${context.takesAccount ? link(pathTo(PATHS.platform, {}, { upload: upload.id }), 'give the address and the account') : 'set SLUICE_URL'}, or write a job in jobs/ that says where it asks (url:).</p>`}</div>
<div class="row"><button type="submit" class="main">See what it would cost</button><a class="button" href="${PATHS.drop}">Another file</a></div>
</form>`;
  return { title, body, status: trouble === null ? 200 : 400 };
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

/** Which leads are asked, and which columns the table has, as on the command line. */
function choiceFields(first: FirstLook, chosen: URLSearchParams | null): Markup {
  // A name that no list can show is for the command line.
  const columns = columnsOffered(first)
    .filter(({ key }) => key.length <= NAME_MAX)
    .map(({ key }) => ({ value: key, words: key }));
  const text = (name: 'where' | 'sample' | 'columns', type = 'text'): Markup =>
    html`<div class="field"><label for="${name}">${plain(JOB_KEYS[name].meaning)}</label><input type="${type}" id="${name}" name="${name}" size="36" value="${chosen?.get(name)}"></div>`;
  const column = (name: string, label: string): Markup =>
    selectField(name, label, chosen?.get(name) || undefined, columns, 'none');
  const names = ['where', 'sample', 'columns', 'key', 'fill-email', 'fill-phone'];
  return html`<details class="numbers"${names.some((name) => chosen?.get(name)) && html` open`}><summary>Which leads, and which columns the table has</summary><div class="filters">${text(
    'where',
  )}${text('sample', 'number')}${text('columns')}${column('key', 'Column that comes first in the table, to merge it by')}${column(
    'fill-email',
    'Your column whose empty cells get e-mail addresses',
  )}${column('fill-phone', 'Your column whose empty cells get phone numbers')}</div></details>`;
}

function tellPrice(prices: Prices, ask: Ask): string {
  const price = prices[ask];
  return price === undefined ? 'not sold' : formatCount(price, 'credit');
}

const COLUMNS_SHOWN = 50;

function columnTables(first: FirstLook, chosen: URLSearchParams | null): Markup {
  const guesses = guessesOf(first);
  const guessed = guessedColumns(first);
  const all = columnsOffered(first).map(({ key, name }, place) => ({
    key,
    name,
    place,
    values: valuesIn(first.records, findColumn(first.columns, key)),
    guesses: guesses.get(key) ?? [],
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
        column.values.map(
          (value) => html`<span class="chip">${cutText(value, VALUE_LENGTH_MAX)}</span> `,
        ),
        takenField(column, guessed),
      ]),
    });
  return html`${table(all.filter(isFirst))}${
    others.length > 0 && disclosure(formatCount(others.length, 'more column'), table(others))
  }`;
}

function takenField(
  { guesses, key, name, place, taken }: ShownColumn,
  guessed: ReadonlyMap<ColumnInput, string>,
): Markup {
  const option = (as: Taken, words: Content): Markup =>
    html`<option value="${as}"${taken === as && html` selected`}>${words}</option>`;
  return html`<select name="${takenName(place)}" aria-label="${cutText(name, NAME_MAX)} is taken for"><option value="">${guessWords(
    guesses,
  )}</option>${guesses.length > 0 && option('nothing', 'nothing')}${COLUMN_INPUTS.map((input) =>
    option(input, INPUT_WORDS[input] + insteadOf(guessed.get(input), key)),
  )}</select>`;
}

interface ShownColumn extends ColumnGuess {
  readonly key: string;
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
