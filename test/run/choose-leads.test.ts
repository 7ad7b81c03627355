import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourceRecord } from '../../src/model/lead.js';
import { judgeColumns } from '../../src/model/mapping/judge-columns.js';
import type { JsonValue } from '../../src/model/text/json.js';
import type { LeadEntry } from '../../src/ports/store/enrichments.js';
import { leadPreparer } from '../../src/run/choose-leads.js';
import { withSample } from '../../src/run/lead-batches.js';
import type { AskingTerms, LeadChoice } from '../../src/run/run-context.js';
import { tries } from '../helpers/long.js';
import { readerOf } from '../helpers/people.js';
import { TERMS } from '../helpers/test-run.js';
import { problemOf } from '../platform/test-server.js';

const COLUMNS = ['first_name', 'last_name', 'domain', 'Email', 'Mobile', 'Land'].map((name) => ({
  key: name,
  name,
}));

function recordOf(email: JsonValue, mobile: JsonValue = '', land: JsonValue = 'FR'): SourceRecord {
  return { source: 0, line: 2, cells: ['Ada', 'Lovelace', 'example.com', email, mobile, land] };
}

function preparerOf(
  columns: typeof COLUMNS,
  terms: AskingTerms,
  records: readonly SourceRecord[] = [],
) {
  const map = { email: '', ...terms.map };
  return leadPreparer(judgeColumns({ columns, records }, { ...terms, map }), terms);
}

function entryOf(record: SourceRecord, choice: LeadChoice, changes: Partial<AskingTerms> = {}) {
  return preparerOf(COLUMNS, { ...TERMS, ...changes, choice })(record, 1);
}

describe('where', () => {
  it('chooses by the columns of the input, as they stand there', () => {
    const where = "Land in (fr, 'DE') and Email is empty";
    expect(entryOf(recordOf(''), { where })).toMatchObject({ kind: 'asked', note: null });
    for (const record of [recordOf('a@b.co'), recordOf('', '', 'IT'), recordOf('', '', null)]) {
      const { cells } = record;
      const left = { kind: 'not_asked', note: 'not chosen by where', cells, line: 2 };
      expect(entryOf(record, { where })).toMatchObject(left);
    }
  });

  it('does not ask, and does not skip, a lead whose inputs would not suffice', () => {
    const record = { source: 0, line: 2, cells: ['Ada', '', '', '', '', 'IT'] };
    expect(entryOf(record, { where: 'Land = FR' }).kind).toBe('not_asked');
    expect(entryOf(record, { where: 'Land = IT' }).kind).toBe('skipped');
  });

  it('leaves a record skipped that cannot be trusted', () => {
    const record = { ...recordOf('', '', 'IT'), flaw: 'ragged_row' };
    expect(entryOf(record, { where: 'Land = FR' })).toMatchObject({
      kind: 'skipped',
      note: 'ragged_row',
    });
  });
});

describe('only what is missing', () => {
  const missing = {};

  it.each(['', ' ', 'n/a', '-', 'ada at example', null, ['ada@example.com']])(
    'is an e-mail address where the own column holds %j, which is not sent',
    (email) => {
      const entry = entryOf(recordOf(email), { missing });
      const inputs = { firstName: 'Ada', lastName: 'Lovelace', companyDomain: 'example.com' };
      const note = email === 'ada at example' ? expect.stringMatching(/holds no e-mail/) : null;
      expect(entry).toMatchObject({ kind: 'asked', note, request: { inputs } });
    },
  );

  it('is no address where the own column holds one', () => {
    expect(entryOf(recordOf(' Ada@Example.com'), { missing })).toMatchObject({
      kind: 'not_asked',
      note: 'email in the input already',
    });
  });

  it.each<[string, string, string | string[]]>([
    ['', '', ['find_email', 'find_phone']],
    ['a@b.co', 'n/a', ['find_phone']],
    ['', '+33 6 12 34 56 78', ['find_email']],
    ['a@b.co', 'tel:0612345678', 'email and phone in the input already'],
    ['a@b.co', 'a1@b2.c345', ['find_phone']],
    ['Cid Cole <cid@x.example>', '', ['find_phone']],
    ['a@x.example; b@x.example', '', ['find_phone']],
    ['a@b.co', '3.36E+10', ['find_phone']],
  ])('of several asks is what a lead with %j and %j lacks', (email, mobile, wanted) => {
    const entry = entryOf(
      recordOf(email, mobile),
      { missing },
      { ask: ['find_email', 'find_phone'] },
    );
    if (entry.kind === 'asked') expect(entry.request.ask).toEqual(wanted);
    else expect(entry.note).toBe(wanted);
  });

  it('says where a spreadsheet has cut a phone number', () => {
    const lead = entryOf(
      recordOf('a@b.co', '3,36E+10'),
      { missing },
      { ask: ['find_email', 'find_phone'] },
    );
    expect(lead.note).toBe('3,36E+10 is no phone number: a spreadsheet has cut its digits');
  });

  it('is no address where another column of the same name holds one', () => {
    const columns = [...COLUMNS, { key: 'Email (2)', name: 'Email' }];
    const prepare = preparerOf(columns, { ...TERMS, choice: { missing } });
    const kindOf = (second: string) =>
      prepare({ source: 0, line: 2, cells: [...recordOf('').cells, second] }, 1).kind;
    expect([kindOf('a@b.co'), kindOf('')]).toEqual(['not_asked', 'asked']);
  });

  it('is told by the column that the user names', () => {
    const columns = [...COLUMNS, { key: 'Private', name: 'Private' }];
    const cells = [...recordOf('a@b.co').cells, ''];
    const terms = { ...TERMS, choice: { missing: { email: 'private' } } };
    expect(preparerOf(columns, terms)({ source: 0, line: 2, cells }, 1).kind).toBe('asked');
  });

  it.each<[string, LeadChoice, Partial<AskingTerms>, RegExp]>([
    ['no such column', { missing: { email: 'Mial' } }, {}, /no column "Mial" for your own e-mail/],
    [
      'an ask without a column',
      { missing },
      { ask: ['verify_email'] },
      /only-missing cannot go with verify_email/,
    ],
  ])('is refused with %s', async (_, choice, changes, message) => {
    const problem = await problemOf(async () => entryOf(recordOf(''), choice, changes));
    expect(problem).toMatchObject({ code: 'usage', message: expect.stringMatching(message) });
  });

  it.each([
    'Adresse électronique',
    'Adresse mail',
    'E-mail professionnel',
    'Mail pro',
    'E-Mail (geschäftlich)',
  ])('is told by the column %s', (name) => {
    const columns = COLUMNS.map((one) => (one.name === 'Email' ? { key: name, name } : one));
    const terms = { ...TERMS, ask: ['find_email', 'find_phone'] as const, choice: { missing } };
    const lead = preparerOf(columns, terms)(recordOf('a@b.co'), 1);
    expect(lead.kind === 'asked' && lead.request.ask).toEqual(['find_phone']);
  });

  describe('judged by cells', () => {
    const columns = [...COLUMNS, { key: 'Mail pro', name: 'Mail pro' }];
    const terms = { ...TERMS, choice: { missing } };
    const recordsOf = (...pairs: readonly (readonly [email: string, pro: string])[]) =>
      pairs.map(([email, pro]) => {
        const record = recordOf(email);
        return { ...record, cells: [...record.cells, pro] };
      });

    it('is told by the column that holds the addresses', () => {
      const pairs = ['a@b.co', '', 'c@d.co'].map((pro) => ['yes', pro] as const);
      const ownOf = (records: readonly SourceRecord[]) =>
        judgeColumns({ columns, records }, terms).own.email;
      expect(ownOf(recordsOf(...pairs))?.column.name).toBe('Mail pro');
      const few = recordsOf(['a@b.co', 'x'], ['?', 'x'], ['?', 'x'], ['?', 'x']);
      expect(ownOf(few)?.column.name).toBe('Email');
    });

    it('names the column whose cells are addresses, where no header says so', async () => {
      const named = COLUMNS.map((one) =>
        one.name === 'Email' ? { key: 'Reach at', name: 'Reach at' } : one,
      );
      const records = recordsOf(['a@b.co', ''], ['', ''], ['c@d.co', '']);
      const problem = await problemOf(async () => preparerOf(named, terms, records));
      expect(problem.message).toContain(
        'The column "Reach at" holds addresses: --fill email=\'Reach at\'. Its',
      );
    });
  });

  it('is refused where no column looks like it', async () => {
    const terms = { ...TERMS, choice: { missing } };
    const problem = await problemOf(async () => preparerOf(COLUMNS.slice(0, 3), terms));
    expect(problem.message).toMatch(/^No column of the input looks like your own e-/);
  });
});

describe('a sample', () => {
  const records = (from: number, to: number): SourceRecord[] =>
    Array.from({ length: to - from }, (_, n) => ({
      source: 0,
      line: from + n + 2,
      cells: [`Ada${from + n}`, 'Lovelace', 'example.com', '', '', n % 2 === 0 ? 'FR' : 'IT'],
    }));
  const batchesOf = (all: readonly SourceRecord[], size: number) =>
    Array.from({ length: Math.ceil(all.length / size) }, (_, n) => ({
      columns: COLUMNS,
      records: all.slice(n * size, (n + 1) * size),
      rejects: [],
    }));

  /** Who is asked, by their first names, and what is remembered of the choice. */
  async function draw(
    all: readonly SourceRecord[],
    choice: LeadChoice,
    { batch = 100, sampled }: { batch?: number; sampled?: readonly string[] | undefined } = {},
  ) {
    const stated = { ...TERMS, map: { email: '' }, choice, sampled };
    const reader = readerOf(...batchesOf(all, batch));
    const terms = await withSample(stated, reader, undefined);
    const prepare = preparerOf(COLUMNS, terms);
    const entries = all.map((record, n): LeadEntry => prepare(record, n + 1));
    const names = entries.flatMap(({ cells, kind }) =>
      kind === 'asked' ? [cells[0] as string] : [],
    );
    return { names, sampled: terms.sampled };
  }
  async function asked(all: readonly SourceRecord[], choice: LeadChoice, batch = 100) {
    return (await draw(all, choice, { batch })).names;
  }
  const sample = { size: 50, seed: 1 };

  it('has its size, is the same again, and another one for another seed', async () => {
    const all = records(0, 1_000);
    const one = await asked(all, { sample });
    expect(one).toHaveLength(50);
    expect(await asked(all, { sample }, 7)).toEqual(one);
    const other = await asked(all, { sample: { ...sample, seed: 2 } });
    expect(other).toHaveLength(50);
    expect(new Set([...one, ...other]).size).toBeGreaterThan(80);
  });

  it('takes all where there are not more, and is taken of those that where chooses', async () => {
    expect(await asked(records(0, 50), { sample })).toHaveLength(50);
    expect(await asked(records(0, 49), { sample })).toHaveLength(49);
    const french = await asked(records(0, 1_000), { sample, where: 'Land = FR' });
    expect(french).toHaveLength(50);
    expect(french.every((name) => Number(name.slice(3)) % 2 === 0)).toBe(true);
  });

  it('keeps its leads where others are added, and gives free places to those', async () => {
    const all = records(0, 1_000);
    const before = await draw(all, { sample });
    const { sampled } = before;
    const after = await draw([...records(1_000, 2_000), ...all], { sample }, { sampled });
    expect(after).toEqual(before);

    const left = all.filter(({ cells }) => !before.names.slice(0, 7).includes(cells[0] as string));
    const filled = await draw([...records(1_000, 1_005), ...left], { sample }, { sampled });
    expect(filled.names).toHaveLength(50);
    expect(filled.names).toEqual(expect.arrayContaining(before.names.slice(7)));
  });

  it('of another size has the leads that were chosen first', async () => {
    const all = records(0, 300);
    const few = await draw(all, { sample: { size: 9, seed: 1 } });
    const many = await draw(all, { sample }, few);
    expect(many.names).toHaveLength(50);
    expect(many.names).toEqual(expect.arrayContaining(few.names));
    const { names } = await draw(records(0, 600), { sample: { size: 9, seed: 1 } }, many);
    expect(names).toEqual(few.names);
  });

  it('remembers a bounded number of leads that are gone, the newest', async () => {
    const [gone, ...rest] = Array.from({ length: 12_000 }, (_, n) => `${n}`);
    const { sampled = [] } = await draw(
      records(0, 60),
      { sample },
      { sampled: [gone as string, ...rest] },
    );
    expect(sampled).toHaveLength(10_050);
    expect(sampled.slice(0, 10_000)).toEqual(rest.slice(1_999));
  });

  it('counts equal leads one by one', async () => {
    const [one] = records(0, 1);
    const equal = Array.from({ length: 100 }, () => one as SourceRecord);
    const before = await draw(equal, { sample });
    expect(before.names).toHaveLength(50);
    expect(await draw(equal, { sample }, before)).toEqual(before);
  });

  it('is the same whoever pays, and whatever is asked', async () => {
    const all = records(0, 300);
    const choice = { sample: { size: 9, seed: 3 } };
    const of = async (changes: Partial<AskingTerms>) => {
      const stated = { ...TERMS, ...changes, choice };
      return withSample(stated, readerOf(...batchesOf(all, 50)), undefined);
    };
    const one = await of({});
    const other = await of({ account: 'another', ask: ['find_phone'] });
    expect(other.choice).toEqual(one.choice);
  });

  it('that was not drawn asks for no lead', () => {
    expect(() => entryOf(recordOf(''), { sample })).toThrow('the sample was not drawn');
  });

  it('is as large as it should be, and the batches make no difference', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 20 }),
        async (size, leads, batch) => {
          const all = records(0, leads);
          const chosen = await asked(all, { sample: { size, seed: 1 } }, batch);
          expect(chosen).toHaveLength(Math.min(size, leads));
          expect(chosen).toEqual(await asked(all, { sample: { size, seed: 1 } }));
        },
      ),
      { numRuns: tries(30) },
    );
  });
});
