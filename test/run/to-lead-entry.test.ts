import { describe, expect, it } from 'vitest';
import type { SourceRecord } from '../../src/model/lead.js';
import { exactNumber, type JsonValue, markWorkbookCell } from '../../src/model/text/json.js';
import type { LeadEntry } from '../../src/ports/store/enrichments.js';
import type { AskingTerms } from '../../src/run/run-context.js';
import { toLeadEntry } from '../../src/run/to-lead-entry.js';
import { judge } from '../helpers/judge.js';
import { TERMS } from '../helpers/test-run.js';

const COLUMNS = ['first_name', 'last_name', 'domain', 'email'].map((name) => ({ key: name, name }));
const MAPPING = judge(COLUMNS).mapping;

function entryOf(cells: SourceRecord['cells'], changes: Partial<AskingTerms> = {}): LeadEntry {
  return toLeadEntry({ source: 2, line: 9, cells }, 7, MAPPING, { ...TERMS, ...changes });
}

function fingerprintOf(entry: LeadEntry): string {
  return entry.kind === 'asked' ? Buffer.from(entry.fingerprint).toString('hex') : entry.kind;
}

describe('a column with what stands before the last name', () => {
  const columns = ['first_name', 'prefix', 'last_name', 'domain'].map((name) => ({
    key: name,
    name,
  }));
  const { mapping } = judge(columns, { lastNamePrefix: 'prefix' });
  const entry = (prefix: string, last: string) =>
    toLeadEntry(
      { source: 0, line: 2, cells: ['Ada', prefix, last, 'a.example'] },
      1,
      mapping,
      TERMS,
    );

  it.each([
    ['van der', 'Berg', 'van der Berg'],
    ['van der', 'van der Berg', 'van der Berg'],
    ['Van Der ', 'van der Berg', 'van der Berg'],
    ['van', 'Vanderbilt', 'van Vanderbilt'],
    ["d'", 'Artagnan', "d'Artagnan"],
    ["d'", "D'Artagnan", "D'Artagnan"],
    ["'t", 'Hart', "'t Hart"],
    ['Dr.', 'Lovelace', 'Lovelace'],
    ['Dr. van', 'Berg', 'van Berg'],
    ['van der', 'Berg, PhD', 'van der Berg'],
    ['-', 'Berg', 'Berg'],
    ['n/a', 'Berg', 'Berg'],
    ['', 'Berg', 'Berg'],
  ])('%j and %j are sent as %j', (prefix, last, lastName) => {
    const one = entry(prefix, last);
    expect(one).toMatchObject({ request: { inputs: { firstName: 'Ada', lastName } } });
    expect(fingerprintOf(one)).toBe(fingerprintOf(entryOf(['Ada', lastName, 'a.example'])));
  });

  it('names nobody by itself', () => {
    expect(entry('van der', '').kind).toBe('skipped');
  });
});

describe('a cell as a spreadsheet shows it', () => {
  const linked = (text: string, link: string) =>
    markWorkbookCell({ text, value: '', format: '', link });
  it.each<[JsonValue, string | undefined]>([
    ['="ada.example"', 'ada.example'],
    ['=HYPERLINK("https://ada.example/x","Visit site")', 'ada.example'],
    ['=hyperlink("ada.example" ; "→")', 'ada.example'],
    ['=HYPERLINK("https://ada.example")', 'ada.example'],
    ['=HYPERLINK("https://other.example","ada.example")', 'ada.example'],
    ['="ada"&".example"', undefined],
    ['=HYPERLINK(A1,"Visit site")', undefined],
    [linked('Visit site', 'https://www.ada.example/'), 'ada.example'],
    [linked('ada.example', 'https://other.example/'), 'ada.example'],
    [linked('Mail', 'mailto:x@ada.example'), 'ada.example'],
  ])('%j is the domain %j', (cell, companyDomain) => {
    const entry = entryOf(['="Ada"', '="Love""lace"""', cell]);
    const inputs = { firstName: 'Ada', lastName: 'Love"lace"', companyDomain };
    if (companyDomain === undefined) expect(entry).toMatchObject({ kind: 'skipped' });
    else expect(entry).toMatchObject({ request: { inputs } });
    expect(entry.cells[0]).toBe('="Ada"');
  });

  it('shows by its links that a column holds profiles', () => {
    const columns = [{ key: 'LinkedIn URL', name: 'LinkedIn URL' }];
    const records = Array.from({ length: 4 }, (_, n) => ({
      source: 0,
      line: n + 2,
      cells: [linked('Profile', `https://www.linkedin.com/in/p${n}`)],
    }));
    const { mapping } = judge(columns, {}, { records });
    expect(mapping.map(({ input }) => input)).toEqual(['socialUrl']);
  });
});

describe('a column with the whole name', () => {
  const columns = ['first_name', 'Name', 'domain'].map((name) => ({ key: name, name }));
  const { mapping } = judge(columns, { fullName: 'Name' });
  const entry = (cells: readonly string[], changes: Partial<AskingTerms> = {}) =>
    toLeadEntry({ source: 0, line: 2, cells }, 1, mapping, { ...TERMS, ...changes });
  const inputsOf = (one: LeadEntry) => (one.kind === 'asked' ? one.request.inputs : one.note);

  it('gives first and last name, and the fingerprint of two columns', () => {
    const split = entry(['', 'Dr. LOVELACE, Ada', 'example.com']);
    expect(inputsOf(split)).toEqual({
      firstName: 'Ada',
      lastName: 'LOVELACE',
      companyDomain: 'example.com',
    });
    expect(fingerprintOf(split)).toBe(fingerprintOf(entryOf(['Ada', 'Lovelace', 'example.com'])));
  });

  it('gives what a column of its own leaves open', () => {
    expect(inputsOf(entry(['Augusta Ada', 'Ada Lovelace', 'example.com']))).toMatchObject({
      firstName: 'Augusta Ada',
      lastName: 'Lovelace',
    });
    expect(inputsOf(entry(['Ada', 'Lovelace', 'example.com']))).toMatchObject({
      firstName: 'Ada',
      lastName: 'Lovelace',
    });
  });

  it('is not sent as one word, unless the platform takes the whole name', () => {
    const madonna = ['', 'Madonna', 'example.com'];
    const note = expect.stringMatching(/^insufficient inputs: .*; fullName is left out/);
    expect(entry(madonna)).toMatchObject({ kind: 'skipped', note });
    const whole = entry(madonna, { takesWholeName: true });
    expect(inputsOf(whole)).toEqual({ lastName: 'Madonna', companyDomain: 'example.com' });
    expect(
      inputsOf(entry(['', '山田太郎', 'example.com'], { takesWholeName: true })),
    ).toMatchObject({
      lastName: '山田太郎',
    });
    const last = entryOf(['', 'Madonna', 'example.com'], { takesWholeName: true });
    expect(last.kind, 'a last name alone is none').toBe('skipped');
  });

  it('says nothing of an empty cell, or one without a name', () => {
    for (const text of ['', ' ', '—', '42', 'ada@example.com']) {
      expect(entry(['', text, 'example.com']).note, text).not.toContain('fullName');
    }
  });
});

describe('toLeadEntry', () => {
  it('keeps the cells to the letter and asks with the normalised inputs', () => {
    const cells = [' Ada ', 'LOVELACE', 'https://www.Example.com/about', ''];
    const entry = entryOf(cells);
    expect(entry).toMatchObject({
      kind: 'asked',
      position: 7,
      source: 2,
      line: 9,
      note: null,
      request: {
        ask: ['find_email'],
        inputs: { firstName: 'Ada', lastName: 'LOVELACE', companyDomain: 'example.com' },
      },
    });
    expect(entry.cells).toBe(cells);
  });

  it('two spellings of one person are one fingerprint; another person, account or ask is another', () => {
    const ada = ['Ada', 'Lovelace', 'example.com'];
    const one = fingerprintOf(entryOf(ada));
    expect(fingerprintOf(entryOf([' ADA', 'lovelace ', 'http://www.example.com/x']))).toBe(one);
    const others = [
      entryOf(['Adam', 'Lovelace', 'example.com']),
      entryOf(ada, { account: 'another' }),
      entryOf([...ada, 'ada@example.com'], { ask: ['find_email', 'verify_email'] }),
    ];
    expect(new Set([one, ...others.map(fingerprintOf)]).size).toBe(4);
  });

  it('reads an input inside a column of objects or lists', () => {
    const columns = ['contact', 'emails'].map((name) => ({ key: name, name }));
    const { mapping } = judge(columns, {
      firstName: 'contact.first',
      lastName: 'contact.last',
      companyDomain: 'contact.firm.domain',
      email: 'emails[type=work].value',
    });
    const contact = { first: 'Ada', last: 'Lovelace', firm: { domain: 'example.com' } };
    const emails = [
      { type: 'home', value: 'x@home.example' },
      { type: 'work', value: 'a@b.co' },
    ];
    const entry = (...cells: JsonValue[]) =>
      toLeadEntry({ source: 0, line: 1, cells }, 1, mapping, TERMS);
    const inputs = { firstName: 'Ada', lastName: 'Lovelace', companyDomain: 'example.com' };
    expect(entry(contact, emails)).toMatchObject({
      kind: 'asked',
      request: { inputs: { ...inputs, email: 'a@b.co' } },
    });
    expect(entry(contact, [])).toMatchObject({ kind: 'asked', request: { inputs } });
    expect(entry(contact, null)).toMatchObject({ kind: 'asked', request: { inputs } });
    expect(entry(contact, 'a@b.co')).toMatchObject({
      kind: 'asked',
      request: { inputs },
      note: 'email is left out: the column emails[type=work].value holds no text',
    });
    expect(entry({ ...contact, last: {} }, [])).toMatchObject({ kind: 'skipped' });
  });

  it('skips malformed inputs, and cells that hold no text', () => {
    expect(entryOf(['Ada', 'Lovelace', 'no domain at all'])).toMatchObject({
      kind: 'skipped',
      note: 'malformed: companyDomain holds no domain name',
    });
    expect(entryOf(['Ada', ['Lovelace'], 'example.com'])).toMatchObject({
      kind: 'skipped',
      note: 'malformed: the column last_name holds no text',
    });
    expect(entryOf(['Ada', { of: 'Lovelace' }, 'example.com']).kind).toBe('skipped');
  });

  it('asks without a value that is malformed where the rest suffices, and says so', () => {
    const whole = entryOf(['Ada', 'Lovelace', 'example.com', '']);
    for (const [email, note] of [
      ['ada at example', 'email is left out: it is not an e-mail address'],
      ['a'.repeat(1001), 'email is left out: it is longer than 1000 characters'],
      ['n/a', null],
      ['#N/A', null],
      [' None ', null],
      ['k. A.', null],
    ]) {
      const entry = entryOf(['Ada', 'Lovelace', 'example.com', email ?? '']);
      expect(entry).toMatchObject({ kind: 'asked', note });
      expect(fingerprintOf(entry)).toBe(fingerprintOf(whole));
    }
    const rest = entryOf(['', '', 'no domain', 'ada@example.com']);
    const note = 'companyDomain is left out: it holds no domain name';
    expect(rest).toMatchObject({ request: { inputs: { email: 'ada@example.com' } }, note });
  });

  it('asks for a part where the malformed value is what the other asks need', () => {
    const terms = { ask: ['find_email', 'verify_email'] as const };
    expect(entryOf(['Ada', 'Lovelace', 'example.com', 'ada at example'], terms)).toMatchObject({
      request: { ask: ['find_email'] },
      note: 'insufficient inputs: verify_email has no e-mail address; email is left out: it is not an e-mail address',
    });
  });

  it('skips for what is missing where the malformed value would not have helped', () => {
    expect(entryOf(['Ada', '', 'no domain'])).toMatchObject({
      kind: 'skipped',
      note: expect.stringMatching(/^insufficient inputs: .*; companyDomain is left out: it holds/),
    });
  });

  it('takes a number as text, and a missing or null cell as empty', () => {
    expect(entryOf(['Ada', 3, 'example.com'])).toMatchObject({
      request: { inputs: { lastName: '3' } },
    });
    const exact = (text: string) => [exactNumber(text) ?? '', 'Doe', 'example.com'];
    expect(entryOf(exact('3.0'))).toMatchObject({ request: { inputs: { firstName: '3' } } });
    expect(entryOf(exact('12345678901234567890'))).toMatchObject({
      request: { inputs: { firstName: '12345678901234567890' } },
    });
    expect(entryOf(['Ada', null, 'example.com']).kind).toBe('skipped');
    expect(entryOf(['Ada']).kind).toBe('skipped');
  });

  it('skips what no ask has inputs for, and says what is missing in the words of the file', () => {
    const note = 'insufficient inputs: no last name: last_name is empty';
    expect(entryOf(['Ada', '', 'example.com'])).toMatchObject({ kind: 'skipped', note });
    const columns = ['Prénom', 'Nom', 'Société', 'Site web'].map((name) => ({ key: name, name }));
    const french = (cells: readonly string[], count = 4) =>
      toLeadEntry({ source: 0, line: 2, cells }, 1, judge(columns.slice(0, count)).mapping, TERMS)
        .note;
    expect(french(['Jean', 'Dupont', '', ' '])).toBe(
      'insufficient inputs: no company: Site web and Société are empty',
    );
    expect(french(['Jean', '', '', ' '])).toBe(
      'insufficient inputs: no last name, no company: Nom, Site web and Société are empty',
    );
    expect(french(['Jean', 'Dupont'], 2)).toBe('insufficient inputs: no company: no column has it');
  });

  it('asks without a domain that many share, and says so', () => {
    const columns = [...COLUMNS, { key: 'company', name: 'company' }];
    const { mapping } = judge(columns);
    const cells = ['Jo', 'Kim', 'https://www.facebook.com/bakery', '', 'Bakery'];
    expect(toLeadEntry({ source: 0, line: 2, cells }, 1, mapping, TERMS)).toMatchObject({
      kind: 'asked',
      request: { inputs: { firstName: 'Jo', lastName: 'Kim', companyName: 'Bakery' } },
      note: expect.stringMatching(/^companyDomain is left out/),
    });
  });

  it('skips whom only such a domain could tell, and says why', () => {
    for (const domain of ['linkedin.com/company/a', 'linkedin.com/company/b', 'x@gmail.com']) {
      expect(entryOf(['Jo', 'Kim', domain])).toMatchObject({
        kind: 'skipped',
        note: expect.stringMatching(
          /^insufficient inputs: no company; companyDomain is left out: it is a (social network|mail provider)'s domain, and no company's$/,
        ),
      });
    }
  });
});
