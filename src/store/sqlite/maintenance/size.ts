// What the state file takes on the disk, and how fast it grows: from sizes that are noted once a day, at the most.
import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { StateSize } from '../../../ports/store/maintenance.js';
import { DAY_MS, growthOf, type NotedSize, SPAN_MS } from '../../maintenance/growth.js';
import { atomic, snapshot, type Verbs } from '../database/transactions.js';

export function prepareSize(db: Database.Database) {
  const isNoted = db.prepare<[number]>('SELECT 1 FROM sizes WHERE noted_at > ?');
  const note = db.prepare<[number, number]>('INSERT OR IGNORE INTO sizes VALUES (?, ?)');
  // The newest one that is old enough stays: the growth is counted from it.
  const forget = db.prepare<[number]>(
    'DELETE FROM sizes WHERE noted_at < (SELECT max(noted_at) FROM sizes WHERE noted_at <= ?)',
  );
  const noteNow = atomic(db, (at: number): void => {
    note.run(at, usedBytes(db));
    forget.run(at - SPAN_MS);
  });
  return {
    // Most runs wait for no other process, and write nothing.
    noteSize: (at) => {
      if (isNoted.get(at - DAY_MS) === undefined) noteNow(at);
    },
    size: snapshot(db, (at) => sizeAt(db, at)),
  } satisfies Partial<Verbs>;
}

/** For a state file of an earlier release too, where nothing is noted. */
export function sizeAt(db: Database.Database, at: number): StateSize {
  const [bytes, used] = [bytesOf(db, 'page_count'), usedBytes(db)];
  return {
    bytes,
    unusedBytes: bytes - used,
    logBytes: statSync(`${db.name}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    bytesADay: growthOf(firstNote(db, at), { at, bytes: used }),
  };
}

function firstNote(db: Database.Database, at: number): NotedSize | undefined {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sizes'").get();
  if (isThere === undefined) return undefined;
  return db
    .prepare<[number], NotedSize>(
      `SELECT noted_at AS at, bytes FROM sizes
       WHERE noted_at >= coalesce((SELECT max(noted_at) FROM sizes WHERE noted_at <= ?), 0)
       ORDER BY noted_at LIMIT 1`,
    )
    .get(at - SPAN_MS);
}

function usedBytes(db: Database.Database): number {
  return bytesOf(db, 'page_count') - bytesOf(db, 'freelist_count');
}

/** Of all pages, or of those that hold nothing. */
export function bytesOf(
  db: Database.Database,
  count: 'page_count' | 'freelist_count' = 'page_count',
): number {
  const pages = db.pragma(count, { simple: true }) as number;
  return pages * (db.pragma('page_size', { simple: true }) as number);
}
