import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addTable } from '../../../src/app/platform/add-table.js';
import { SluiceError } from '../../../src/model/errors.js';
import type { ListMember } from '../../../src/model/resources/contact-list.js';
import { namedBy } from '../../../src/model/suppression.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const folder = tempFolder();

/** Adds a file with this text, and shows who was sent in which call. */
async function added(
  text: string,
  where?: string,
  listAddMax = 2,
  name = 'people.csv',
  refusedFrom = Infinity,
) {
  const file = join(mkdtempSync(join(folder, 't-')), name);
  writeFileSync(file, text);
  const calls: (readonly ListMember[])[] = [];
  const platform = {
    listAddMax,
    addToList: async (_list: string, members: readonly ListMember[]) => {
      calls.push(members);
      if (calls.length >= refusedFrom) throw new SluiceError('platform', 'Refused.', { list: 'l' });
      return { added: members.length, alreadyIn: 0 };
    },
  };
  const store = openSqliteStore(`${file}.db`);
  const source = { store, file, where, standardInput: (async function* () {})() };
  try {
    await store.suppress([namedBy({ email: 'suppressed@x.example' })], '', 0);
    return { total: await addTable(platform, 'clt_1', source), calls };
  } finally {
    await store.close();
  }
}

const sizes = (calls: readonly (readonly ListMember[])[]) => calls.map((call) => call.length);

describe('the rows of a table', () => {
  it('do not go in where they are of suppressed people', async () => {
    const { calls, total } = await added('email\nSuppressed@x.example\nb@x.example\n');
    expect(calls).toEqual([[{ email: 'b@x.example' }]]);
    expect(total).toMatchObject({ rows: 2, added: 1, suppressed: 1, skipped: 0 });
  });

  it('are read by the headers that people write', async () => {
    const text = 'Vorname,Nachname,Firma,E-Mail,LinkedIn URL\nAda,Doe,Acme,a@x.example,\n';
    expect((await added(text)).calls).toEqual([
      [{ email: 'a@x.example', firstName: 'Ada', lastName: 'Doe', companyName: 'Acme' }],
    ]);
  });

  it('of an enriched table are told by what was found', async () => {
    const text =
      'email,first_name,sluice_email,social_url,social_first_name\n' +
      'old@x.example,ada,new@x.example,https://s.example/ada,Ada\n' +
      'old2@x.example,bob,,,\n';
    expect((await added(text)).calls).toEqual([
      [
        { email: 'new@x.example', socialUrl: 'https://s.example/ada', firstName: 'Ada' },
        { email: 'old2@x.example', firstName: 'bob' },
      ],
    ]);
  });

  it('without an address are counted and left out, as are those that are not chosen', async () => {
    const text = 'email,n\na@x.example,1\n  ,2\nc@x.example,3\n';
    const { calls, total } = await added(text, 'n < 3');
    expect(calls).toEqual([[{ email: 'a@x.example' }]]);
    expect(total).toMatchObject({ rows: 2, added: 1, alreadyIn: 0, skipped: 1 });
  });
});

describe('a row', () => {
  it('with a malformed address is one without it: no other row is refused for it', async () => {
    const text =
      'email,linkedin,first_name\nnot-an-email,,Ada\na@b.com,,Bob\nn/a,https://s.example/cy/,-\n,no url,Di\n';
    const { calls, total } = await added(text, undefined, 9);
    expect(calls).toEqual([
      [{ email: 'a@b.com', firstName: 'Bob' }, { socialUrl: 'https://s.example/cy' }],
    ]);
    expect(total).toMatchObject({ rows: 4, added: 2, skipped: 2 });
  });

  it('of a lead that was skipped for its malformed address has none', async () => {
    const text = 'email,sluice_status,sluice_email\nn/a,skipped,\nn/a,found,a@b.com\n';
    const { calls, total } = await added(text);
    expect(calls).toEqual([[{ email: 'a@b.com' }]]);
    expect(total.skipped).toBe(1);
  });

  it('that cannot be read is told, and only the first few with their lines', async () => {
    const text = `{"email":"a@b.com"}\n${'{"email"\n'.repeat(7)}{"email":"c@b.com"}\n`;
    const { calls, total } = await added(text, undefined, 2, 'people.ndjson');
    expect(sizes(calls)).toEqual([2]);
    expect(total).toMatchObject({ rows: 2, added: 2, rejects: { count: 7 } });
    expect(total.rejects.first.map(({ place }) => place)).toEqual([
      'line 2',
      'line 3',
      'line 4',
      'line 5',
      'line 6',
    ]);
    expect(total.rejects.first[0]?.reason).toMatch(/^broken_json: /);
    const broken = await added('{"email"\n', undefined, 2, 'people.ndjson');
    expect(broken).toMatchObject({ calls: [], total: { rows: 0, rejects: { count: 1 } } });
  });
});

it.each([
  [1, 'Refused. That call had people from line 2 to line 4; none was added before it.'],
  [2, 'Refused. That call had people from line 5 to line 6; 2 were added before it.'],
  [3, 'Refused. That call had people from line 7; 4 were added before it.'],
])('a refusal of call %i tells whom it had, and how many are in', async (from, said) => {
  const text = 'email\na@b.com\nnobody\nc@b.com\nd@b.com\ne@b.com\nf@b.com\n';
  await expect(added(text, undefined, 2, 'people.csv', from)).rejects.toMatchObject({
    code: 'platform',
    message: said,
  });
});

it.each([
  ['a column that is not there', 'email\na@b.com\n', 'y = 1', /no column y in \S+people\.csv\.$/],
  [
    'a table of names',
    'first_name,last_name\nAda,Doe\n',
    undefined,
    /^The input file \S+people\.csv has no column of e-mail or profile addresses, .*its people cannot be identified\. .*: first_name, last_name\.$/,
  ],
  [
    'a table whose headers say nothing',
    'x,y\n1,2\n',
    undefined,
    /^The input file \S+people\.csv has no column of e-mail or profile addresses, .* It has 2 columns, of which too few have a usual name to repeat them/,
  ],
] as const)('%s is refused', async (_, text, where, said) => {
  await expect(added(text, where)).rejects.toThrow(said);
});
