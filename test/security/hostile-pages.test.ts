// Files that were made to take long, dropped on a page or read by a run: no page is large or reads much for them, whatever
// is in them. What a page reads is bounded by LOOK; that a file ends in a sentence says that the bound held, as each of
// these takes many seconds and hundreds of megabytes without it.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { openLeadReader } from '../../src/input/open-lead-reader.js';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import type { UiContext } from '../../src/ui/page.js';
import { keepUpload } from '../../src/ui/try/uploads.js';
import { accepted } from '../contract/store-bench.js';
import { asked, runPlan } from '../helpers/leads.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { inlineCell, workbookOf } from '../input/xlsx/make-workbook.js';
import { answerTo, contextOf } from '../ui/look-at-pages.js';

const PAGE_BYTES_MAX = 5_000_000;
const T0 = Date.UTC(2026, 10, 21);
/** Each is five characters of a page. */
const SIGNS = "'";
const LONG = SIGNS.repeat(480);

function times<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}

const csv = (columns: number, nameOf: (n: number) => string): string =>
  `${times(columns, nameOf).join(',')}\nEve,x.com\n`;
/** Bytes that cannot be packed much, so that no bound on packing holds first. */
const odd = (n: number): string => ((n * 2_654_435_761) >>> 0).toString(36);
const sheet = (rows: string): Buffer =>
  workbookOf({ sheets: [{ rows: `<row>${inlineCell('email')}</row>${rows}` }] });

/** By what they are: the name, the content, and what the page says of it. */
const FILES: Readonly<Record<string, readonly [string, () => string | Buffer, RegExp]>> = {
  'as many columns as may be shown, with long names': [
    'a.csv',
    () => csv(1_000, (n) => `${n}${SIGNS.repeat(1_000)}`),
    /has these columns/,
  ],
  'one column too many': ['a.csv', () => csv(1_001, String), /has 1,001 columns, and these pages/],
  '16,000 columns': ['a.csv', () => csv(16_000, String), /has 16,000 columns, and these pages/],
  '16,000 long names': ['a.csv', () => csv(16_000, (n) => `${n}${LONG}`), /has a header of more/],
  '16,000 long keys': [
    'a.ndjson',
    () => JSON.stringify(Object.fromEntries(times(4_000, (n) => [`${n}${LONG}`, 1]))),
    /names of the columns .*more than 1048576 characters/,
  ],
  'a name of 6 MB': [
    'a.csv',
    () => csv(2, (n) => `${n}${'x'.repeat(6e6)}`),
    /has a header of more/,
  ],
  'a header that does not end': ['a.csv', () => 'a,'.repeat(9e6), /has a header of more/],
  'a quote that does not end': ['a.csv', () => '"'.repeat(9e6), /has a header of more/],
  'long cells': [
    'a.csv',
    () => `a,b\n${`${'x'.repeat(400_000)},${LONG}\n`.repeat(20)}`,
    /has these/,
  ],
  'one line of NDJSON': ['a.ndjson', () => '['.repeat(9e6), /more than 2\.1 MB before the end/],
  'lines without anything, packed': [
    'a.csv.gz',
    () => gzipSync(Buffer.concat([Buffer.from('a,b\n'), Buffer.alloc(64e6, '\n')])),
    /more than 2\.1 MB before the end/,
  ],
  'cells without anything': [
    'a.xlsx',
    () => sheet(times(1_000, (r) => `<row>${`<c s="${odd(r)}"/>`.repeat(2_000)}</row>`).join('')),
    /more than 16\.8 MB before the end/,
  ],
  'a text behind a million others': [
    'a.xlsx',
    () =>
      workbookOf({
        sheets: [{ rows: '<row><c t="s"><v>999999</v></c></row>' }],
        strings: times(1e6, (n) => `<t>${odd(n)}</t>`),
      }),
    /more than 16\.8 MB before the end/,
  ],
  'a workbook of 16,000 columns': [
    'a.xlsx',
    () =>
      workbookOf({
        sheets: [{ rows: `<row>${times(16_000, (n) => inlineCell(`${n}`)).join('')}</row>` }],
      }),
    /has 16,000 columns, and these pages/,
  ],
};

function openState(): UiContext {
  const state = join(tempFolder(), 'state.db');
  const store = openSqliteStore(state);
  onTestFinished(() => store.close());
  return contextOf(store, state);
}

/** The page as the browser gets it. */
async function show(context: UiContext, path: string): Promise<string> {
  const page = await answerTo(context, path);
  const html = 'title' in page ? String(page.body) : '';
  expect(Buffer.byteLength(html)).toBeLessThan(PAGE_BYTES_MAX);
  return html;
}

it.each(Object.entries(FILES))('a dropped file is shown or refused: %s', async (_, made) => {
  const [name, content, said] = made;
  const context = openState();
  const { id } = keepUpload(context.state, { body: Buffer.from(content()), name, at: T0 });
  expect(await show(context, `/try/${id}`)).toMatch(said);
  // The columns are of no use, or the file is of none: so that no plan is begun.
  const query = 'ask=find_email&where=sandbox&as-0=nothing';
  const planned = await show(context, `/try/${id}/plan?${query}`);
  expect(planned).toMatch(said);
  expect(planned).toMatch(/role="alert"/);
});

it('the pages of a run are bounded, however many columns its leads have, and however long', async () => {
  const context = openState();
  const { store } = context;
  const key = SIGNS.repeat(60);
  const columns = times(16_000, (n) => ({ key: `${n}${key}`, name: `${n}${key}` }));
  const cells = columns.map(() => LONG);
  const long = SIGNS.repeat(1e6);
  const result = {
    find_email: { email: long },
    social_enrichment: { summary: long, positionGroups: [] },
  };
  for (const job of ['a', 'a']) {
    const run = await store.startRun(runPlan({ job }), T0);
    const leads = times(3, (n) => ({ ...asked(n + 1, `${run.id} ${n}`), cells }));
    const at = { at: T0, freshSince: 0, deadlineAt: T0 };
    await store.ingest(run.id, { columns, leads, rejects: [] }, at);
    await store.finishReading(run.id);
    const claimed = (await store.claim(run.id, 10, T0)).claimed;
    await store.recordSubmits(claimed.map((one) => ({ ...accepted(one), at: T0 })));
    await store.settle(
      claimed.map(({ id }) => ({ id, at: T0, outcome: 'found' as const, result, credits: 5 })),
    );
    await store.endRun(run.id, 'finished', T0);
  }
  for (const path of [
    '/',
    '/jobs',
    '/jobs/a',
    '/jobs/a/compare?before=1&after=2',
    '/runs/1',
    '/runs/1/leads',
    '/runs/1/lines/2',
  ]) {
    expect(await show(context, path)).toContain('Run');
  }
});

it('a header without an end is given up where it comes through a pipe', async () => {
  let given = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      given += 1;
      yield await Promise.resolve(Buffer.from('a,'.repeat(32_768)));
    }
  }
  await expect(openLeadReader(['-'], { standardInput: endless() })).rejects.toThrow(
    'has a header of more than 1048576 characters',
  );
  expect(given).toBeLessThan(40);
});
