// npm run demo: the sample job against the embedded sandbox, then the first rows of what it wrote.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

const { status } = spawnSync(
  process.execPath,
  ['dist/bundle/sluice.js', 'run', 'jobs/legislators.yaml', ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
// 1: every lead is accounted for, but some enrichments failed. The sandbox fails about 2 % on purpose.
if (status !== 0 && status !== 1) process.exit(status ?? 1);

const rows = parse(readFileSync('data/out/legislators.csv'), { bom: true, columns: true });
const shown = [
  'first_name',
  'last_name',
  'sluice_status',
  'email',
  'position_title',
  'company_name',
];
console.log('\nThe first rows of data/out/legislators.csv, six of its columns:\n');
for (const row of [Object.fromEntries(shown.map((name) => [name, name])), ...rows.slice(0, 8)]) {
  console.log(shown.map((name) => row[name].replace(/\s+/g, ' ').slice(0, 28).padEnd(29)).join(''));
}
if (status === 1) {
  console.log(
    '\nSome are failed: the sandbox fails about 2 % on purpose, and sluice itself exits with 1 then.',
  );
}
