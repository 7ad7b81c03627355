// How a dropped file is read: the page shows the sheet and the header that fit, and lets the user take others.
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { keepUpload } from '../../../src/ui/try/uploads.js';
import { T0 } from '../../contract/store-bench.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { tableOf, workbookOf } from '../../input/xlsx/make-workbook.js';
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
  expect(first.text).toContain('<option value="Leads" selected>Leads</option>');
  expect(first.text).toContain('ada@example.com');
  expect(first.text).toContain('<option value="Legend">Legend</option>');
  const other = await browser.ask(`/try/${id}?sheet=Legend`);
  expect(other.text).toContain('a year');
  expect(other.text).toContain('type="hidden" name="sheet" value="Legend"');
  expect(other.text).toContain('<option value="Leads">Leads</option>');
  const none = await browser.ask(`/try/${id}?sheet=Nowhere`);
  expect(none.status).toBe(400);
});

it('takes the names of the columns from another line, and goes on with it', async () => {
  const body = Buffer.from('Status,As of\nContacts,May\nFirst name,E-Mail\nAda,ada@example.com\n');
  const { id } = keepUpload(state, { body, name: 'Mai.csv', at: T0 });
  const browser = await lookAtPages(store, state);
  const first = await browser.ask(`/try/${id}`);
  expect(first.text).toContain('<option value="">in the first line with text</option>');
  expect(first.text).toContain('<option value="3">in line 3: First name, E-Mail</option>');
  const other = await browser.ask(`/try/${id}?header-row=3`);
  expect(other.text).toContain('<option value="">in the line that Sluice finds</option>');
  expect(other.text).toContain('<option value="3" selected>in line 3: First name, E-Mail</option>');
  expect(other.text).toContain('<input type="hidden" name="header-row" value="3">');
  expect(other.text).toContain('<option value="">First name (guessed)</option>');
  // An address is sent to verify it alone, unless the user says no.
  expect(other.text).toContain('nothing, or E-mail address to verify it (guessed)');
  expect(other.text).toContain('<option value="nothing">nothing</option>');
  expect((await browser.ask(`/try/${id}?header-row=9`)).status).toBe(400);
});

it('offers the first lines for the names of the columns, whichever it took', async () => {
  const rows = ['Export of the CRM,,', 'made on Friday,,', 'First name,Last name,E-Mail'];
  const body = Buffer.from([...rows, 'Ada,Abel,ada@example.com'].join('\n'));
  const { id } = keepUpload(state, { body, name: 'Mai.csv', at: T0 });
  const browser = await lookAtPages(store, state);
  const offered = async (query: string) => {
    const { text } = await browser.ask(`/try/${id}${query}`);
    return Array.from(text.matchAll(/in line (\d): ([^<]*)/g), ([, ...one]) => one);
  };
  const first = [
    ['1', 'Export of the CRM'],
    ['2', 'made on Friday'],
    ['3', 'First name, Last name, E-Mail'],
    ['4', 'Ada, Abel, ada@example.com'],
  ];
  for (const query of ['', '?header-row=2']) expect(await offered(query)).toEqual(first);
});

it('says how to go on if no column tells which leads lack what is asked', async () => {
  const body = Buffer.from('First name,Last name,Website\nAda,Abel,alder.example\n');
  const { id } = keepUpload(state, { body, name: 'Mai.csv', at: T0 });
  const browser = await lookAtPages(store, state);
  const { text } = await browser.ask(
    `/try/${id}/plan?ask=find_phone&only-missing=on&place=sandbox`,
  );
  expect(text).toContain(
    'No column of the input looks like your own phone numbers, so only-missing cannot tell which leads have none. Untick',
  );
  expect(text).not.toContain('--fill');
});

it('offers the values inside a column of objects, by their paths', async () => {
  const lead = { contact: { first_name: 'Ada', emails: [{ value: 'ada@example.com' }] }, id: 7 };
  const body = Buffer.from(`${JSON.stringify(lead)}\n`);
  const { id } = keepUpload(state, { body, name: 'Mai.ndjson', at: T0 });
  const browser = await lookAtPages(store, state);
  const { text } = await browser.ask(`/try/${id}?as-0=firstName&place=sandbox`);
  expect(text.match(/<th scope="row"[^>]*>[^<]*/g)?.map((th) => th.replace(/.*>/, ''))).toEqual([
    'contact.first_name',
    'contact.emails[0].value',
    'id',
  ]);
  expect(text).toMatch(/contact\.first_name<\/th>.*Ada.*<option value="firstName" selected>/);
});

it('offers no line of NDJSON, which names its values itself', async () => {
  const body = Buffer.from('{"E-Mail":"ada@example.com"}\n');
  const { id } = keepUpload(state, { body, name: 'Mai.ndjson', at: T0 });
  const { text } = await (await lookAtPages(store, state)).ask(`/try/${id}`);
  expect(text).toContain('ada@example.com');
  expect(text).not.toContain('name="header-row"');
});

it('offers the lines of the sheet that is read, and takes no line of one sheet for another', async () => {
  const of = (name: string, above: string) => ({
    name,
    rows: tableOf([[above], ['First name', 'E-Mail'], ['Ada', 'ada@example.com']]),
  });
  // The first sheet fits no less than the second, of which line 1 is the header.
  const body = workbookOf({
    sheets: [
      {
        name: 'Legend',
        rows: tableOf([
          ['Term', 'Meaning'],
          ['A', 'B'],
        ]),
      },
      of('Leads', 'As of May'),
      of('More', 'As of June'),
    ],
  });
  const { id } = keepUpload(state, { body, name: 'Mai.xlsx', at: T0 });
  const browser = await lookAtPages(store, state);
  const offered = async (query: string) => {
    const { text } = await browser.ask(`/try/${id}${query}`);
    const forms = text.split('<form').filter((form) => form.includes('name="header-row"'));
    return [...(forms[0]?.matchAll(/in line \d: [^<]*|name="sheet" value="[^"]*"/g) ?? [])].map(
      String,
    );
  };
  const lines = ['in line 2: First name, E-Mail', 'in line 3: Ada, ada@example.com'];
  expect(await offered('')).toEqual([
    'name="sheet" value="Leads"',
    'in line 1: As of May',
    ...lines,
  ]);
  const other = ['name="sheet" value="More"', 'in line 1: As of June', ...lines];
  expect(await offered('?sheet=More')).toEqual(other);
  expect(await offered('?sheet=More&header-row=2')).toEqual(other);
});

it('offers a line above the header that has no delimiter', async () => {
  const body = Buffer.from('Export of the CRM\n\nFirst name;E-Mail\nAda;ada@example.com\n');
  const { id } = keepUpload(state, { body, name: 'Mai.csv', at: T0 });
  const { text } = await (await lookAtPages(store, state)).ask(`/try/${id}`);
  expect(text).toContain('in line 1: Export of the CRM<');
  expect(text).toContain('in line 3: First name, E-Mail<');
});

it('shows each value by itself, says what an ask costs, and of each choice which guess it replaces', async () => {
  const body = Buffer.from('First name,Nick,Size\nAda,Ad,"1, 2"\nBea,Be,3\n');
  const { id } = keepUpload(state, { body, name: 'Mai.csv', at: T0 });
  const browser = await lookAtPages(store, state);
  const { text } = await browser.ask(`/try/${id}`);
  expect(text).toContain('<span class="chip">1, 2</span> <span class="chip">3</span>');
  expect(text).toContain('find phone <span class="quiet">20 credits</span>');
  expect(text).toContain('First name (not “First name”, which was guessed)');
  const plan = await browser.ask(`/try/${id}/plan?ask=find_email&place=sandbox&as-1=firstName`);
  expect(plan.text).toContain('First name = Nick (not “First name”, which was guessed)');
});

it('takes the leads and the columns of the table as the command line does, and refuses what does not fit', async () => {
  const body = Buffer.from(
    'First name,Last name,Domain,Mail,Size\nAda,Abel,a.example,,3\nBea,Bo,b.example,b@b.example,9\n',
  );
  const { id } = keepUpload(state, { body, name: 'Mai.csv', at: T0 });
  const browser = await lookAtPages(store, state);
  const plan = async (query: Record<string, string>) => {
    const words = new URLSearchParams({ ask: 'find_email', place: 'sandbox', ...query });
    return (await browser.ask(`/try/${id}/plan?${String(words)}`)).text;
  };
  expect(await plan({ where: 'Size > 5' })).toMatch(/to pay<\/dt><dd>1 /);
  expect(await plan({ sample: '1' })).toMatch(/to pay<\/dt><dd>1 /);
  const fits = { key: 'Mail', 'fill-email': 'Mail', columns: 'email,Firm=Domain' };
  expect(await plan(fits)).toMatch(/to pay<\/dt><dd>2 /);
  expect(await plan({ columns: 'nowhere' })).toContain('nowhere');
  for (const [name, value] of [
    ['where', 'Sise > 5'],
    ['sample', '1.5'],
    ['key', 'Id'],
    ['fill-phone', 'Tel'],
    ['where', 'Mail = "${HOME}"'],
  ] as const) {
    const text = await plan({ [name]: value });
    expect(text).toContain('<h1>Which column is which?</h1>');
    expect(text).toContain(`role="alert"`);
    expect(text).toContain('<details class="numbers" open>');
  }
});
