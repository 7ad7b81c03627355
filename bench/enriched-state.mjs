// A state file with a finished run whose leads are all found, each with a profile of three position groups: what a run
// would leave, written in a minute or two.

import { deflateRawSync } from 'node:zlib';
import { writeResult } from '../dist/store/enrichments/result-format.js';
import Database from '../dist/store/sqlite/database/better-sqlite3.js';
import { openDatabase } from '../dist/store/sqlite/database/open-database.js';

const COLUMNS = ['first_name', 'last_name', 'website', 'city'].map((name) => ({ key: name, name }));
const PLAN = {
  job: 'bench',
  account: 'acc',
  ask: ['find_email', 'social_enrichment'],
  terms: 't',
  signature: 's',
  sources: ['leads.csv'],
  deadlineMs: 3_600_000,
  freshForMs: 86_400_000,
  output: { out: 'out.csv', positions: 'wide:3', bom: false, excel: false, formulaGuard: true },
};

/** docs/platform-api.md, Enrichment result. */
const RESULT = JSON.stringify({
  find_email: { email: 'ada.lovelace.NUMBER@example.com', status: 'deliverable' },
  social_enrichment: {
    socialUrl: 'https://social.example/in/ada-NUMBER',
    socialMemberId: 123_456_789,
    firstName: 'Ada',
    lastName: 'Lovelace',
    locationName: 'London, United Kingdom',
    tagline: 'Writes programs for engines that are still to be built',
    industry: 'Computer software',
    summary: 'Mathematics, music, and machines. '.repeat(6),
    positionGroups: Array.from({ length: 3 }, (_, i) => ({
      company: {
        id: 1_000 + i,
        name: `Company ${i}`,
        domain: `company${i}.example`,
        website: `https://www.company${i}.example`,
        industry: 'Computer software',
        employeesOnSocial: 250,
        size: '201-500',
      },
      date: {
        start: { month: 3, year: 2_000 + i },
        end: i === 0 ? {} : { month: 2, year: 2_001 + i },
      },
      profilePositions: [
        {
          title: 'Head of programs',
          description: 'Plans, writes and checks programs.',
          date: { start: { month: 3, year: 2_000 + i }, end: {} },
        },
      ],
    })),
  },
});

export function writeEnriched(path, leads) {
  openDatabase(path).close();
  const db = new Database(path);
  db.pragma('synchronous = OFF');
  db.prepare(
    `INSERT INTO runs (job, state, account, plan, columns, lead_count, started_at, ended_at)
     VALUES ('bench', 'finished', 'acc', ?, ?, ?, 1700000000000, 1700000100000)`,
  ).run(JSON.stringify(PLAN), JSON.stringify(COLUMNS), leads);
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${leads})`;
  db.exec(`BEGIN;
    ${numbers} INSERT INTO enrichments (id, fingerprint, run_id, paid_by, state, ask, sent, inputs, ticket, thousandths,
        submitted_at, poll_count, settled_at, send_count)
      SELECT i, randomblob(16), 1, 1, 'found', 'es', 'es',
        '["First' || i || '","Last","example.com"]',
        'enr_' || lower(hex(randomblob(16))), 6000, 1700000000000, 1, 1700000010000, 1 FROM n;
    ${numbers} INSERT INTO leads (run_id, position, source, line, enrichment_id, is_first)
      SELECT 1, i, 0, i + 1, i, 1 FROM n;`);
  const keepCells = db.prepare('INSERT INTO lead_cells VALUES (1, ?, ?)');
  for (let first = 1; first <= leads; first += 500) {
    const some = Array.from({ length: Math.min(500, leads - first + 1) }, (_, i) => [
      `First${first + i}`,
      'Last',
      'https://www.example.com/about',
      'Paris',
    ]);
    keepCells.run(first, deflateRawSync(JSON.stringify(some), { level: 1 }));
  }
  const keepResult = db.prepare('INSERT INTO results VALUES (?, ?)');
  for (let i = 1; i <= leads; i += 1)
    keepResult.run(i, writeResult(JSON.parse(RESULT.replaceAll('NUMBER', `${i}`))));
  db.exec('COMMIT');
  db.close();
}
