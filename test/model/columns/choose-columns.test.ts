import { describe, expect, it } from 'vitest';
import {
  chooseColumns,
  chosenCells,
  type TableWish,
  usedColumns,
} from '../../../src/model/columns/choose-columns.js';
import { outputColumns } from '../../../src/model/columns/output-columns.js';

const INPUT = ['First name', 'Record ID', 'email'].map((name) => ({ name, key: name }));
const ALL = outputColumns(INPUT, { kind: 'current' });

function namesOf(wish: TableWish): string[] {
  return chooseColumns(ALL, wish).map(({ column }) => column.name);
}

describe('a value inside a column of the input', () => {
  const input = ['contact', 'emails'].map((name) => ({ name, key: name }));
  const all = outputColumns(input, { kind: 'current' });
  const row = [{ id: 7, name: { first: 'Ada' } }, [{ value: 'a@b.co' }]];

  it('is a column of its own, as key and among the others', () => {
    const columns = ['emails[0].value', { First: 'contact.name.first' }, 'contact.id'];
    const chosen = chooseColumns(all, { key: ['contact.id'], columns }, [row]);
    expect(chosen.map(({ column }) => [column.name, column.key])).toEqual(
      ['contact.id', 'emails[0].value', 'First'].map((name) => [name, name]),
    );
    expect(chosenCells(row, chosen)).toEqual([7, 'a@b.co', 'Ada']);
    expect(chosenCells([null, []], chosen)).toEqual([null, null, null]);
    const whole = chooseColumns(all, { key: ['contact.id'] }, [row]);
    expect(whole.slice(0, 3).map(({ column }) => column.key)).toEqual([
      'contact.id',
      'contact',
      'emails',
    ]);
  });

  it('is not there where the column holds texts, and the nearest one is named', () => {
    expect(() => chooseColumns(all, { key: ['contact.id'] }, [['7', '']])).toThrow(
      'key: the input has no column "contact.id"',
    );
    expect(() => chooseColumns(all, { key: ['contakt.id'] }, [row])).toThrow(
      'Did you mean "contact.id"',
    );
    expect(() => chooseColumns(all, { columns: ['email.x'] }, [row])).toThrow(
      'no column "email.x"',
    );
  });
});

describe('a key', () => {
  it('comes first, and all other columns stay in their order', () => {
    const others = ALL.map(({ name }) => name).filter((name) => name !== 'Record ID');
    expect(namesOf({ key: ['Record ID'] })).toEqual(['Record ID', ...others]);
    expect(namesOf({ key: ['Record ID'], columns: 'used' })).toEqual(['Record ID', ...others]);
    expect(namesOf({})).toEqual(ALL.map(({ name }) => name));
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
    const chosen = chooseColumns(ALL, { key: ['Record ID'], columns: [{ Phone: 'phone' }] });
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
    const used = await usedColumns(chooseColumns(ALL, { key: ['Record ID'] }), rows());
    expect(used.map(({ column }) => column.name)).toEqual([
      'Record ID',
      'First name',
      'email',
      'phone',
    ]);
  });
});
