import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addTable } from '../../src/app/add-table.js';
import type { ListMember } from '../../src/domain/contact-list.js';
import { tempFolder } from '../helpers/temp-folder.js';

const folder = tempFolder();

/** Adds a file with this text, and shows who was sent in which call. */
async function added(text: string, where?: string, listAddMax = 2, name = 'people.csv') {
  const file = join(mkdtempSync(join(folder, 't-')), name);
  writeFileSync(file, text);
  const calls: (readonly ListMember[])[] = [];
  const platform = {
    listAddMax,
    addToList: async (_list: string, members: readonly ListMember[]) => {
      calls.push(members);
      return { added: members.length, alreadyIn: 0 };
    },
  };
  const source = { file, where, standardInput: (async function* () {})() };
  return { total: await addTable(platform, 'clt_1', source), calls };
}

const sizes = (calls: readonly (readonly ListMember[])[]) => calls.map((call) => call.length);

describe('the rows of a table', () => {
  it('go in as many at once as a call takes, and the rest at the end', async () => {
    const { calls, total } = await added('email\na@x.example\nb@x.example\nc@x.example\n');
    expect(sizes(calls)).toEqual([2, 1]);
    expect(total).toEqual({ rows: 3, added: 3, alreadyIn: 0, skipped: 0 });
  });

  it('of an empty table cost no call', async () => {
    expect((await added('email\n')).calls).toEqual([]);
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
    expect(total).toEqual({ rows: 2, added: 1, alreadyIn: 0, skipped: 1 });
  });

  it('may be NDJSON, whose cells are no texts now and then', async () => {
    const text = '{"email":"a@x.example","firstName":null}\n{"email":["b"],"firstName":"B"}\n';
    const { calls, total } = await added(text, undefined, 2, 'people.ndjson');
    expect(calls).toEqual([[{ email: 'a@x.example' }]]);
    expect(total.skipped).toBe(1);
  });
});

it('a table in which nobody can be told apart is refused', async () => {
  await expect(added('first_name,last_name\nAda,Doe\n')).rejects.toThrow(
    /nobody in it can be told/,
  );
});
