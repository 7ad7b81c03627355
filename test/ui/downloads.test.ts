// What the pages give a browser to keep: the same bytes as the command writes, and no more of them at once than fit.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { reportRun } from '../../src/app/report/write-report.js';
import { exportRun } from '../../src/app/results/export-run.js';
import type { Store } from '../../src/ports/store/store.js';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { keepUpload } from '../../src/ui/try/uploads.js';
import { T0, TIMES } from '../contract/store-bench.js';
import { COLUMNS, runPlan, skippedLead } from '../helpers/leads.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { lookAtPages } from './look-at-pages.js';
import type { Browser } from './server/ui-bench.js';

const FORMATS = ['csv', 'xlsx', 'ndjson', 'parquet'] as const;
/** Leads that are far more text than what is on its way between a server and a browser that does not read. */
const MANY = 5_000;
const LONG = 'x'.repeat(2_000);
const PORTIONS = MANY / 100;
const folder = tempFolder();
const state = join(folder, 'state.db');
let store: Store;

beforeAll(async () => {
  store = openSqliteStore(state);
  await runOf(['name'], 3);
  await runOf(['name'], MANY);
  await runOf(
    Array.from({ length: 16_400 }, (_, n) => `c${n}`),
    1,
  );
  return () => store.close();
});

async function runOf(names: readonly string[], count: number): Promise<void> {
  const columns = names.length === 1 ? COLUMNS : names.map((name) => ({ name, key: name }));
  const run = await store.startRun(runPlan({ job: 'wörk' }), T0);
  const leads = Array.from({ length: count }, (_, n) => ({
    ...skippedLead(n + 1, 'no name'),
    cells: [count === MANY ? LONG : `=${n}`],
  }));
  await store.ingest(run.id, { columns, leads, rejects: [] }, TIMES);
  await store.finishReading(run.id);
  await store.endRun(run.id, 'finished', T0 + 1_000);
}

const open = (seen: Store = store): Promise<Browser> => lookAtPages(seen, state);

describe('where the pages are only to be looked at', () => {
  it.each(FORMATS)('a table as .%s is what export writes', async (format) => {
    const browser = await open();
    const before = readdirSync(folder);
    const answer = await browser.begin(`/runs/1/table?as=${format}`);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename*=UTF-8''w%C3%B6rk-run-1.${format}`,
    });
    const got = await buffer(answer);
    expect(readdirSync(folder)).toEqual(before);
    const out = join(folder, `table.${format}`);
    await exportRun(store, 1, { out });
    expect(got.equals(readFileSync(out))).toBe(true);
  });

  it.each(FORMATS)(
    'the rows that an expression chooses, as .%s, are what export writes',
    async (format) => {
      const browser = await open();
      const where = "sluice_status = skipped and name = '=1'";
      const query = new URLSearchParams({ where }).toString();
      const got = await buffer(await browser.begin(`/runs/1/table?as=${format}&${query}`));
      const out = join(folder, `chosen.${format}`);
      expect(await exportRun(store, 1, { out, where })).toMatchObject({ rows: 1 });
      expect(got.equals(readFileSync(out))).toBe(true);
    },
  );

  it('an expression that cannot be read leads back to the form, with what was typed and why', async () => {
    const browser = await open();
    const query = new URLSearchParams({ where: 'emial is "empty"' }).toString();
    const refused = await browser.ask(`/runs/1/table?as=xlsx&${query}`);
    expect(refused.status).toBe(400);
    expect(refused.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(refused.text).toContain('value="emial is &quot;empty&quot;"');
    expect(refused.text).toContain('Did you mean &quot;email&quot;?');
    expect(refused.text).toContain('name="as" value="xlsx"');
    expect(refused.text).not.toContain('data-live');
  });

  it('a part of the rows takes the place of no table of the run, and its columns are there', async () => {
    const where = 'email is not empty';
    await expect(exportRun(store, 1, { where })).rejects.toThrow(/Name another file with --out/);
    const wrong = exportRun(store, 1, { out: join(folder, 'x.csv'), where: 'emial is empty' });
    await expect(wrong).rejects.toThrow('Did you mean "email"?');
    const page = await (await open()).ask('/runs/1');
    expect(page.text).toContain('name="as" value="xlsx"');
  });

  it('the report is what sluice report writes', async () => {
    const browser = await open();
    const { headers, text } = await browser.ask('/runs/1/report.html');
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': `attachment; filename*=UTF-8''w%C3%B6rk-run-1.html`,
    });
    const out = join(folder, 'report.html');
    await reportRun(store, 1, { out, state });
    const timeless = (page: string): string => page.replace(/<footer>.*<\/footer>/, '');
    expect(timeless(text)).toBe(timeless(readFileSync(out, 'utf8')));
  });
});

it('the report of a dropped file is named as the file was', async () => {
  const body = Buffer.from('a\n1\n');
  const { job } = keepUpload(state, { body, name: 'Mai.csv', at: T0 });
  const { id } = await store.startRun(runPlan({ job }), T0);
  const browser = await open();
  const { text } = await browser.ask(`/runs/${id}/report.html`);
  expect(text).toContain(`<title>Run ${id} of Mai.csv</title>`);
  expect(text).not.toContain(`Run ${id} of ${job}`);
});

it('a table that a format cannot hold is refused by a page that says so, and the next one is there', async () => {
  const browser = await open();
  const refused = await browser.ask('/runs/3/table?as=xlsx');
  expect(refused.status).toBe(400);
  expect(refused.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(refused.text).toMatch(/The table would have [\d,]+ columns, and XLSX ends at 16384/);
  expect((await browser.ask('/runs/3/table?as=csv')).status).toBe(200);
});

it('no more of a table is read than a browser takes, and nothing for one that has gone', async () => {
  let portions = 0;
  const seen: Store = {
    ...store,
    answers: (...args) => {
      portions += 1;
      return store.answers(...args);
    },
  };
  const browser = await open(seen);
  const begun = await browser.begin('/runs/2/table?as=csv');
  begun.pause();
  begun.destroy();
  // Whoever still read would read as much meanwhile.
  portions = 0;
  expect((await browser.ask('/runs/2/table?as=csv')).text.length).toBeGreaterThan(
    MANY * LONG.length,
  );
  expect(portions).toBeLessThan(1.5 * PORTIONS);
});
