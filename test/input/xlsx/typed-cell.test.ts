// What is kept of a workbook's cells beside their texts.
import { describe, expect, it } from 'vitest';
import { exactText, type JsonValue, workbookCell } from '../../../src/model/text/json.js';
import { openFolder, readAll } from '../read-all.js';
import { inlineCell, type MadeWorkbook, workbookOf } from './make-workbook.js';

const folder = await openFolder();

async function cellOf(cell: string, made: MadeWorkbook = {}): Promise<JsonValue> {
  const rows = `<row>${inlineCell('a')}${inlineCell('b')}</row><row>${cell}${inlineCell('end')}</row>`;
  const path = await folder.write('leads.xlsx', workbookOf({ ...made, sheets: [{ rows }] }));
  return (await readAll(path)).records[0]?.cells[0] ?? null;
}

const of = (raw: string, type = 'n') => `<c s="1" t="${type}"><v>${raw}</v></c>`;

describe('a cell without a format', () => {
  it.each<[string, JsonValue]>([
    ['12345', 12_345],
    ['-1.5', -1.5],
    ['3.36123E10', 33_612_300_000],
  ])('%s is a number', async (raw, number) => {
    expect(await cellOf(of(raw))).toBe(number);
  });

  it.each([
    ['0.30000000000000004', '0.3'],
    ['1E-7', '0.0000001'],
    ['12345678901234567890', '12345678901234567890'],
  ])('%s keeps its value beside the text', async (raw, text) => {
    expect(workbookCell(await cellOf(of(raw)))).toEqual({ text, value: raw, format: '' });
  });

  it.each([
    ['1', true],
    ['0', false],
  ])('%s may be a truth value', async (raw, value) => {
    expect(await cellOf(of(raw, 'b'))).toBe(value);
  });

  it.each([
    ['x', 'n'],
    ['123', 'str'],
    ['2', 'b'],
  ])('%s may be a text (%s)', async (raw, type) => {
    expect(await cellOf(of(raw, type))).toBe(raw);
  });
});

describe('a cell with a format', () => {
  it.each<[string, string | number, string, string]>([
    ['46082', 14, '14', '2026-03-01'],
    ['46082.5', 'dd.mm.yyyy hh:mm', ':dd.mm.yyyy hh:mm', '2026-03-01T12:00:00'],
    ['123', '00000', ':00000', '00123'],
    ['0.5', 10, '10', '0.5'],
    ['1.25', '[h]:mm', ':[h]:mm', '1.25'],
    ['7', 49, '49', '7'],
    ['7', 30, '30', '1900-01-07'],
  ])('%s under %s keeps both beside the text', async (raw, format, kept, text) => {
    const cell = await cellOf(of(raw), { formats: [format] });
    expect(workbookCell(cell)).toEqual({ text, value: raw, format: kept });
    expect(exactText(cell)).toBe(text);
  });

  it('is a number alone where the format is General', async () => {
    expect(await cellOf(of('7'), { formats: ['General'] })).toBe(7);
  });

  it.each<[string, string, string]>([
    ['44620', 'dd.mm.yyyy', '46082'],
    ['0', 'dd.mm.yyyy', '1462'],
    ['0.5', 'hh:mm', '0.5'],
    ['5', '0.00', '5'],
  ])(
    '%s under %s counts from 1900 on where the workbook counts from 1904 on',
    async (raw, format, value) => {
      const cell = workbookCell(await cellOf(of(raw), { formats: [format], is1904: true }));
      expect(cell).toMatchObject({ value, format: `:${format}` });
      const again = await cellOf(of(value), { formats: [format] });
      expect(exactText(again)).toBe(cell?.text);
    },
  );

  it('is a date also where the file has it as a text', async () => {
    const raw = '2026-03-01T12:00:00';
    expect(workbookCell(await cellOf(of(raw, 'd'), { formats: ['d/m/yy h:mm'] }))).toEqual({
      text: raw,
      value: '46082.5',
      format: ':d/m/yy h:mm',
    });
    expect(workbookCell(await cellOf(of('2026-03-01', 'd')))).toMatchObject({ format: '14' });
    expect(await cellOf(of('1899-03-01', 'd'))).toBe('1899-03-01');
  });

  it('of texts is kept where a sheet would make a number of it', async () => {
    const cell = await cellOf(of('00123', 'str'), { formats: [49] });
    expect(workbookCell(cell)).toEqual({ text: '00123', value: '', format: '49' });
    expect(await cellOf(of('Ada', 'str'), { formats: ['@'] })).toBe('Ada');
  });
});
