// A verb that reads a whole table is fast in every test and slow in every real run: the plans are checked.
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { LeadEntry } from '../../../src/ports/store/enrichments.js';
import Database from '../../../src/store/sqlite/database/better-sqlite3.js';
import { addFunctions } from '../../../src/store/sqlite/database/open-database.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { T0, TIMES } from '../../contract/store-bench.js';
import { asked, COLUMNS, runPlan } from '../../helpers/leads.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { liveThrough } from '../live-through.js';

/** `ticket IS NOT NULL` alone: all enrichments that were ever accepted. */
const EVERY_TICKET = /INDEX tickets \(ticket>\?\)/;
/** Small by nature: what is open, what is pending, and a single key; and what an index has found before. */
const MAY_BE_SCANNED =
  /^SCAN (deliveries USING COVERING INDEX pending_deliveries|signing_key|json_each|pauses|identity|found|CONSTANT ROW|page|\(subquery-\d+\))(?!\w)/;

/** Run for each enrichment that is queued, answered or asked for again: what it costs is paid a million times. */
const isOfOneEnrichment = (sql: string) =>
  /^(INSERT INTO enrichments|UPDATE enrichments AS t SET [^(]* WHERE id = \?)/.test(sql);

describe('the statements of the hot verbs', async () => {
  const path = join(tempFolder(), 'plans.db');
  const prepare = vi.spyOn(Database.prototype, 'prepare');
  const store = openSqliteStore(path);
  await liveThrough(store, 50);
  await store.close();
  const texts = [...new Set(prepare.mock.calls.map(([text]) => text))].filter(
    // It is looked through when the file is opened.
    (text) => !text.includes('sqlite_schema'),
  );
  prepare.mockRestore();
  const db = new Database(path);
  addFunctions(db);
  afterAll(() => db.close());
  const parametersOf = (text: string) => Array.from(text.matchAll(/\?/g), () => 1);

  it('are many', () => {
    expect(texts.length).toBeGreaterThan(30);
    expect(texts.filter(isOfOneEnrichment).length).toBeGreaterThan(3);
  });

  it.each(texts.map((text) => [text]))('never scan a table, and sort nothing: %s', (text) => {
    const plan = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`);
    const details = plan.all(...parametersOf(text)).map(({ detail }) => detail);
    expect(
      details.filter(
        (detail) =>
          (detail.startsWith('SCAN') && !MAY_BE_SCANNED.test(detail)) || EVERY_TICKET.test(detail),
      ),
    ).toEqual([]);
    expect(details.join('\n')).not.toMatch(/TEMP B-TREE FOR ORDER BY/);
  });

  it.each(texts.filter(isOfOneEnrichment).map((text) => [text]))(
    'build no list for a single row: %s',
    (text) => {
      const program = db.prepare<unknown[], { opcode: string }>(`EXPLAIN ${text}`);
      const opcodes = program.all(...parametersOf(text)).map(({ opcode }) => opcode);
      expect(opcodes).not.toContain('OpenEphemeral');
    },
  );
});

it('leads whose enrichment their own run has queued are looked up by nothing else', async () => {
  const store = openSqliteStore(join(tempFolder(), 'queued.db'));
  const run = await store.startRun(runPlan(), T0);
  const ingest = (...leads: LeadEntry[]) =>
    store.ingest(run.id, { columns: COLUMNS, leads, rejects: [] }, TIMES);
  const people = Array.from({ length: 9 }, (_, i) => `${i}`);
  for (const [i, who] of people.entries()) await ingest(asked(i + 1, who));
  const prepare = vi.spyOn(Database.prototype, 'prepare');
  await ingest(...people.map((who, i) => asked(people.length + i + 1, who)));
  const texts = prepare.mock.calls.map(([text]) => text);
  prepare.mockRestore();
  await store.close();
  expect(texts.filter((text) => text.includes('fingerprint IN'))).toHaveLength(1);
  expect(texts.filter((text) => text.includes('FROM keys'))).toEqual([]);
});
