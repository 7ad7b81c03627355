// Disk space for the answers to requests on their way, which are paid for and known nowhere else. The space is given up
// once the disk is full; from then on other verbs fail, because they would use it up.
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import Database from './database/better-sqlite3.js';
import { isFull } from './database/failures.js';

/** The tickets of 2,000 enrichments need 630 KiB of the log: as many as four bulk calls bring. */
const RESERVE_BYTES = 2 ** 20;

export interface Reserve {
  /** @throws SqliteError `SQLITE_FULL` if there is no space, `SQLITE_IOERR` if it cannot be reserved */
  hold(sender: string): void;
  /** Also of a sender that was killed. Idempotent. */
  release(sender: string): void;
  serves<A extends unknown[], R>(verb: (...args: A) => R | Promise<R>): (...args: A) => Promise<R>;
  /** Wraps a verb that fails once the space is given up. */
  shuts<A extends unknown[], R>(verb: (...args: A) => Promise<R>): (...args: A) => Promise<R>;
}

export function createReserve(path: string): Reserve {
  const senders = new Set<string>();
  let isGivenUp = false;
  const fileOf = (sender: string): string => `${path}-reserve-${sender}`;

  const release = (sender: string): void => {
    senders.delete(sender);
    try {
      rmSync(fileOf(sender), { force: true });
    } catch {
      // The file holds nothing that matters; the next sender of that number replaces it.
    }
  };

  const giveUp = (): void => {
    if (senders.size > 0) isGivenUp = true;
    for (const sender of senders) release(sender);
  };

  return {
    hold(sender) {
      try {
        // Random bytes, which a file system cannot compress.
        writeFileSync(fileOf(sender), randomBytes(RESERVE_BYTES), { mode: 0o600 });
      } catch (error) {
        release(sender);
        throw isFull(error)
          ? diskIsFull()
          : new Database.SqliteError(String(error), 'SQLITE_IOERR');
      }
      senders.add(sender);
      isGivenUp = false;
    },
    release,
    serves:
      (verb) =>
      async (...args) => {
        try {
          return await verb(...args);
        } catch (error) {
          if (!isFull(error)) throw error;
          giveUp();
          if (!isGivenUp) throw error;
          return await verb(...args);
        }
      },
    shuts:
      (verb) =>
      async (...args) => {
        if (isGivenUp) throw diskIsFull();
        return verb(...args);
      },
  };
}

function diskIsFull(): Error {
  return new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
}
