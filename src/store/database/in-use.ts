// The state files that this process has open. To open such a file in any other way and close it again would drop
// SQLite's locks on it (fcntl(2)): another process could then remove the log that this one still writes.
import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';

const databases = new Set<Database.Database>();

export function noteInUse(db: Database.Database): void {
  databases.add(db);
}

export function isInUse(path: string): boolean {
  for (const db of databases) if (!db.open) databases.delete(db);
  return [...databases].some((db) => isSameFile(db.name, path));
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && a.dev === b?.dev && a.ino === b.ino;
}
