// A verb that reads a whole table is fast in every test and slow in every real run: the plans are checked.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/store/sqlite/database/open-database.js';
import { prepareDeliveries } from '../../../src/store/sqlite/deliveries/deliveries.js';
import { prepareIngest } from '../../../src/store/sqlite/enrichments/ingest.js';
import { prepareSettle } from '../../../src/store/sqlite/enrichments/settle.js';
import { prepareSubmits } from '../../../src/store/sqlite/enrichments/submits.js';
import { prepareWork } from '../../../src/store/sqlite/enrichments/work.js';
import { prepareEvents } from '../../../src/store/sqlite/events.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const folder = tempFolder();

/** Small by nature: what is open, what is pending, and a single key. `one`: what was found by an index before. */
const MAY_BE_SCANNED =
  /^SCAN (enrichments USING COVERING INDEX open_work|pending_deliveries|delivery_bodies|signing_key|one)\b/;

/** Asked for by a person, once in a while: to make every delivery of an account pending again. */
const isReplay = (sql: string) => /FROM deliveries\b[^?]*WHERE scope = \?/.test(sql);

/** Run for each enrichment that is queued, answered or asked for again: what it costs is paid a million times. */
const isOfOneEnrichment = (sql: string) =>
  /^(INSERT INTO enrichments|UPDATE enrichments[^(]*WHERE id = \?)/.test(sql);

describe('the statements of the hot verbs', () => {
  const db = openDatabase(join(folder, 'plans.db'));
  const statements: string[] = [];
  const listening = new Proxy(db, {
    get(target, name) {
      if (name === 'prepare') {
        return (sql: string) => {
          statements.push(sql);
          return target.prepare(sql);
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  prepareIngest(listening);
  prepareSubmits(listening);
  prepareSettle(listening);
  prepareWork(listening);
  prepareDeliveries(listening);
  prepareEvents(listening);

  it.each(statements.filter((sql) => !isReplay(sql)).map((sql) => [sql]))(
    'never scan the enrichments, the leads or the deliveries: %s',
    (sql) => {
      const parameters = Array.from(sql.matchAll(/\?/g), () => 1);
      const plan = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
      const details = plan.all(...parameters).map(({ detail }) => detail);
      expect(
        details.filter((detail) => detail.startsWith('SCAN') && !MAY_BE_SCANNED.test(detail)),
      ).toEqual([]);
      expect(details.join('\n')).not.toMatch(/TEMP B-TREE FOR ORDER BY/);
    },
  );

  it.each(statements.filter(isOfOneEnrichment).map((sql) => [sql]))(
    'build no list for a single row: %s',
    (sql) => {
      const parameters = Array.from(sql.matchAll(/\?/g), () => 1);
      const program = db.prepare<unknown[], { opcode: string }>(`EXPLAIN ${sql}`);
      const opcodes = program.all(...parameters).map(({ opcode }) => opcode);
      expect(opcodes).not.toContain('OpenEphemeral');
    },
  );
});
