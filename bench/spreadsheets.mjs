// node bench/spreadsheets.mjs: how fast a table of 200,000 rows and 30 columns is read, as CSV and as a workbook, with
// texts of its own and shared ones.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inFolder, measured, record } from './kit.mjs';
import { writeCsv, writeWorkbook } from './write-workbook.mjs';

const READER = fileURLToPath(new URL('peers/read-records.mjs', import.meta.url));
const ROWS = Number(process.env.ROWS ?? 200_000);
const FORMS = {
  csv: (path) => writeCsv(path, ROWS),
  inline: (path) => writeWorkbook(path, ROWS, { isShared: false }),
  shared: (path) => writeWorkbook(path, ROWS, { isShared: true }),
};

await inFolder(async (folder) => {
  const figures = {};
  for (const [name, write] of Object.entries(FORMS)) {
    const path = join(folder, name);
    await write(path);
    const { seconds, cpuSeconds, peakMb, stdout } = await measured([READER, path]);
    if (Number(stdout) !== ROWS) throw new Error(`${stdout} records were read of ${name}.`);
    figures[name] = {
      rows_per_second: Math.round(ROWS / seconds),
      cpu_seconds: Math.round(cpuSeconds * 10) / 10,
      peak_mb: Math.round(peakMb),
      file_mb: Math.round(statSync(path).size / 1e6),
    };
  }
  record('spreadsheets', { rows: ROWS, columns: 30, ...figures });
});
