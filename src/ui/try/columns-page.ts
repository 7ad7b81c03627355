// The first pages for trying a file: it is dropped, and its columns are shown and corrected. Its cost is shown next, and
// only then it is run (plan-page.ts).
import { type FirstLook } from '../../app/plan/first-look.js';
import { detectFormat } from '../../input/sources/probe-source.js';
import { ASKS } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import { cellAt, type FoundColumn, findColumn } from '../../model/mapping/find-column.js';
import { exactText } from '../../model/text/json.js';
import type { PageContent, UiAction, UiContext, UiPage } from '../page.js';
import { PATHS, pathTo } from '../paths.js';
import type { Visit } from '../server/routes.js';
import { type Columns, layOutColumns, layOutDrop, ONLY_MISSING } from './columns-view.js';
import {
  columnsOffered,
  guessesOf,
  type LookedAt,
  lookAgain,
  lookAtUpload,
  placesOf,
  type ReadWish,
  readWish,
} from './tried-job.js';
import { findUpload, keepUpload, UPLOAD_BYTES_MAX, type Upload } from './uploads.js';

const VALUES_SHOWN = 3;
/** The number of lines that are shown as possible headers. */
const LINES_SHOWN = 5;

export const tryPage: UiPage = {
  path: PATHS.drop,
  load: async ({ isReadOnly }, { token }) => ({
    title: 'Try a file',
    body: layOutDrop({ token, isReadOnly, bytesMax: UPLOAD_BYTES_MAX }),
  }),
};

export const dropAction: UiAction = {
  path: PATHS.drop,
  bodyBytesMax: UPLOAD_BYTES_MAX,
  act: async ({ clock, state }, { body, query }) => {
    const { id } = keepUpload(state, { body, name: query.get('name') ?? '', at: clock.now() });
    return { goto: pathTo(PATHS.columns, { upload: id }) };
  },
};

export const columnsPage: UiPage = {
  path: PATHS.columns,
  load: (context, visit) =>
    withLook(context, visit, async (upload, first, query) => {
      // The form's values, if the user comes back from the plan or reads it in another way.
      const chosen = query.has('where') ? query : null;
      const wish = readWish(query);
      return showColumns(context, { upload, first, wish, chosen, trouble: null });
    }),
};

/** Shows a file, or the place to drop another if the file is wrong. */
export async function withLook(
  { isReadOnly, state }: UiContext,
  { params, query, token }: Visit,
  show: (upload: Upload, first: FirstLook, query: URLSearchParams) => Promise<PageContent>,
): Promise<PageContent> {
  const upload = findUpload(state, params['upload'] ?? '');
  let looked: LookedAt;
  try {
    looked = await lookAgain(upload, query);
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    const trouble = tellTrouble(error, upload);
    const drop = { token, isReadOnly, bytesMax: UPLOAD_BYTES_MAX, trouble };
    return { title: 'Try a file', body: layOutDrop(drop), status: 400 };
  }
  return show(upload, looked.first, looked.form);
}

interface ColumnsShown extends Pick<Columns, 'chosen' | 'trouble'> {
  readonly upload: Upload;
  readonly first: FirstLook;
  /** The chosen way to read the file. */
  readonly wish: ReadWish;
}

/** The form of the columns, with the error in the choice. */
export async function showColumns(
  context: UiContext,
  { chosen, first, trouble, upload, wish }: ColumnsShown,
): Promise<PageContent> {
  const guesses = guessesOf(first);
  const title = 'Which column is which?';
  const body = layOutColumns({
    title,
    path: pathTo(PATHS.tryPlan, { upload: upload.id }),
    again: pathTo(PATHS.columns, { upload: upload.id }),
    file: upload.label,
    sheets: await sheetsOf(upload, first, wish),
    header: await headerOf(upload, first, wish),
    columns: columnsOffered(first).map(({ key, name }) => ({
      name,
      values: valuesIn(first.records, findColumn(first.columns, key)),
      guesses: guesses.get(key) ?? [],
    })),
    asks: ASKS,
    places: await placesOf(context),
    chosen,
    trouble,
  });
  return { title, body, status: trouble === null ? 200 : 400 };
}

/** The sheets of a workbook with several; the one that is shown comes first. */
async function sheetsOf(
  upload: Upload,
  first: FirstLook,
  { sheet: chosen }: ReadWish,
): Promise<Columns['sheets']> {
  const guess = chosen === undefined ? first : await lookAtUpload(upload, {});
  const found = guess.detected?.find(({ what }) => what === 'sheet');
  if (found === undefined) return [];
  const names = [found.value, ...(found.others ?? []).map(({ sheet }) => sheet)];
  const shown = chosen ?? found.value;
  return [shown, ...names.filter((name) => name !== shown)];
}

/** The line with the names of the columns, as far as it is known, and the lines beside it. */
async function headerOf(
  upload: Upload,
  { detected = [], records }: FirstLook,
  wish: ReadWish,
): Promise<Columns['header']> {
  if (detectFormat(upload.file, '') === 'ndjson') return null;
  const { 'header-row': chosen } = wish;
  const guessed = detected.find(({ what }) => what === 'header')?.value;
  const line = chosen === undefined ? (guessed ?? null) : String(chosen);
  const above = line === null ? [] : await linesAbove(upload, Number(line), wish);
  const others = [...above.slice(-LINES_SHOWN), ...records.slice(0, LINES_SHOWN)];
  return {
    chosen: chosen ?? null,
    line,
    others: others.map((other) => ({
      line: other.line,
      cells: other.cells.map((cell) => exactText(cell ?? '').trim()).filter((text) => text !== ''),
    })),
  };
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

/** The error, with the file's name for its user, and without parts that only a command can be told. */
export function tellTrouble({ logged }: SluiceError, { file, label }: Upload): string {
  const [, lacking] = /^only-missing[^:]{0,60}: ([^.]{1,1000}\.)/.exec(logged) ?? [];
  if (lacking !== undefined) {
    return `It is not known which leads have none: ${lacking} Take the tick from “${ONLY_MISSING}”, or ask for something else.`;
  }
  const sentences = logged.replaceAll(file, label).split(/(?<=\.) (?=[A-Z])/);
  const told = sentences.filter((sentence) => !/(^|[\s"])--[a-z]/.test(sentence));
  if (told.length === sentences.length || told.length === 0) return sentences.join(' ');
  return [...told, 'Choose the columns below.'].join(' ');
}
