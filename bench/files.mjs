// node bench/files.mjs [read|export|tables]: how fast a million leads get into the store, and a million enriched rows out of
// it, against the libraries that everybody would use for the file alone; and tables of every format.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeEnriched } from './enriched-state.mjs';
import { inFolder, MAIN, measured, record, round, writeLeads } from './kit.mjs';

const at = (name) => fileURLToPath(new URL(name, import.meta.url));
const ROWS = Number(process.env.ROWS ?? 1_000_000);

const BENCHES = {
  /** Read, normalised, fingerprinted, deduplicated and stored; csv-parse only reads. */
  async read() {
    await inFolder(async (folder) => {
      const input = await writeLeads(join(folder, 'leads.csv'), ROWS);
      const peer = await measured([at('peers/csv-parse.mjs'), input]);
      const ours = await measured([at('peers/read-leads.mjs'), input, join(folder, 'state.db')]);
      if (Number(ours.stdout) !== ROWS) throw new Error(`${ours.stdout} leads were stored.`);
      record('read', {
        leads: ROWS,
        sync: 'FULL',
        leads_per_second: Math.round(ROWS / ours.seconds),
        csv_parse_records_per_second: Math.round(ROWS / peer.seconds),
        ratio: round(peer.seconds / ours.seconds),
        peak_mb: Math.round(ours.peakMb),
        csv_parse_peak_mb: Math.round(peer.peakMb),
        cpu_ms_per_lead: round((ours.cpuSeconds * 1_000) / ROWS, 4),
      });
    });
  },

  /** `sluice export` as a whole; csv-stringify is given rows that are prepared already. */
  async export() {
    await inFolder(async (folder) => {
      const state = join(folder, 'state.db');
      writeEnriched(state, ROWS);
      const flags = ['--state', state, '--positions', 'wide:3', '--json'];
      const out = join(folder, 'ours.csv');
      const ours = await measured([MAIN, 'export', '1', '--out', out, ...flags]);
      const peerOut = join(folder, 'peer.csv');
      const peer = await measured([at('peers/csv-stringify.mjs'), out, peerOut, `${ROWS}`]);
      record('export', {
        rows: ROWS,
        bytes: statSync(out).size,
        csv_stringify_bytes: statSync(peerOut).size,
        rows_per_second: Math.round(ROWS / ours.seconds),
        csv_stringify_rows_per_second: Math.round(ROWS / peer.seconds),
        ratio: round(peer.seconds / ours.seconds),
        peak_mb: Math.round(ours.peakMb),
        csv_stringify_peak_mb: Math.round(peer.peakMb),
        state_bytes_per_lead: Math.round(statSync(state).size / ROWS),
      });
    });
  },

  /** The writers of tables alone, 30 columns wide. */
  async tables() {
    const sizes = {};
    for (const rows of [200_000, 1_000_000]) {
      sizes[rows] = {};
      for (const format of ['csv', 'ndjson', 'xlsx', 'parquet']) {
        await inFolder(async (folder) => {
          const out = join(folder, `table.${format}`);
          const one = await measured([at('peers/write-table.mjs'), out, `${rows}`]);
          sizes[rows][format] = {
            rows_per_second: Math.round(rows / one.seconds),
            cpu_seconds: round(one.cpuSeconds, 1),
            peak_mb: Math.round(one.peakMb),
            bytes: statSync(out).size,
          };
        });
      }
    }
    record('tables', { columns: 30, sizes });
  },
};

for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BENCHES)) {
  await BENCHES[name]();
}
