// How a dropped file is read: the page shows the sheet and the header that fit, and lets the user take others.
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

it('takes the names of the columns from another line by a click, and goes on with it', async () => {
  const body = Buffer.from('Status,As of\nContacts,May\nFirst name,E-Mail\nAda,ada@example.com\n');
  const { id } = keepUpload(state, { body, name: 'Mai.csv', at: T0 });
  const browser = await lookAtPages(store, state);
  const first = await browser.ask(`/try/${id}`);
  expect(first.text).toContain('They were taken from the first line with text.');
  expect(first.text).toContain(
    `<a href="/try/${id}?header-row=3">Line 3</a>: First name, E-Mail</li>`,
  );
  const other = await browser.ask(`/try/${id}?header-row=3`);
  expect(other.text).toContain('They were taken from line 3.');
  expect(other.text).toContain(`<a href="/try/${id}">Let Sluice choose it.</a>`);
  expect(other.text).toContain('<input type="hidden" name="header-row" value="3">');
  expect(other.text).toContain('First name (guessed)');
  // An address is sent to verify it alone, unless the user says no.
  expect(other.text).toContain('no column, or E-Mail to verify it (guessed)');
  expect(other.text).toContain('<option value="none">no column</option>');
  expect((await browser.ask(`/try/${id}?header-row=9`)).status).toBe(400);
});

it('offers no line of NDJSON, which names its values itself', async () => {
  const body = Buffer.from('{"E-Mail":"ada@example.com"}\n');
  const { id } = keepUpload(state, { body, name: 'Mai.ndjson', at: T0 });
  const { text } = await (await lookAtPages(store, state)).ask(`/try/${id}`);
  expect(text).toContain('ada@example.com');
  expect(text).not.toContain('stand in another line');
});
