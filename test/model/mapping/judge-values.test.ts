// Columns that are judged by their values as well as by their headers.
import { describe, expect, it } from 'vitest';
import type { InputName } from '../../../src/model/ask.js';
import { refuseUnmapped } from '../../../src/model/mapping/judge-columns.js';
import type { MappingWish } from '../../../src/model/mapping/mapping.js';
import type { JsonValue } from '../../../src/model/text/json.js';
import { judge } from '../../helpers/judge.js';

/** `companyDomain: Website` for each column of the table that feeds an input. */
function guessed(table: Readonly<Record<string, readonly JsonValue[]>>, wish: MappingWish = {}) {
  const names = Object.keys(table);
  const count = Math.max(...Object.values(table).map(({ length }) => length));
  const records = Array.from({ length: count }, (_, at) => ({
    source: 0,
    line: at + 2,
    cells: names.map((name) => table[name]?.[at] ?? null),
  }));
  const columns = names.map((name) => ({ key: name, name }));
  return judge(columns, wish, { records }).mapping.map(
    ({ input, column }) => `${input}: ${column.key}`,
  );
}

const EMAILS = ['ada@acme.com', 'bob@example.org', 'eve@example.com'];
const DOMAINS = ['acme.com', 'https://www.example.org/about', 'example.com'];
const PROFILES = [
  'https://www.linkedin.com/in/ada',
  'linkedin.com/in/bob',
  'http://linkedin.com/in/eve',
];

it('what stands before a last name is guessed from a doubtful header by its values alone', () => {
  const names = { 'First name': ['Ada', 'Bob', 'Eve'], 'Last name': ['Berg', 'Hart', 'Leyen'] };
  const [first, last] = ['firstName: First name', 'lastName: Last name'];
  const before = ['van der', "'t", 'von der'];
  expect(guessed({ ...names, 'Name prefix': before })).toEqual([
    first,
    last,
    'lastNamePrefix: Name prefix',
  ]);
  expect(guessed({ ...names, Infix: ['', '', ''] })).toEqual([
    first,
    last,
    'lastNamePrefix: Infix',
  ]);
  for (const other of [
    ['Dr.', 'Mr', 'Prof.'],
    ['', '', ''],
  ])
    expect(guessed({ ...names, 'Name prefix': other })).toEqual([first, last]);
  expect(guessed({ ...names, Infix: ['Dr.', 'Mr', 'Prof.'] })).toEqual([first, last]);
  expect(guessed({ Vorname: ['Ada'], Namensvorsatz: ['van'], Name: ['Berg'] })).toEqual([
    'firstName: Vorname',
    'lastName: Name',
    'lastNamePrefix: Namensvorsatz',
  ]);
});

it('a file that has nothing else than what stands before a last name is refused', () => {
  const judged = judge([{ key: 'Infix', name: 'Infix' }]);
  expect(() => refuseUnmapped(judged, {})).toThrow('No column of the input looks like');
});

describe('a column is not guessed where most of its values cannot be the input', () => {
  it.each<[string, InputName, string, JsonValue[]]>([
    ['e-mail addresses', 'companyDomain', 'Website', EMAILS],
    ['words without a dot', 'companyDomain', 'Domain', ['Acme', 'Example', 'Sales']],
    ['profiles', 'companyDomain', 'Company URL', PROFILES],
    [
      'ids of Salesforce',
      'companyName',
      'Account',
      ['0015g00000XyZabAAB', '0015g00000XyZacAAB', '0015g00000XyZadAAB'],
    ],
    ['numbers', 'companyName', 'Company', [1001, '1002', '1,003']],
    ['numbers with letters', 'companyName', 'Company', ['ACC-00123', 'ACC-00124', 'K 4711']],
    [
      'web addresses',
      'companyName',
      'Company',
      ['https://acme.com', 'http://example.org', 'https://example.com'],
    ],
    [
      'pages of companies',
      'socialUrl',
      'LinkedIn',
      [
        'https://www.linkedin.com/company/acme',
        'linkedin.com/company/x',
        'https://de.linkedin.com/school/y',
      ],
    ],
    ['handles', 'socialUrl', 'LinkedIn', ['ada', 'bob', 'eve']],
    ['yes and no', 'email', 'Email', ['yes', 'no', 'yes']],
    ['truth values', 'email', 'Email', [true, false, true]],
    ['lists', 'email', 'Email', [['a@acme.com'], ['b@acme.com'], ['c@acme.com']]],
    ['e-mail addresses', 'firstName', 'First name', EMAILS],
    ['numbers', 'lastName', 'Last', [12, 13, 14]],
  ])('%s are no %s in the column %s', (_what, input, name, values) => {
    expect(guessed({ [name]: values })).toEqual([]);
    expect(guessed({ [name]: values }, { [input]: name }), 'what the user says').toEqual([
      `${input}: ${name}`,
    ]);
  });

  it.each<[string, InputName, string, JsonValue[]]>([
    ['empty cells', 'email', 'Email', ['', null, ' ', '-']],
    ['words for none', 'email', 'Email', ['n/a', 'N/A', 'none', 'null']],
    ['half of them', 'email', 'Email', ['x', 'y', 'z', ...EMAILS]],
    ['two values', 'email', 'Email', ['x', 'y']],
    [
      'companies with digits',
      'companyName',
      'Company',
      ['3M', '37signals', '1&1 Internet SE', 'Studio 54'],
    ],
    [
      'companies called as their site',
      'companyName',
      'Company',
      ['Booking.com', 'Monday.com', 'Amazon.de'],
    ],
    ['names of many scripts', 'firstName', 'First name', ['太郎', 'Zoë', 'Мария', "D'Arcy"]],
    [
      'Sales Navigator',
      'socialUrl',
      'LinkedIn',
      ['https://www.linkedin.com/sales/lead/ACwAA1,NAME', ...PROFILES],
    ],
    [
      'domains that many share',
      'companyDomain',
      'Website',
      ['gmail.com', 'facebook.com/acme', 'gmx.de'],
    ],
    ['domains and web addresses', 'companyDomain', 'Website', DOMAINS],
  ])('%s say nothing against it: %s', (_what, input, name, values) => {
    expect(guessed({ [name]: values })).toEqual([`${input}: ${name}`]);
  });

  it('only the first hundred whole records count', () => {
    const first = Array.from({ length: 100 }, () => 'ada@acme.com');
    expect(guessed({ Email: [...first, ...Array.from({ length: 300 }, () => 'x')] })).toEqual([
      'email: Email',
    ]);
  });
});

describe('of two columns whose headers fit', () => {
  it('the one with more values that fit is taken', () => {
    expect(guessed({ Email: ['', '', 'ada@acme.com'], 'Work email': EMAILS })).toEqual([
      'email: Work email',
    ]);
    expect(guessed({ Website: EMAILS, URL: DOMAINS })).toEqual(['companyDomain: URL']);
  });

  it('the more telling header is taken where the values fit as well, or nearly', () => {
    expect(guessed({ URL: DOMAINS, Domain: DOMAINS })).toEqual(['companyDomain: Domain']);
    const many = Array.from({ length: 40 }, () => 'acme.com');
    expect(guessed({ URL: many, Domain: ['', ...many.slice(1)] })).toEqual([
      'companyDomain: Domain',
    ]);
  });

  it('of two equal headers the fuller is taken', () => {
    const columns = ['email', 'email_2'].map((key) => ({ key, name: 'Email' }));
    const records = EMAILS.map((email, at) => ({ source: 0, line: at + 2, cells: ['', email] }));
    expect(judge(columns, {}, { records }).mapping[0]?.column.key).toBe('email_2');
  });
});

describe('a header of more than one meaning is guessed by its values', () => {
  it('URL holds profiles in an export of LinkedIn', () => {
    const names = ['Ada', 'Bob', 'Eve'];
    expect(
      guessed({ 'First Name': names, 'Last Name': names, URL: PROFILES, Company: names }),
    ).toEqual([
      'socialUrl: URL',
      'firstName: First Name',
      'lastName: Last Name',
      'companyName: Company',
    ]);
  });

  it('Name holds companies where most have a legal form', () => {
    expect(guessed({ Name: ['Acme Inc.', 'Müller GmbH & Co. KG', '株式会社日立'] })).toEqual([
      'companyName: Name',
    ]);
    expect(guessed({ Name: ['Acme Inc.', 'Beta Ltd', 'Ada Lovelace', 'Bob Ross'] })).toEqual([]);
    expect(guessed({ Name: ['Acme Inc.', 'Beta Ltd'], Company: ['A', 'B'] })).toEqual([
      'companyName: Company',
    ]);
  });
});

describe('a column with the whole name', () => {
  const PEOPLE = ['Ada Lovelace', 'Müller, Jürgen', 'Ludwig van Beethoven'];

  it.each(['Name', 'Contact', 'Ansprechpartner', 'Display Name', 'Nome', 'Nombre', 'Nom', '名前'])(
    'is guessed by its values: %s',
    (name) => {
      expect(guessed({ [name]: PEOPLE, Email: EMAILS })).toEqual([
        'email: Email',
        `fullName: ${name}`,
      ]);
    },
  );

  it('is guessed by its header, and not beside first and last name', () => {
    expect(guessed({ 'Full name': PEOPLE })).toEqual(['fullName: Full name']);
    expect(guessed({ 'Full name': ['Acme Inc.', 'Beta Ltd', 'Gamma GmbH'] })).toEqual([]);
    const names = ['Ada', 'Jürgen', 'Ludwig'];
    expect(guessed({ 'Full name': PEOPLE, Name: PEOPLE, Nome: names, Cognome: names })).toEqual([
      'firstName: Nome',
      'lastName: Cognome',
    ]);
  });

  it('is none where it holds one word, addresses or figures', () => {
    expect(guessed({ Nome: ['Ada', 'Jürgen', 'Ludwig'] })).toEqual(['firstName: Nome']);
    expect(guessed({ Contact: EMAILS })).toEqual([]);
    expect(guessed({ Contact: ['Lead 1', 'Lead 2', 'Lead 3'] })).toEqual([]);
    expect(guessed({ Name: ['Q3 campaign', 'Webinar', 'Fair 2026'] })).toEqual([]);
  });

  it('Name beside a first name is the last name, as in German tables', () => {
    expect(
      guessed({ Vorname: ['Ada', 'Bob', 'Eve'], Name: ['Lovelace', 'Ross', 'Müller'] }),
    ).toEqual(['firstName: Vorname', 'lastName: Name']);
  });
});

it('what was guessed before stays, whatever the later values are', () => {
  const columns = ['Email', 'id'].map((name) => ({ key: name, name }));
  const before = judge(columns.slice(0, 1));
  const records = ['yes', 'no', 'yes'].map((text, at) => ({ source: 0, line: at, cells: [text] }));
  expect(judge(columns, {}, { before, records }).mapping).toEqual(before.mapping);
});
