// node write-table.mjs OUT ROWS: a table of 30 columns, by the writer that `sluice export` uses, from rows that cost
// nothing to read; prints how many rows it wrote. The ending says the format.
import { tuneV8 } from '../../dist/cli/tune-v8.js';
import { openTableWriter } from '../../dist/output/open-table-writer.js';

const [out, count] = process.argv.slice(2);
const ROWS = Number(count);
const PAGE = 100;
const KINDS = [
  ...Array(4).fill('original'),
  ...Array(16).fill('text'),
  ...Array(5).fill('integer'),
  'number',
  'dateTime',
  'boolean',
  'phone',
  'json',
];

function valueOf(kind, column, row) {
  // A third of a profile is empty.
  if (kind !== 'original' && (row + column) % 3 === 0) return null;
  if (kind === 'integer') return row * 7 + column;
  if (kind === 'number') return row % 5;
  if (kind === 'boolean') return row % 2 === 0;
  if (kind === 'phone') return `+33 6 ${10_000_000 + row}`;
  if (kind === 'dateTime') return new Date(1_700_000_000_000 + row * 1_000).toISOString();
  if (kind === 'json') return [{ company: { name: `Company ${row}` }, years: row % 40 }];
  if (column % 4 === 0) return ['Software', 'Banking', 'Retail', 'Logistics & Transport'][row % 4];
  const text = `Value ${column} of the person ${row}, Zoë`;
  return column === 7 ? `${text}. `.repeat(12) : text;
}

tuneV8();
const columns = KINDS.map((kind, n) => ({ name: `column_${n}`, key: `column_${n}`, kind }));
const options = { bom: false, excel: false, formulaGuard: true, standardOutput: process.stdout };
const writer = await openTableWriter(out, columns, options);
for (let first = 0; first < ROWS; first += PAGE) {
  const length = Math.min(PAGE, ROWS - first);
  const page = Array.from({ length }, (_, n) =>
    KINDS.map((kind, column) => valueOf(kind, column, first + n)),
  );
  await writer.write(page);
}
await writer.commit();
console.log(ROWS);
