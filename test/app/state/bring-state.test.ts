// States that were made before the baseline of the schema (their text is in before-baseline/, with what the checkout that
// made them told of them), brought along by scripts/bring-state.mjs.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digest } from '../../../src/identity/digest.js';
import type { EnrichmentRequest, Inputs } from '../../../src/model/ask.js';
import { canonicalText } from '../../../src/model/fingerprint.js';
import type { Store } from '../../../src/ports/store/store.js';
import { openStore } from '../../../src/store/open-store.js';
import { T0 } from '../../contract/store-bench.js';
import { COMMAND_MS } from '../../helpers/patience.js';
import { type TestState, testState } from '../../helpers/postgres.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const textOf = (name: string): string =>
  readFileSync(new URL(`before-baseline/${name}`, import.meta.url), 'utf8');
const SEEN = JSON.parse(textOf('seen.json')) as { readonly runs: readonly { id: number }[] };

const folder = tempFolder();
let count = 0;
const newPath = (): string => join(folder, `state-${(count += 1)}.db`);
let database: TestState;
const schemas: string[] = [];
beforeAll(async () => {
  database = await testState();
  // Before the state itself, and its connections, go.
  afterAll(async () => {
    for (const schema of schemas) {
      await database.pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    }
  });
});

function oldFile(): string {
  const path = newPath();
  const db = new Database(path);
  // Rows come before those that they refer to.
  db.pragma('foreign_keys = OFF');
  db.exec(textOf('file.sql'));
  db.close();
  return path;
}

/** A schema beside the one of the test; its address. */
async function oldSchema(): Promise<string> {
  const schema = `${database.schema}_old_${(count += 1)}`;
  await database.pool.query(
    `CREATE SCHEMA ${schema}; SET search_path TO ${schema}; ${textOf('database.sql')}; SET search_path TO ${database.schema}`,
  );
  return beside(schema);
}

function beside(schema: string): string {
  schemas.push(schema);
  return database.address.replace(database.schema, schema);
}

async function bring(from: string, to: string): Promise<string> {
  const script = fileURLToPath(new URL('../../../scripts/bring-state.mjs', import.meta.url));
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [script, from, to], { timeout: COMMAND_MS });
  return stdout;
}

async function using<R>(state: string, work: (store: Store) => Promise<R>): Promise<R> {
  const store = await openStore(state);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** What was told of the state before. */
async function look(store: Store) {
  const runs = await store.listRuns(20);
  const ofRuns = async <R>(read: (id: number) => Promise<R>) =>
    Object.fromEntries(await Promise.all(runs.map(async ({ id }) => [id, await read(id)])));
  return {
    runs,
    answers: await ofRuns((id) => store.answers(id, 0, 1_000)),
    rejects: await ofRuns((id) => store.rejects(id, 0, 1_000)),
    done: await store.doneFiles('hourly', 't1', ['d1', 'd2']),
    deliveries: await store.listDeliveries(100),
    paused: await store.pausedSince('open'),
  };
}

function knownBy(inputs: Inputs) {
  const request: EnrichmentRequest = { ask: ['find_email'], inputs };
  return { fingerprint: digest(canonicalText(request, 'acc')) };
}

/** Leads as they are read today, that were paid for under another fingerprint. */
const RENAMED = [
  { firstName: 'Sean', lastName: "O'Brien", companyDomain: 'example.com' },
  { firstName: 'Zoe', lastName: 'Ray', companyDomain: 'example.com' },
  { firstName: 'Ann', lastName: "D'Arc", companyDomain: 'example.com' },
  { email: 'cyd@example.com' },
  { firstName: 'Eve', lastName: 'Doe', companyDomain: 'example.com' },
].map(knownBy);
/** The domain of a platform alone told which Bob Roe it was. */
const BOB = knownBy({ firstName: 'Bob', lastName: 'Roe' });

const CASES = [
  ['a file', async () => [oldFile(), newPath()]],
  ['a database', async () => [await oldSchema(), beside(`${database.schema}_new`)]],
] as const;

describe.each(CASES)('%s that was made before the baseline', (_, places) => {
  it('becomes a state that tells the same, and pays for nothing twice', async () => {
    const [from = '', to = ''] = await places();
    await expect(using(from, look)).rejects.toThrow(/node scripts\/bring-state\.mjs .* NEW/);
    expect(await bring(from, to)).toContain('which is marked as moved');
    await using(to, async (store) => {
      expect(await look(store)).toEqual(SEEN);
      expect(await store.sampleOf('open', 1)).toEqual(['0a1b', 'ff00']);
      expect(await store.schedules()).toEqual([
        {
          job: 'nightly',
          pattern: '0 2 * * *',
          timezone: 'Europe/Vienna',
          catchUp: 'one',
          nextAt: T0,
        },
      ]);
      expect(await store.signingKey()).toHaveLength(32);
      const states = await store.peek([...RENAMED, BOB], T0);
      expect(states).toEqual([...RENAMED.map(() => 'fresh'), 'new']);
    });
    // What was begun stays begun: neither of two payments is lost, and no second one can be made.
    await expect(bring(from, to)).rejects.toThrow(/was moved to/);
  });
});

describe('bringing a state along', () => {
  it('lets the newest that was paid for count, with the others before it', async () => {
    const [from, to] = [oldFile(), newPath()];
    await bring(from, to);
    const db = new Database(to, { readonly: true });
    const rows = db
      .prepare(
        'SELECT id, is_current, older_answer, predecessor FROM enrichments WHERE id IN (20, 21, 25, 26) ORDER BY id',
      )
      .all();
    db.close();
    expect(rows).toEqual([
      { id: 20, is_current: 0, older_answer: null, predecessor: null },
      { id: 21, is_current: 1, older_answer: null, predecessor: null },
      { id: 25, is_current: 1, older_answer: 20, predecessor: 20 },
      { id: 26, is_current: 0, older_answer: null, predecessor: null },
    ]);
  });

  it('also takes a state of before there were samples and schedules', async () => {
    const [from, to] = [oldFile(), newPath()];
    const db = new Database(from);
    db.exec('DROP TABLE samples; DROP TABLE schedules; PRAGMA user_version = 30');
    db.close();
    await bring(from, to);
    await using(to, async (store) => {
      expect(await look(store)).toEqual(SEEN);
      expect(await store.sampleOf('open', 1)).toEqual([]);
      expect(await store.schedules()).toEqual([]);
    });
  });

  it('says of how many enrichments it leaves behind what their job wanted', async () => {
    const asIs = oldFile();
    expect(await bring(asIs, newPath())).not.toContain('asked for less');
    const from = oldFile();
    const db = new Database(from);
    db.exec("UPDATE enrichments SET wanted = 'find_email,find_phone' WHERE id IN (1, 2, 20)");
    db.close();
    expect(await bring(from, newPath())).toContain(
      'What their job wanted of 3 enrichments, which were asked for less, is not brought along',
    );
  });

  it('changes nothing where a run is still at work on one that would not count', async () => {
    const [from, to] = [oldFile(), newPath()];
    const db = new Database(from);
    db.exec("UPDATE runs SET state = 'working', ended_at = NULL WHERE id = 5");
    db.close();
    await expect(bring(from, to)).rejects.toThrow('Run 5 is still at work on enrichment 26');
    expect(existsSync(to)).toBe(false);
    const after = new Database(from, { readonly: true });
    expect(after.prepare('SELECT * FROM moved').all()).toEqual([]);
    after.close();
  });

  it('refuses a file that another process uses', async () => {
    const from = oldFile();
    const db = new Database(from);
    db.pragma('journal_mode = WAL');
    db.prepare('SELECT count(*) FROM runs').get();
    await expect(bring(from, newPath())).rejects.toThrow('Another process uses');
    db.close();
  });

  it('refuses an older state, and says which commit reads it', async () => {
    const from = oldFile();
    const db = new Database(from);
    db.pragma('user_version = 24');
    db.close();
    const refused = bring(from, newPath());
    await expect(refused).rejects.toThrow(
      /schema 24, and scripts\/bring-state\.mjs reads schema 30/,
    );
    await expect(refused).rejects.toThrow(/Commit [\da-f]{40} brings it there/);
  });
});
