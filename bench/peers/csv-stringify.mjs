// node csv-stringify.mjs ROWS.csv OUT.csv COUNT: csv-stringify alone, with rows that are prepared: the first thousand of a
// table, over and over.
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify';

const [rows, output, count] = process.argv.slice(2);
const prepared = await createReadStream(rows)
  .pipe(parse({ to: 1_001, bom: true }))
  .toArray();
const [header, ...records] = prepared;

function* all() {
  yield header;
  for (let i = 0; i < Number(count); i += 1) yield records[i % records.length];
}
await pipeline(all(), stringify(), createWriteStream(output));
