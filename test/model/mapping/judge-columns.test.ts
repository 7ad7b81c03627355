import { describe, expect, it } from 'vitest';
import { type Ask, INPUTS } from '../../../src/model/ask.js';
import type { Column } from '../../../src/model/lead.js';
import { nameOfMapped } from '../../../src/model/mapping/find-column.js';
import { refuseUnmapped } from '../../../src/model/mapping/judge-columns.js';
import type { FormerGuess, MappedInput, MappingWish } from '../../../src/model/mapping/mapping.js';
import { judge } from '../../helpers/judge.js';
import { problemOf } from '../../platform/test-server.js';

function columnsOf(...names: string[]): Column[] {
  return names.map((name) => ({ key: name, name }));
}

/** As a run judges them, which needs at least one input. */
function mapped(...given: Parameters<typeof judge>): readonly MappedInput[] {
  const judged = judge(...given);
  refuseUnmapped(judged, given[1] ?? {});
  return judged.mapping;
}

/** `firstName: fname` for a column that was guessed, `firstName = fname` for one that was named. */
function mappingOf(columns: readonly Column[], wish: MappingWish = {}): string[] {
  return mapped(columns, wish).map(({ input, column, index, isGuessed }) => {
    expect(columns[index]).toBe(column);
    return `${input}${isGuessed ? ':' : ' ='} ${column.key}`;
  });
}

describe('where the job is silent', () => {
  it('all inputs are found in one table, in the order of the inputs', () => {
    const columns = columnsOf('Company', 'Website', 'Nom', 'Prénom', 'LinkedIn URL', 'E-mail');
    expect(mappingOf(columns)).toEqual([
      'email: E-mail',
      'socialUrl: LinkedIn URL',
      'firstName: Prénom',
      'lastName: Nom',
      'companyDomain: Website',
      'companyName: Company',
    ]);
    expect(mapped(columns, {}).map(({ input }) => input)).toEqual(INPUTS);
  });

  it('the more telling header wins, wherever it stands', () => {
    expect(mappingOf(columnsOf('url', 'website', 'domain'))).toEqual(['companyDomain: domain']);
    expect(mappingOf(columnsOf('last', 'Last name'))).toEqual(['lastName: Last name']);
  });

  it('beside a `nom` that holds whole names, `nom_de_famille` is the last name', () => {
    const columns = columnsOf('nom', 'nom_de_famille', 'prenom');
    expect(mappingOf(columns)).toEqual(['firstName: prenom', 'lastName: nom_de_famille']);
  });

  it('of two equal headers the first is taken', () => {
    const columns = [
      { key: 'email', name: 'email' },
      { key: 'email_2', name: 'email' },
    ];
    expect(mappingOf(columns)).toEqual(['email: email']);
  });

  it('a header that merely holds a usual one is left alone', () => {
    const others = ['name', 'full_name_2', 'email_status', 'company_linkedin_url', '', '—'];
    expect(mappingOf(columnsOf(...others, 'fname'))).toEqual(['firstName: fname']);
  });

  it.each([
    [['Email (status)']],
    [['Email (ID)']],
    [['Vorname / Nachname']],
    [['Firma / E-Mail']],
    [['Name / Firma']],
    [['Ansprechpartner']],
    [['(required)']],
    [['Email (official)', 'Email (primary)']],
  ])('headers that may mean something else are left alone: %j', (headers) => {
    expect(mappingOf(columnsOf(...headers, 'fname'))).toEqual(['firstName: fname']);
  });

  it('no column feeds two inputs', () => {
    const columns = columnsOf('Website / Homepage', 'Firma / Account', 'E-Mail (URL)');
    const taken = mapped(columns, {}).map(({ index }) => index);
    expect(new Set(taken).size).toBe(taken.length);
  });

  it('a header of one name is preferred to one of several', () => {
    expect(mappingOf(columnsOf('Website (URL) / Homepage', 'url'))).toEqual(['companyDomain: url']);
  });

  it.each([
    [['root:*:19000:0:99999:7:::']],
    [['PASSWORD=hunter2']],
    [['machine a login b password c account d macdef e']],
    [['ada@acme.com', 'ada']],
    [['AKIA', 'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY']],
  ])('a first line that is no header is not repeated: %j', async (names) => {
    const problem = await problemOf(() => mapped(columnsOf(...names), { email: 'x' }));
    expect(problem.message).toContain('does not look like the names of columns');
    for (const name of names) expect(problem.message).not.toContain(name);
  });

  it.each([
    [['SECRETSINGLETOKEN']],
    [['machine api.x.com login bob password SECRETPW1']],
    [['machine api.x.com login bob', 'password SECRETPW1']],
    [['id SECRETPW1']],
    [['bob', 'SECRETPW1', 'id']],
  ])(
    'a first line of another kind of file is not repeated, only how long it is: %j',
    async (names) => {
      const columns = columnsOf(...names);
      for (const wish of [{}, { email: 'x' }]) {
        const problem = await problemOf(() => mapped(columns, wish));
        const count = names.length === 1 ? 'one column' : `${names.length} columns`;
        expect(problem.message).toContain(`It has ${count}, of which too few have a usual name`);
        expect(problem.message).not.toMatch(/bob|SECRET/);
      }
    },
  );

  it.each([
    [['Ansprechpartner', 'Kunden-Nr.', 'Umsatz 2025']],
    [['Full Name', 'Job title', 'xq']],
    [['numéro', 'Ville', 'code_postal', 'Fonction']],
    [['email', 'xq']],
    [['email']],
  ])('headers of an honest table are told where none is mapped: %j', async (names) => {
    const problem = await problemOf(() => mapped(columnsOf(...names), { firstName: 'zz' }));
    expect(problem.message).toContain(`Its columns are: ${names.join(', ')}.`);
  });

  it('headers of any language are told, and of one that may be something else only that it is there', async () => {
    const names = ['Größe (m²)', 'Umsatz in Mio. €', 'n° client', '備考', 'x:y', 'C/D & more?'];
    const problem = await problemOf(() => mapped(columnsOf(...names), {}));
    expect(problem.message).toContain(
      'Its columns are: Größe (m²), Umsatz in Mio. €, n° client, 備考, C/D & more? and 1 more.',
    );
  });

  it('an input without any column to ask with is refused, with its columns', async () => {
    const problem = await problemOf(() => mapped(columnsOf('id', 'notes'), {}));
    expect(problem.code).toBe('usage');
    expect(problem.message).toContain('Its columns are: id, notes.');
    expect(problem.message).toContain('--map INPUT=COLUMN');
  });
});

describe('where the job speaks', () => {
  it('its column is taken and the others are still guessed', () => {
    const wish = { companyDomain: 'homepage2' };
    expect(mappingOf(columnsOf('website', 'homepage2', 'fname'), wish)).toEqual([
      'firstName: fname',
      'companyDomain = homepage2',
    ]);
  });

  it('an empty name keeps an input from being guessed', () => {
    expect(mappingOf(columnsOf('email', 'fname'), { email: '' })).toEqual(['firstName: fname']);
  });

  it('a column that it names is not guessed for another input', () => {
    expect(mappingOf(columnsOf('email'), { companyDomain: 'email' })).toEqual([
      'companyDomain = email',
    ]);
  });

  it('one column may feed two inputs that it names', () => {
    const wish = { email: 'contact', companyDomain: 'contact' };
    expect(mappingOf(columnsOf('contact'), wish)).toEqual([
      'email = contact',
      'companyDomain = contact',
    ]);
  });

  it.each([
    ['EMAIL', 'Email'],
    ['  email ', 'Email'],
    ['email_2', 'email_2'],
  ])('%j is the column %j', (wished, key) => {
    const columns = [
      { key: 'Email', name: 'Email' },
      { key: 'email_2', name: 'Email' },
    ];
    expect(mappingOf(columns, { email: wished })).toEqual([`email = ${key}`]);
  });

  it('a path leads into a column, whose longest name counts', () => {
    const columns = ['contact', 'contact.name', 'emails'].map((name) => ({ key: name, name }));
    const { mapping } = judge(columns, {
      firstName: 'contact.first_name',
      lastName: 'contact.name.last',
      email: 'emails[0].value',
      companyName: 'contact.name',
    });
    expect(mapping.map(({ input, index, path }) => [input, index, path])).toEqual([
      ['email', 2, '[0].value'],
      ['firstName', 0, 'first_name'],
      ['lastName', 1, 'last'],
      ['companyName', 1, undefined],
    ]);
    expect(mapping.map(nameOfMapped)).toEqual([
      'emails[0].value',
      'contact.first_name',
      'contact.name.last',
      'contact.name',
    ]);
    expect(() => judge(columns, { email: 'person.email' })).toThrow('the column "person.email"');
  });

  it('an error names the paths of nested columns', async () => {
    const record = { source: 0, line: 1, cells: [7, { first: 'Ada', tags: ['x'] }, [{ to: 'a' }]] };
    const columns = columnsOf('id', 'contact', 'emails');
    const basis = { records: [record] };
    const paths = 'Its columns are: id, contact.first, contact.tags[0], emails[0].to.';
    const nothing = await problemOf(() => mapped(columns, {}, basis));
    expect(nothing.message).toContain(paths);
    const none = await problemOf(() => mapped(columns, { email: 'kontact.first' }, basis));
    expect(none.message).toContain(`Did you mean "contact.first"? ${paths}`);
  });

  it('the letter of the name comes before its case', () => {
    const twice = ['A', 'a'].map((name) => ({ key: `${name}_2`, name }));
    expect(mappingOf(twice, { email: 'a_2' })).toEqual(['email = a_2']);
    expect(mappingOf(columnsOf('EMAIL', 'email'), { email: 'email' })).toEqual(['email = email']);
  });

  it('a column that is not there is told with those that are, and the nearest', async () => {
    const columns = columnsOf('last_name', 'first_name', 'url');
    const problem = await problemOf(() => mapped(columns, { firstName: 'frist_name' }));
    expect(problem).toMatchObject({
      code: 'usage',
      message:
        'firstName is mapped to the column "frist_name", which the input does not have. Did you mean "first_name"? Its columns are: last_name, first_name, url.',
    });
  });

  it('a column that is like none is told without a guess', async () => {
    const problem = await problemOf(() => mapped(columnsOf('city', 'date'), { email: 'contact' }));
    expect(problem.message).toContain('Its columns are: city, date.');
    expect(problem.message).not.toContain('Did you mean');
  });
});

describe('columns that appear later', () => {
  it('add to the mapping and change nothing in it', () => {
    const before = judge(columnsOf('mail', 'fname'));
    const later = columnsOf('mail', 'fname', 'email', 'company');
    const second = mapped(later, {}, { before });
    expect(second.map(({ input, column }) => `${input}: ${column.key}`)).toEqual([
      'email: mail',
      'firstName: fname',
      'companyName: company',
    ]);
  });

  it('do not take a column from an input that has it', () => {
    const before = judge(columnsOf('url'), { socialUrl: 'url' });
    const later = judge(columnsOf('url', 'id'), { socialUrl: 'url' }, { before });
    expect(later.mapping).toEqual(before.mapping);
  });
});

describe('a job that ran before', () => {
  const asBefore = (names: string, map: MappingWish = {}) => {
    const columns = columnsOf(...names.split(' '));
    return { isOwn: true, isSame: true, columns, mapping: judge(columns, map).mapping, map };
  };
  const mappedAfter = (former: FormerGuess, names: string, wish: MappingWish = {}) =>
    judge(columnsOf(...names.split(' ')), wish, { former: [former] }).mapping.map(
      ({ input, column }) => `${input}=${column.key}`,
    );

  it('keeps each column that was guessed and is there, wherever it stands', () => {
    const former = asBefore('website first_name');
    expect(mappedAfter(former, 'domain first_name website')).toEqual([
      'firstName=first_name',
      'companyDomain=website',
    ]);
  });

  it('takes a column that was there and guessed for nothing for nothing now, and a new one for what it is', () => {
    const columns = columnsOf('prenom', 'website');
    const { mapping } = judge(columns, { firstName: '' });
    const former = { isOwn: true, isSame: true, columns, mapping, map: {} };
    expect(mappedAfter(former, 'prenom website')).toEqual(['companyDomain=website']);
    expect(mappedAfter(former, 'prenom website first_name')).toEqual([
      'firstName=first_name',
      'companyDomain=website',
    ]);
  });

  it('keeps what it guessed for other asks, and guesses the rest as a new one', () => {
    const columns = columnsOf('prenom', 'website', 'first_name');
    const { mapping } = judge(columns, { firstName: '' });
    const former = { isOwn: true, isSame: false, columns, mapping, map: {} };
    expect(mappedAfter(former, 'domain prenom website first_name')).toEqual([
      'firstName=first_name',
      'companyDomain=website',
    ]);
    const address = {
      ...former,
      columns: columnsOf('email'),
      mapping: judge(columnsOf('email'), {}, { ask: ['verify_email'] }).mapping,
    };
    expect(
      judge(columnsOf('email'), {}, { ask: ['find_email'], former: [address] }).mapping,
    ).toEqual([]);
  });

  it('guesses among all columns where the one of before is gone', () => {
    const former = asBefore('company firstname domain');
    expect(mappedAfter(former, 'company firstname website')).toEqual([
      'firstName=firstname',
      'companyDomain=website',
      'companyName=company',
    ]);
  });

  it('takes the whole name, which was there, where the column of a first or last name is gone', () => {
    const former = asBefore('full_name first_name last_name website');
    expect(mappedAfter(former, 'full_name first_name last_name website')).toHaveLength(3);
    expect(mappedAfter(former, 'full_name website')).toEqual([
      'companyDomain=website',
      'fullName=full_name',
    ]);
    expect(mappedAfter(former, 'full_name first_name website')).toContain('fullName=full_name');
  });

  it('guesses anew what the user said then, and does as the user says now', () => {
    const former = asBefore('website domain', { companyDomain: 'website' });
    expect(mappedAfter(former, 'website domain')).toEqual(['companyDomain=domain']);
    const left = asBefore('website', { companyDomain: '' });
    expect(mappedAfter(left, 'website')).toEqual(['companyDomain=website']);
    const guessed = asBefore('website');
    expect(mappedAfter(guessed, 'website')).toEqual(['companyDomain=website']);
    expect(mappedAfter(guessed, 'website', { companyDomain: '' })).toEqual([]);
    expect(mappedAfter(guessed, 'website', { companyName: 'website' })).toEqual([
      'companyName=website',
    ]);
  });
});

it('a run of another job counts where it had the same columns, and after one of the job', () => {
  const columns = columnsOf('website', 'domain');
  const guess = (index: number): MappedInput[] => [
    { input: 'companyDomain', column: columns[index] as Column, index, isGuessed: true },
  ];
  const theirs = {
    isOwn: false,
    isSame: true,
    columns: columns.toReversed(),
    mapping: guess(0),
    map: {},
  };
  const own = { isOwn: true, isSame: true, columns: columnsOf('id'), mapping: guess(1), map: {} };
  const domainBy = (...former: FormerGuess[]) =>
    judge(columns, {}, { former }).mapping[0]?.column.key;
  expect(domainBy()).toBe('domain');
  expect(domainBy(theirs)).toBe('website');
  expect(domainBy(own, theirs)).toBe('domain');
  expect(domainBy({ ...theirs, columns: columnsOf('website', 'domain', 'id') })).toBe('domain');
});

describe('a column of addresses', () => {
  const columns = columnsOf('email', 'first_name');
  const inputsFor = (...ask: Ask[]) =>
    judge(columns, {}, { ask }).mapping.map(({ input }) => input);

  it('is no input for finding addresses, unless they are verified as well or the user says so', () => {
    expect(inputsFor('find_email')).toEqual(['firstName']);
    expect(inputsFor('social_enrichment', 'find_email')).toEqual(['firstName']);
    expect(inputsFor('social_enrichment')).toEqual(['email', 'firstName']);
    expect(inputsFor('find_email', 'verify_email')).toEqual(['email', 'firstName']);
    const stated = judge(columns, { email: 'email' }, { ask: ['find_email'] }).mapping;
    expect(stated.map(({ input }) => input)).toEqual(['email', 'firstName']);
  });

  it('is named where nothing else is there to send', async () => {
    const { message } = await problemOf(() =>
      mapped(columnsOf('id', 'mail'), {}, { ask: ['find_email'] }),
    );
    expect(message).toContain('--map email=mail sends the addresses that are there');
  });
});
