// How a dropped file is read: its sheet, and the line that has the names of its columns. Each has a form of its own: the
// number of a line means nothing on another sheet.
import type { FirstLook } from '../../app/plan/first-look.js';
import { html, type Markup } from '../../html/markup.js';
import { detectFormat } from '../../input/sources/probe-source.js';
import { cutText } from '../../model/text/count.js';
import { exactText, type JsonValue } from '../../model/text/json.js';
import { NAME_MAX, selectField } from '../links.js';
import { PATHS, pathTo } from '../paths.js';
import { lookAtUpload, type ReadWish } from './tried-job.js';
import type { Upload } from './uploads.js';

/** The number of lines that are shown as possible headers. */
const LINES_SHOWN = 10;
/** The limit of shown cells of a line that may hold the names. */
const CELLS_SHOWN = 6;
export const VALUE_LENGTH_MAX = 40;

export async function readingForm(
  upload: Upload,
  first: FirstLook,
  wish: ReadWish,
): Promise<Markup | null> {
  const sheets = await sheetsOf(upload, first, wish);
  const sheet = wish.sheet ?? sheets[0];
  const lines = await linesOf(upload, sheet);
  if (sheets.length + lines.length === 0) return null;
  const { 'header-row': chosen } = wish;
  const guessed = first.detected?.find(({ what }) => what === 'header')?.value;
  const taken = guessed === undefined ? 'the first line with text' : `line ${guessed}`;
  const form = (fields: Markup): Markup =>
    html`<form class="filters" method="get" action="${pathTo(PATHS.columns, { upload: upload.id })}" data-at-once>${fields}<button class="unscripted">Read it so</button></form>
`;
  return html`${
    sheets.length > 0 &&
    form(
      selectField(
        'sheet',
        'Sheet',
        sheet,
        sheets.map((name) => ({ value: name, words: cutText(name, NAME_MAX) })),
        null,
      ),
    )
  }${
    lines.length > 0 &&
    form(
      html`${sheet !== undefined && html`<input type="hidden" name="sheet" value="${sheet}">`}${selectField(
        'header-row',
        'Names of the columns',
        chosen?.toString(),
        [
          ...lines.map(({ line, cells }) => ({
            value: `${line}`,
            words: wordsOfLine(line, cells),
          })),
          { value: 'none', words: 'in no line' },
        ],
        chosen === undefined ? `in ${taken}` : 'in the line that Sluice finds',
      )}`,
    )
  }`;
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

/** The first lines of the sheet that was read, which may have the names of the columns; none for NDJSON, which has none. */
async function linesOf(upload: Upload, sheet: string | undefined) {
  if (detectFormat(upload.file, '') === 'ndjson') return [];
  const wish = { ...(sheet !== undefined && { sheet }), 'header-row': 'none' } as const;
  return (await lookAtUpload(upload, wish)).records.slice(0, LINES_SHOWN);
}
