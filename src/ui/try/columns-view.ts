// The pages on which a file is dropped and its columns are named.
import { type Content, html, type Markup } from '../../html/markup.js';
import { dataTable, disclosure, wordsOf } from '../../html/parts.js';
import { COLUMN_INPUTS } from '../../model/ask.js';
import { cutText, formatCount, formatNumber } from '../../model/text/count.js';
import { PATHS } from '../paths.js';
import {
  type ColumnGuess,
  INPUT_WORDS,
  NAME_MAX,
  TAKEN,
  type Taken,
  takenOf,
  takenValue,
} from './tried-job.js';

export interface Drop {
  readonly token: string;
  readonly isReadOnly: boolean;
  readonly bytesMax: number;
  /** The reason why the file before was refused. */
  readonly trouble?: string | undefined;
}

/** The page with the place to drop a file; its script sends the file, with the token, to /try. */
export function layOutDrop({ bytesMax, isReadOnly, token, trouble = '' }: Drop): Markup {
  if (isReadOnly) {
    return html`<h1>Try a file</h1><p>These pages are read-only: no file is taken.</p>`;
  }
  return html`<h1>Try a file</h1>
<div class="stack"><p>Drop a file of leads: CSV, NDJSON or an Excel workbook, up to ${formatNumber(bytesMax / 1_000_000)} MB. You see its
columns and what it would cost before anything is sent. The file stays on this machine.</p>
<label class="drop" data-drop="${PATHS.drop}" data-token="${token}">Drop a file here, or choose one:
<input type="file" accept=".csv,.tsv,.ndjson,.jsonl,.xlsx,.gz"></label>
<p class="notice bad" role="alert" data-drop-trouble${trouble === '' && html` hidden`}>${trouble}</p></div>`;
}

export interface Columns {
  readonly title: string;
  /** The path to which the form leads. */
  readonly path: string;
  /** The name of the file. */
  readonly file: string;
  /** The address at which the form shows itself, read in another way. */
  readonly again: string;
  /** The sheets of a workbook with several; the one that is shown now is the first. */
  readonly sheets: readonly string[];
  /** The header of a table whose columns are named in a line; `line` is null if that is the first one with text. */
  readonly header: {
    readonly chosen: number | null;
    readonly line: string | null;
    /** Other lines that may be the header. */
    readonly others: readonly { readonly line: number; readonly cells: readonly string[] }[];
  } | null;
  /** The columns, with values of the first records, and what each is taken for unless the form says otherwise. */
  readonly columns: readonly (ColumnGuess & {
    readonly name: string;
    readonly values: readonly string[];
  })[];
  readonly asks: readonly string[];
  readonly places: readonly { readonly value: string; readonly words: string }[];
  /** The form's values; null if it was not sent yet. */
  readonly chosen: URLSearchParams | null;
  /** The reason why there is no plan for them. */
  readonly trouble: string | null;
}

export const ONLY_MISSING = 'Only for leads that have none of their own in the file';
const COLUMNS_SHOWN = 50;
/** The limit of shown cells of a line that may hold the names. */
const CELLS_SHOWN = 6;
const VALUE_LENGTH_MAX = 40;

export function layOutColumns(shown: Columns): Markup {
  const { again, asks, chosen, file, header, path, places, sheets, title, trouble } = shown;
  const isChosen = (name: string, value: string, n: number): Content =>
    (chosen === null ? n === 0 : chosen.getAll(name).includes(value)) && html` checked`;
  // Enter presses the first button of a form, so the hidden one leads to the same place as the main one.
  return html`<h1>${title}</h1>
<form class="stack" method="get" action="${path}">
<button type="submit" hidden></button>
${trouble !== null && html`<p class="notice bad" role="alert">${trouble}</p>`}
${sheetsOf(sheets, again)}<p>Your file ${file} has these columns${sheets.length > 0 && ' on that sheet'}. What is each of them?</p>
${columnTables(shown)}
${header !== null && headerChoice(header, again)}<fieldset><legend>What to ask for</legend><div class="stack"><div class="row">${asks.map(
    (ask, n) =>
      html`<label class="row"><input type="checkbox" name="ask" value="${ask}"${isChosen('ask', ask, n)}>${wordsOf(ask)}</label>`,
  )}</div><label class="row"><input type="checkbox" name="only-missing"${chosen?.has('only-missing') === true && html` checked`}>${ONLY_MISSING}</label></div></fieldset>
<fieldset><legend>Where to run it</legend><div class="stack">${places.map(
    ({ value, words }, n) =>
      html`<label class="row"><input type="radio" name="where" value="${value}"${isChosen('where', value, n)}>${words}</label>`,
  )}${places.length === 1 && html`<p class="hint">To run it for real, set SLUICE_URL, or write a job in jobs/ that says where it asks (url:).</p>`}</div></fieldset>
<div class="row"><button type="submit" class="main">See what it would cost</button><a class="button" href="${PATHS.drop}">Another file</a></div>
</form>`;
}

/** A button that sends the marked values of the form along. */
function readButton(again: string, value: string, words: Content): Markup {
  return html`<button type="submit" class="plain" formaction="${again}" name="read" value="${value}">${words}</button>`;
}

function sheetsOf([shown, ...others]: Columns['sheets'], again: string): Markup | null {
  if (shown === undefined) return null;
  return html`<p>Sheet: <strong>${cutText(shown, NAME_MAX)}</strong>. Another one: ${others.map(
    (name) => readButton(again, `sheet ${name}`, cutText(name, NAME_MAX)),
  )}<input type="hidden" name="sheet" value="${shown}"></p>
`;
}

function headerChoice(header: NonNullable<Columns['header']>, again: string): Markup {
  const { chosen, line, others } = header;
  const choices = others.map(({ cells, line }) => {
    const more = cells.length - CELLS_SHOWN;
    const shown = cells.slice(0, CELLS_SHOWN).map((cell) => cutText(cell, VALUE_LENGTH_MAX));
    return html`<li>${readButton(again, `line ${line}`, `Line ${line}`)}: ${shown.join(', ')}${more > 0 && ', …'}</li>`;
  });
  return html`<details><summary>Do their names stand in another line?</summary>
<p>They were taken from ${line === null ? 'the first line with text' : `line ${line}`}.${
    chosen !== null &&
    html` ${readButton(again, 'line', 'Let Sluice choose it.')}<input type="hidden" name="header-row" value="${String(chosen)}">`
  } Another one:</p><ul>${choices}</ul></details>
`;
}

function columnTables(shown: Columns): Markup {
  const taken = takenOf(shown.chosen);
  const all = shown.columns.map((column, place) => ({ ...column, place }));
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
