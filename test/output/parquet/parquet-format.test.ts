import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { parquetMetadata, parquetSchema } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import type { PositionGroup } from '../../../src/model/result.js';
import { exactNumber, type JsonValue } from '../../../src/model/text/json.js';
import { openTableWriter } from '../../../src/output/open-table-writer.js';
import { type GroupLimits, parquetFormat } from '../../../src/output/parquet/parquet-format.js';
import type { TableFormat } from '../../../src/output/table-format.js';
import type { CellChange, OutputColumn, OutputRow } from '../../../src/ports/table-writer.js';
import { tries } from '../../helpers/long.js';
import { readParquet } from '../../helpers/read-parquet.js';
import { column, temporaryFolder, writerOptions } from '../temporary-folder.js';

interface Written {
  readonly file: ArrayBuffer;
  readonly changes: readonly CellChange[];
}

async function writeFileOf(
  columns: readonly OutputColumn[],
  rows: readonly OutputRow[],
): Promise<Written> {
  const path = join(await temporaryFolder(), 'x.parquet');
  const writer = await openTableWriter(path, columns, writerOptions());
  await writer.write(rows);
  await writer.commit();
  return { file: plainBuffer([await readFile(path)]), changes: writer.changes() };
}

async function fileOf(
  format: TableFormat,
  batches: readonly (readonly OutputRow[])[],
): Promise<ArrayBuffer> {
  const pieces = [await format.begin()];
  for (const rows of batches) pieces.push(await format.rows(rows));
  pieces.push(await format.end());
  return plainBuffer(pieces.map((piece) => Buffer.from(piece)));
}

function plainBuffer(pieces: readonly Uint8Array[]): ArrayBuffer {
  return new Uint8Array(Buffer.concat(pieces)).buffer;
}

/** The rows as arrays, in the order of the columns. */
async function rowsOf(file: ArrayBuffer): Promise<unknown[][]> {
  const objects = await readParquet(new Uint8Array(file));
  const names = parquetSchema(parquetMetadata(file)).children.map(({ element }) => element.name);
  return objects.map((row) => names.map((name) => row[name] ?? null));
}

const COLUMNS = [
  column('o', 'original'),
  column('t'),
  column('p', 'phone'),
  column('i', 'integer'),
  column('n', 'number'),
  column('b', 'boolean'),
  column('d', 'dateTime'),
  column('j', 'json'),
];
const TIME = '2026-11-21T08:30:00.123Z';

describe('a table of Parquet', () => {
  it('has a type for each column, and null for what is empty', async () => {
    const { file, changes } = await writeFileOf(COLUMNS, [
      ['x', 'Zoë 😀', '+33 1', 12, 1.5, true, TIME, { a: [1, 'x'] }],
      [null, null, null, null, null, null, null, null],
      [],
    ]);
    const empty = COLUMNS.map(() => null);
    expect(await rowsOf(file)).toEqual([
      ['x', 'Zoë 😀', '+33 1', 12n, 1.5, true, new Date(TIME), { a: [1, 'x'] }],
      empty,
      empty,
    ]);
    expect(changes).toEqual([]);
    const types = parquetMetadata(file)
      .schema.slice(1)
      .map(({ type, logical_type }) => logical_type?.type ?? type);
    expect(types).toEqual('STRING STRING STRING INT64 DOUBLE BOOLEAN TIMESTAMP JSON'.split(' '));
    expect(parquetMetadata(file).schema[7]?.logical_type).toEqual({
      type: 'TIMESTAMP',
      isAdjustedToUTC: true,
      unit: 'MILLIS',
    });
  });

  it('has the cells of the input as text, whatever they are', async () => {
    const cells = [true, 7, exactNumber('12345678901234567890') ?? '', { a: 1 }, '=1', '007'];
    const { file } = await writeFileOf(
      [column('o', 'original')],
      cells.map((cell) => [cell]),
    );
    expect((await rowsOf(file)).flat()).toEqual([
      'true',
      '7',
      '12345678901234567890',
      '{"a":1}',
      '=1',
      '007',
    ]);
  });

  it('leaves a value out that is not of its column, tells of it, and stays readable', async () => {
    const { file, changes } = await writeFileOf(
      [...COLUMNS, column('g', 'positions')],
      [
        ['x', 5, 6, '12', 'x', 'yes', 'never', 'text', 'none'],
        ['y', 't', 'p', 1.5, 2, 0, TIME, null, {}],
        ['\uD800', 't', 'p', 2 ** 53, 2, false, TIME, null, 7],
      ],
    );
    expect(await rowsOf(file)).toEqual([
      ['x', '5', '6', null, null, null, null, 'text', null],
      ['y', 't', 'p', null, 2, null, new Date(TIME), null, null],
      ['\uFFFD', 't', 'p', null, 2, false, new Date(TIME), null, null],
    ]);
    expect(changes).toEqual([
      { column: 'o', change: 'characters', cells: 1 },
      { column: 'i', change: 'type', cells: 3 },
      { column: 'n', change: 'type', cells: 1 },
      { column: 'b', change: 'type', cells: 2 },
      { column: 'd', change: 'type', cells: 1 },
      { column: 'g', change: 'type', cells: 3 },
    ]);
  });

  it('has position groups as a list of structs, with a list in each', async () => {
    const groups: PositionGroup[] = [
      {
        company: { id: 12, name: 'Acme', employeesOnSocial: 7 },
        date: { start: { month: 1, year: 2020 }, end: {} },
        profilePositions: [
          { title: 'CEO', date: { start: { year: 2021 }, end: {} } },
          { title: 'CTO', description: 'x', date: { start: {}, end: { month: 2, year: 2021 } } },
        ],
      },
      { company: { name: 'B' }, date: { start: {}, end: {} }, profilePositions: [] },
    ];
    const rows = [[groups], [null], [[]], [[groups[1]]]] as unknown as OutputRow[];
    const { file } = await writeFileOf([column('g', 'positions')], rows);
    const read = (await rowsOf(file)).flat() as (Record<string, unknown>[] | null)[];
    expect(read[0]).toMatchObject([
      {
        company: { id: 12n, name: 'Acme', employeesOnSocial: 7n, domain: null },
        date: { start: { month: 1n, year: 2020n }, end: { month: null, year: null } },
        profilePositions: [
          { title: 'CEO', description: null, date: { start: { month: null, year: 2021n } } },
          { title: 'CTO', description: 'x', date: { end: { month: 2n, year: 2021n } } },
        ],
      },
      { company: { id: null, name: 'B' }, profilePositions: [] },
    ]);
    expect(read.slice(1)).toMatchObject([null, [], [{ company: { name: 'B' } }]]);
  });

  it('is readable without rows', async () => {
    const { file } = await writeFileOf(COLUMNS, []);
    expect(await rowsOf(file)).toEqual([]);
    expect(
      parquetMetadata(file)
        .schema.slice(1)
        .map(({ name }) => name),
    ).toEqual(COLUMNS.map(({ key }) => key));
  });

  it.each<[what: string, limits: Partial<GroupLimits>, counts: number[]]>([
    ['rows', { rows: 4 }, [4, 4, 2]],
    ['text', { textLength: 30 }, [3, 3, 3, 1]],
  ])('is written group by group, which end by %s', async (_, limits, counts) => {
    const columns = [column('a'), column('n', 'integer')];
    const rows = Array.from({ length: 10 }, (_, n) => [`0123456789${n}`, n]);
    const format = parquetFormat(columns, { rows: 1e6, textLength: 1e9, ...limits });
    const file = await fileOf(format, [rows.slice(0, 5), rows.slice(5)]);
    const groups = parquetMetadata(file).row_groups;
    expect(groups.map((group) => Number(group.num_rows))).toEqual(counts);
    expect(await rowsOf(file)).toEqual(rows.map(([text, n]) => [text, BigInt(n ?? 0)]));
  });

  it('gives back the cells of any table', async () => {
    const text = fc.option(fc.string({ unit: 'grapheme' }));
    const cells = fc.tuple(
      text,
      text,
      fc.option(fc.maxSafeInteger()),
      fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      fc.option(fc.boolean()),
      fc.option(fc.date({ noInvalidDate: true })),
      fc.option(fc.jsonValue().filter((value) => value !== null)),
    );
    const columns = COLUMNS.filter(({ kind }) => kind !== 'phone');
    await fc.assert(
      fc.asyncProperty(fc.array(cells, { maxLength: 30 }), async (rows) => {
        const given = rows.map(([o, t, i, n, b, d, j]) => [
          o,
          t,
          i,
          n,
          b,
          d?.toISOString() ?? null,
          j as JsonValue,
        ]);
        const format = parquetFormat(columns, { rows: 7, textLength: 1e6 });
        const file = await fileOf(format, [given]);
        const expected = rows.map(([o, t, i, n, b, d, j]) => [
          o,
          t,
          i === null ? null : BigInt(i),
          n,
          b,
          d,
          // As JSON has it: -0 is 0.
          JSON.parse(JSON.stringify(j)),
        ]);
        expect(await rowsOf(file)).toEqual(expected);
      }),
      { numRuns: tries(80) },
    );
  });
});
