// Reads a table of Parquet.
import { gunzipSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';

/** The rows, each by the names of its columns. */
export function readParquet(file: Uint8Array): Promise<Record<string, unknown>[]> {
  const compressors = { GZIP: (page: Uint8Array) => gunzipSync(page) };
  return parquetReadObjects({ file: new Uint8Array(file).buffer, compressors });
}
