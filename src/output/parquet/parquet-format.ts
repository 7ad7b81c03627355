// Parquet for programs that read columns. Rows are kept until they make a group, which is written column by column.
import { gzipSync } from 'node:zlib';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { OutputColumn } from '../../ports/table-writer.js';
import type { CellLimits } from '../clean-cells.js';
import type { TableFormat } from '../table-format.js';
import { isOfKind, type ParquetValue, parquetSchema, parquetValue } from './parquet-schema.js';

/** The limits of Parquet: a value of another type would break the whole file. */
export const PARQUET_LIMITS: CellLimits = { fits: isOfKind };

/** The limits of a group, which ends at the first that is reached. */
export interface GroupLimits {
  readonly rows: number;
  /** The UTF-16 units of text in a group, so that long texts do not fill the memory. */
  readonly textLength: number;
}

const GROUP_LIMITS: GroupLimits = { rows: 2_500, textLength: 4 * 2 ** 20 };

export function parquetFormat(
  columns: readonly OutputColumn[],
  limits: GroupLimits = GROUP_LIMITS,
): TableFormat {
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({
    writer: bytes,
    schema: parquetSchema(columns),
    createdBy: 'sluice',
    // GZIP takes half the size of Snappy, which the library has in JavaScript, in the same time.
    codec: 'GZIP',
    compressors: { GZIP: (page) => gzipSync(page, { level: 1 }) },
  });
  const take = (): Uint8Array => {
    const taken = bytes.getBytes().slice();
    // The writer's offset in the file goes on.
    bytes.index = 0;
    return taken;
  };
  let group: ParquetValue[][] = columns.map(() => []);
  let rowCount = 0;
  let textLength = 0;
  const writeGroup = async (): Promise<void> => {
    if (rowCount === 0) return;
    await writer.write({
      columnData: columns.map(({ key, kind }, n) => ({
        name: key,
        data: group[n] ?? [],
        // The least and the greatest JSON text say nothing, and are never cut.
        statistics: kind !== 'json',
      })),
      rowGroupSize: rowCount,
    });
    group = columns.map(() => []);
    rowCount = 0;
    textLength = 0;
  };

  return {
    begin: take,
    async rows(rows) {
      for (const row of rows) {
        for (const [n, { kind }] of columns.entries()) {
          const cell = row[n] ?? null;
          group[n]?.push(parquetValue(cell, kind));
          textLength += lengthOf(cell);
        }
        rowCount += 1;
        if (rowCount >= limits.rows || textLength >= limits.textLength) await writeGroup();
      }
      return take();
    },
    async end() {
      await writeGroup();
      await writer.finish();
      return take();
    },
  };
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + lengthOf(inner), 0);
}
