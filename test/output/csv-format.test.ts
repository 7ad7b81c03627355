import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/model/text/json.js';
import { type CsvOptions, csvFormat } from '../../src/output/csv-format.js';
import type { OutputKind } from '../../src/ports/table-writer.js';
import { column } from './temporary-folder.js';

const plain: CsvOptions = { bom: false, excel: false, formulaGuard: true };

/** One cell as it is written, in front of a second one that keeps an empty line apart from no line. */
function cell(kind: OutputKind, value: JsonValue, options: Partial<CsvOptions> = {}): string {
  const format = csvFormat([column('a', kind), column('b')], { ...plain, ...options });
  const line = format.rows([[value, 'end']]);
  expect(line).toMatch(/,end\r?\n$/);
  return line.replace(/,end\r?\n$/, '');
}

describe('csvFormat', () => {
  it('writes null as nothing, numbers and booleans as they are, objects and arrays as JSON', () => {
    expect(cell('text', null)).toBe('');
    expect(cell('text', '')).toBe('');
    expect(cell('number', 0)).toBe('0');
    expect(cell('number', -1.5)).toBe('-1.5');
    expect(cell('boolean', false)).toBe('false');
    expect(cell('original', true)).toBe('true');
    expect(cell('original', { a: [1] })).toBe('"{""a"":[1]}"');
    expect(cell('json', [])).toBe('[]');
  });

  it.each([',', ';', '\t', '|'] as const)(
    'writes what csv-stringify writes, whether anything needs quotes or not: %j',
    (delimiter) => {
      const unit = fc.constantFrom('a', 'é', ' ', ',', ';', '\t', '|', '"', '\n', '\r');
      const rows = fc.array(fc.array(fc.string({ unit, maxLength: 3 }), { minLength: 1 }), {
        maxLength: 50,
      });
      fc.assert(
        fc.property(rows, fc.boolean(), fc.integer({ min: 1, max: 3 }), (all, excel, count) => {
          const columns = Array.from({ length: count }, (_, n) => column(`${n}`, 'original'));
          const whole = all.map((row) => columns.map((_, n) => row[n] ?? ''));
          const quoting = {
            delimiter,
            record_delimiter: excel ? '\r\n' : '\n',
            quote_record_delimiter: true,
          };
          const options = { ...plain, delimiter, excel };
          expect(csvFormat(columns, options).rows(whole)).toBe(stringify(whole, quoting));
        }),
      );
    },
  );

  it('fills cells that are missing at the end of a row, and drops what has no column', () => {
    const format = csvFormat([column('a'), column('b')], plain);
    expect(format.rows([[], ['x'], ['x', 'y', 'z']])).toBe(',\nx,\nx,y\n');
  });

  it("repeats an empty or repeated header of the input's as it is", () => {
    const repeated = { name: 'x', key: 'x_2', kind: 'original' } as const;
    const empty = { name: '', key: 'column_3', kind: 'original' } as const;
    expect(csvFormat([column('x', 'original'), repeated, empty], plain).begin()).toBe('x,x,\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM', '\tx', '\0=1', '＝1', '＋1', '－1', '＠a'])(
    'puts an apostrophe in front of the text %j',
    (text) => {
      expect(cell('text', text)).toBe(`'${text}`);
      expect(cell('json', text)).toBe(`'${text}`);
      expect(cell('text', text, { formulaGuard: false })).toBe(text);
    },
  );

  it('guards a carriage return inside its quotes, and a line break', () => {
    expect(cell('text', '\rx')).toBe('"\'\rx"');
    expect(cell('text', '\n=1')).toBe('"\'\n=1"');
  });

  it("leaves text that starts no formula, and the user's own cells, as they are", () => {
    for (const text of ['a=1', ' =1', "'=1", '1-1', '(x)']) expect(cell('text', text)).toBe(text);
    for (const text of ['=1+1', '+33', '-1', '@a']) expect(cell('original', text)).toBe(text);
  });

  it('leaves phone numbers as they are, and guards what only claims to be one', () => {
    for (const phone of ['+33612345678', '+1 (555) 010-9999', '06.12.34.56.78', '(+33) 6 12']) {
      expect(cell('phone', phone)).toBe(phone);
    }
    expect(cell('phone', '=cmd|x')).toBe("'=cmd|x");
    expect(cell('phone', '+cmd|x')).toBe("'+cmd|x");
    expect(cell('phone', '-2+3')).toBe("'-2+3");
    expect(cell('phone', '=cmd|x', { formulaGuard: false })).toBe('=cmd|x');
  });

  it('begins with the byte order mark for bom, and changes nothing else', () => {
    const format = csvFormat([column('a')], { ...plain, bom: true });
    expect(format.begin()).toBe('\uFEFFa\n');
    expect(format.rows([['x']])).toBe('x\n');
  });

  it('excel: writes the mark, CR LF, and phone numbers as text', () => {
    const format = csvFormat([column('a'), column('p', 'phone')], { ...plain, excel: true });
    expect(format.begin()).toBe('\uFEFFa,p\r\n');
    expect(format.rows([['one\ntwo', '+33 6']])).toBe('"one\ntwo","=""+33 6"""\r\n');
    expect(format.rows([['x', '+1"&cmd']])).toBe('x,"\'+1""&cmd"\r\n');
    expect(format.rows([['x', null]])).toBe('x,\r\n');
  });
});
