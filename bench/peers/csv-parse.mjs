// node csv-parse.mjs IN.csv: csv-parse alone, as a stream of records by column name; prints how many.
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';

let count = 0;
const records = createReadStream(process.argv[2]).pipe(parse({ columns: true, bom: true }));
for await (const _ of records) count += 1;
console.log(count);
