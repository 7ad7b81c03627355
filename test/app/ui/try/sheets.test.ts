// A dropped workbook with several sheets: the page shows the one that fits, and lets the user take another.
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { keepUpload } from '../../../../src/app/ui/try/uploads.js';
import { openSqliteStore } from '../../../../src/store/sqlite/open-sqlite-store.js';
import { T0 } from '../../../contract/store-bench.js';
import { tempFolder } from '../../../helpers/temp-folder.js';
import { tableOf, workbookOf } from '../../../input/xlsx/make-workbook.js';
import { lookAtPages } from '../look-at-pages.js';

const state = join(tempFolder(), 'state.db');
const store = openSqliteStore(state);
afterAll(() => store.close());

const BOOK = workbookOf({
  sheets: [
    {
      name: 'Legend',
      rows: tableOf([
        ['Term', 'Meaning'],
        ['Umsatz', 'a year'],
      ]),
    },
    {
      name: 'Leads',
      rows: tableOf([
        ['First name', 'E-Mail'],
        ['Ada', 'ada@example.com'],
      ]),
    },
  ],
});

it('shows the sheet whose columns fit, and another one that is chosen, which goes along with the form', async () => {
  const { id } = keepUpload(state, { body: BOOK, name: 'Mai.xlsx', at: T0 });
  const browser = await lookAtPages(store, state);
  const first = await browser.ask(`/try/${id}`);
  expect(first.text).toContain('<strong>Leads</strong>');
  expect(first.text).toContain('ada@example.com');
  expect(first.text).toContain(`<a href="/try/${id}?sheet=Legend">Legend</a>`);
  const other = await browser.ask(`/try/${id}?sheet=Legend`);
  expect(other.text).toContain('a year');
  expect(other.text).toContain('name="sheet" value="Legend"');
  expect(other.text).toContain(`<a href="/try/${id}?sheet=Leads">Leads</a>`);
  const none = await browser.ask(`/try/${id}?sheet=Nowhere`);
  expect(none.status).toBe(400);
});
