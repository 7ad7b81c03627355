import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import Database from '../../../src/store/sqlite/database/better-sqlite3.js';
import { openDatabase } from '../../../src/store/sqlite/database/open-database.js';
import { type Connection, connect } from '../../../src/store/sqlite/driver.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const folder = tempFolder();
let files = 0;

let path: string;
let db: Database.Database;
let connection: Connection;

beforeEach(() => {
  path = join(folder, `${++files}.db`);
  db = openDatabase(path);
  connection = connect(db);
  return () => db.close();
});

/** Commits in a log (https://www.sqlite.org/fileformat2.html#walformat): frames that tell the file's new size. */
function countCommits(): number {
  const log = readFileSync(`${path}-wal`);
  const salt = log.readUInt32BE(16);
  let commits = 0;
  for (let at = 32; at < log.length && log.readUInt32BE(at + 8) === salt; at += 24 + 4_096) {
    if (log.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}

/** As another process sees it. */
function jobs(): unknown[] {
  const other = new Database(path, { readonly: true });
  const found = other.prepare('SELECT job FROM pauses ORDER BY job').pluck().all();
  other.close();
  return found;
}

function pause(...names: string[]): Promise<number> {
  return connection.join((sql) =>
    sql.insert(
      'pauses',
      names.map((job) => ({ job, since: 1 })),
    ),
  );
}

it('two handles of one file under two names take turns', async () => {
  const other = join(folder, `link-${files}`);
  symlinkSync(folder, other);
  const second = openDatabase(join(other, `${files}.db`));
  const [a, b] = [connection, connect(second)].map(
    (one) => async (job: string) =>
      one.write(async (sql) => {
        await sql.insert('pauses', [{ job: `${job}1`, since: 1 }]);
        await sql.insert('pauses', [{ job: `${job}2`, since: 1 }]);
      }),
  );
  await Promise.all([a?.('a'), b?.('b'), a?.('c')]);
  second.close();
  expect(jobs()).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2']);
});

describe('verbs that are called together', () => {
  it('are written with one sync, and each is answered when it is durable', async () => {
    await pause('first');
    const before = countCommits();
    const answers = [pause('a', 'x'), pause('b'), pause('c')];
    expect(jobs()).toEqual(['first']);
    expect(await Promise.all(answers)).toEqual([2, 1, 1]);
    expect(countCommits() - before).toBe(1);
    expect(jobs()).toEqual(['a', 'b', 'c', 'first', 'x']);
  });

  it('fail alone, and leave nothing of their own', async () => {
    await pause('there');
    const ended = await Promise.allSettled([pause('a'), pause('b', 'there'), pause('c')]);
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(jobs()).toEqual(['a', 'c', 'there']);
  });

  it('fail as a whole, and with one try, where the file stays locked', async () => {
    db.pragma('busy_timeout = 10');
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    const ended = await Promise.allSettled([pause('a'), pause('b'), pause('c')]);
    other.close();
    const reasons = ended.map((one) => (one.status === 'rejected' ? one.reason : undefined));
    expect(reasons[0]).toMatchObject({ code: 'SQLITE_BUSY' });
    expect(new Set(reasons).size).toBe(1);
    expect(jobs()).toEqual([]);
  });

  it('are done when the connection has ended', async () => {
    const answer = pause('a');
    await connection.end();
    expect(jobs()).toEqual(['a']);
    expect(await answer).toBe(1);
  });

  it('see nothing of a transaction that another one is in the middle of', async () => {
    const seen: number[] = [];
    const write = connection.write(async (sql) => {
      await sql.insert('pauses', [{ job: 'a', since: 1 }]);
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      throw new Error('taken back');
    });
    const read = connection.read(async (sql) => {
      seen.push((await sql.rows('SELECT job FROM pauses')).length);
    });
    await expect(write).rejects.toThrow('taken back');
    await read;
    expect(seen).toEqual([0]);
  });
});

describe('a statement as PostgreSQL has it', () => {
  const add = (count: number) =>
    connection.write((sql) =>
      sql.insertIds(
        'enrichments',
        Array.from({ length: count }, (_, n) => ({
          fingerprint: Buffer.from([n % 256, n >> 8]),
          runId: 1,
          ask: n % 2 === 0 ? 'e' : 'p',
          sent: 'e',
          inputs: '[]',
          looks: n === 1,
        })),
      ),
    );

  it.each([0, 1, 2, 3, 5, 512, 513, 2_000])(
    'takes a list of %i numbers, texts or bytes',
    async (n) => {
      const ids = await add(n);
      const bytes = ids.map((_, i) => Buffer.from([i % 256, i >> 8]));
      await connection.read(async (sql) => {
        const count = async (condition: string, list: readonly (number | string | Uint8Array)[]) =>
          (
            await sql.rows(
              `SELECT id FROM enrichments WHERE ${condition} AND run_id = $1::bigint ORDER BY id FOR UPDATE`,
              [1, list],
            )
          ).length;
        expect(await count('id = ANY ($2::bigint[])', ids)).toBe(n);
        expect(await count('fingerprint = ANY ($2)', bytes)).toBe(n);
        expect(await count('ask = ANY ($2::text[])', n === 0 ? [] : Array(n).fill('e'))).toBe(
          Math.ceil(n / 2),
        );
      });
    },
  );

  it('changes and removes rows by their key, and takes flags for what they are', async () => {
    const [one = 0, two = 0, three = 0] = await add(3);
    await connection.write(async (sql) => {
      const flags = await sql.rows<{ id: number }>('SELECT id FROM enrichments WHERE looks');
      expect(flags).toEqual([{ id: two }]);
      const changed = await sql.update(
        'enrichments',
        ['id'],
        [
          { id: one, pollCount: 5, isCurrent: false },
          { id: three, pollCount: 7, isCurrent: true },
          { id: 4_711, pollCount: 9, isCurrent: true },
        ],
      );
      expect(changed).toEqual([0, 1]);
      expect(await sql.remove('enrichments', [{ id: two, runId: 1 }])).toBe(1);
      expect(
        await sql.rows(
          'SELECT id, poll_count, is_current, paid_by = 1 AS is_paid FROM enrichments ORDER BY id',
        ),
      ).toEqual([
        { id: one, pollCount: 5, isCurrent: false, isPaid: false },
        { id: three, pollCount: 7, isCurrent: true, isPaid: false },
      ]);
      expect(
        await sql.row('SELECT greatest(3, $1) AS most, strpos($2, $3) AS place', [4, 'abc', 'c']),
      ).toEqual({
        most: 4,
        place: 3,
      });
    });
  });
});
