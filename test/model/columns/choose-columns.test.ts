import { describe, expect, it } from 'vitest';
import { ASKS, type Ask } from '../../../src/model/ask.js';
import {
  type ChosenColumn,
  type ColumnWish,
  chooseColumns,
  chosenCells,
  type TableWish,
  usedColumns,
} from '../../../src/model/columns/choose-columns.js';
import { outputColumns } from '../../../src/model/columns/output-columns.js';
import type { SampleRows } from '../../../src/model/mapping/find-column.js';
import type { OutputColumn } from '../../../src/ports/table-writer.js';

const INPUT = ['First name', 'Record ID', 'email'].map((name) => ({ name, key: name }));
const ALL = outputColumns(INPUT, { kind: 'current' });
const ALWAYS = [
  'sluice_status',
  'sluice_reason',
  'enrichment_id',
  'source',
  'credits',
  'enriched_at',
];

const ON_DEMAND = [
  'name_matches',
  'company_matches',
  'email_is_role',
  'email_is_free',
  'email_is_catch_all',
];
const USUAL = ALL.map(({ name }) => name).filter((name) => !ON_DEMAND.includes(name));

function choose(
  columns: readonly OutputColumn[],
  wish: Omit<TableWish, 'ask'>,
  rows?: SampleRows,
): ChosenColumn[] {
  return chooseColumns(columns, { ask: ASKS, ...wish }, rows);
}

function namesOf(wish: Omit<TableWish, 'ask'>): string[] {
  return choose(ALL, wish).map(({ column }) => column.name);
}

describe('the columns of what was asked', () => {
  const of = (ask: readonly Ask[], columns?: ColumnWish) =>
    chooseColumns(ALL, { ask, columns }).map(({ column }) => column.name);

  it('are those of its answers, with the input and what became of the lead, as without a word', () => {
    const always = ['First name', 'Record ID', 'email', ...ALWAYS];
    expect(of(['find_phone'])).toEqual([...always, 'phone']);
    expect(of(['find_phone'], 'asked')).toEqual([...always, 'phone']);
    const email = ['sluice_email', 'email_status', 'platform_email_status', 'email_domain_matches'];
    expect(of(['find_email'])).toEqual([...always, ...email]);
    expect(of(['verify_email'])).toEqual([...always, ...email]);
    const profile = of(['social_enrichment']);
    expect(profile).toContain('social_tagline');
    expect(profile).toContain('position_title');
    expect(profile).not.toContain('phone');
  });

  it('stand in the same order, whatever is asked', () => {
    for (const ask of ASKS) {
      const names = of([ask]);
      expect(names).toEqual(of([...ASKS]).filter((name) => names.includes(name)));
    }
  });

  it('are all of them where all are wanted, or everything was asked, but those on demand', () => {
    expect(of(['find_phone'], 'all')).toEqual(ALL.map(({ name }) => name));
    expect(of([...ASKS])).toEqual(USUAL);
  });
});

describe('a value inside a column of the input', () => {
  const input = ['contact', 'emails'].map((name) => ({ name, key: name }));
  const all = outputColumns(input, { kind: 'current' });
  const row = [{ id: 7, name: { first: 'Ada' } }, [{ value: 'a@b.co' }]];

  it('is a column of its own, as key and among the others', () => {
    const columns = ['emails[0].value', { First: 'contact.name.first' }, 'contact.id'];
    const chosen = choose(all, { key: ['contact.id'], columns }, [row]);
    expect(chosen.map(({ column }) => [column.name, column.key])).toEqual(
      ['contact.id', 'emails[0].value', 'First'].map((name) => [name, name]),
    );
    expect(chosenCells(row, chosen)).toEqual([7, 'a@b.co', 'Ada']);
    expect(chosenCells([null, []], chosen)).toEqual([null, null, null]);
    const whole = choose(all, { key: ['contact.id'] }, [row]);
    expect(whole.slice(0, 3).map(({ column }) => column.key)).toEqual([
      'contact.id',
      'contact',
      'emails',
    ]);
  });

  it('is not there where the column holds texts, and the nearest one is named', () => {
    expect(() => choose(all, { key: ['contact.id'] }, [['7', '']])).toThrow(
      'key: the input has no column "contact.id"',
    );
    expect(() => choose(all, { key: ['contakt.id'] }, [row])).toThrow('Did you mean "contact.id"');
    expect(() => choose(all, { columns: ['email.x'] }, [row])).toThrow('no column "email.x"');
  });
});

describe('a key', () => {
  it('comes first, and all other columns stay in their order', () => {
    const first = (names: readonly string[]) => [
      'Record ID',
      ...names.filter((name) => name !== 'Record ID'),
    ];
    expect(namesOf({ key: ['Record ID'] })).toEqual(first(USUAL));
    expect(namesOf({ key: ['Record ID'], columns: 'used' })).toEqual(first(USUAL));
    expect(namesOf({})).toEqual(USUAL);
  });

  it('comes first before the columns that are wanted, once, under the name that they give it', () => {
    const key = ['Record ID', 'First name'];
    expect(namesOf({ key, columns: ['phone'] })).toEqual([...key, 'phone']);
    expect(namesOf({ key, columns: ['phone', 'First name', { Id: 'Record ID' }] })).toEqual([
      'Id',
      'First name',
      'phone',
    ]);
  });

  it('takes its cells along', () => {
    const row = ALL.map(({ name }) => name);
    const chosen = choose(ALL, { key: ['Record ID'], columns: [{ Phone: 'phone' }] });
    expect(chosenCells(row, chosen)).toEqual(['Record ID', 'phone']);
  });

  it('is one of the input, whatever Sluice adds', () => {
    expect(() => namesOf({ key: ['record id'] })).toThrow(
      'key: the input has no column "record id". Did you mean "Record ID"?',
    );
    expect(() => namesOf({ key: ['enrichment_id'] })).toThrow(
      'key: the input has no column "enrichment_id".',
    );
    expect(namesOf({ key: ['email'] })[0]).toBe('email');
  });

  it('stays where only the columns in use are wanted', async () => {
    const rows = async function* () {
      yield [ALL.map(({ name }) => (name === 'phone' ? '+33' : null))];
    };
    const used = await usedColumns(choose(ALL, { key: ['Record ID'] }), rows());
    expect(used.map(({ column }) => column.name)).toEqual([
      'Record ID',
      'First name',
      'email',
      'phone',
    ]);
  });
});
