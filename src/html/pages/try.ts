// The pages on which a file is dropped and its columns are named.
import { formatBytes } from '../../model/text/count.js';
import { html, type Markup } from '../markup.js';
import { wordsOf } from '../parts.js';

export interface Drop {
  readonly token: string;
  readonly isReadOnly: boolean;
  readonly bytesMax: number;
}

/** The page's script sends the file, with the token, to /try. */
export function layOutDrop({ bytesMax, isReadOnly, token }: Drop): Markup {
  if (isReadOnly) {
    return html`<h1>Try a file</h1><p>These pages are read-only: no file is taken.</p>`;
  }
  return html`<h1>Try a file</h1>
<div class="stack"><p>Drop a file of leads: CSV, NDJSON or an Excel workbook, up to ${formatBytes(bytesMax)}. You see its
columns and what it would cost before anything is sent. The file stays on this machine.</p>
<label class="drop" data-drop="/try" data-token="${token}">Drop a file here, or choose one:
<input type="file" accept=".csv,.tsv,.ndjson,.jsonl,.xlsx"></label>
<p class="notice bad" role="alert" data-drop-trouble hidden></p></div>`;
}

export interface Columns {
  readonly title: string;
  /** Where the form leads. */
  readonly path: string;
  /** What the file is called. */
  readonly file: string;
  readonly columns: readonly string[];
  readonly inputs: readonly { readonly input: string; readonly guess: string | null }[];
  /** The value for no column. */
  readonly noColumn: string;
  readonly asks: readonly string[];
  readonly places: readonly { readonly value: string; readonly words: string }[];
}

const INPUT_WORDS: Readonly<Record<string, string>> = {
  email: 'E-mail address',
  socialUrl: 'Profile address',
  firstName: 'First name',
  lastName: 'Last name',
  companyDomain: 'Company website',
  companyName: 'Company name',
  fullName: 'Whole name',
};

export function layOutColumns(shown: Columns): Markup {
  const { asks, columns, file, inputs, noColumn, path, places, title } = shown;
  const options = columns.map((name, n) => html`<option value="${n}">${name}</option>`);
  return html`<h1>${title}</h1>
<form class="stack" method="get" action="${path}">
<p>Your file ${file} has these columns: ${columns.join(', ')}.</p>
<fieldset><legend>Columns</legend><div class="filters">${inputs.map(
    ({ guess, input }) =>
      html`<div class="field"><label for="column-${input}">${INPUT_WORDS[input] ?? input}</label><select id="column-${input}" name="column-${input}"><option value="">${
        guess === null ? 'no column (guessed)' : html`${guess} (guessed)`
      }</option><option value="${noColumn}">no column</option>${options}</select></div>`,
  )}</div></fieldset>
<fieldset><legend>What to ask for</legend><div class="row">${asks.map(
    (ask, n) =>
      html`<label class="row"><input type="checkbox" name="ask" value="${ask}"${n === 0 && html` checked`}>${wordsOf(ask)}</label>`,
  )}</div></fieldset>
<fieldset><legend>Where to run it</legend><div class="stack">${places.map(
    ({ value, words }, n) =>
      html`<label class="row"><input type="radio" name="where" value="${value}"${n === 0 && html` checked`}>${words}</label>`,
  )}</div></fieldset>
<div class="row"><button type="submit" class="main">See what it would cost</button><a class="button" href="/try">Another file</a></div>
</form>`;
}
