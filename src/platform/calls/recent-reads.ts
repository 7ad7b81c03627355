// Answers to reads that are younger than the dialect's least time between two reads of one ticket. The items of a bulk
// call may share a ticket: one read of it then answers all of them.
import type { Clock } from '../../ports/clock.js';
import type { Sent } from '../wire/sender.js';

/** The limit for the texts of all kept answers, in UTF-16 units. */
const TEXTS_LENGTH_MAX = 16 * 1_024 * 1_024;
const COUNT_MAX = 10_000;

export interface RecentReads {
  /** The answer to a read that began less than `everyMs` ago, which may still be on its way. */
  find(key: string): Promise<Sent> | undefined;
  note(key: string, sent: Promise<Sent>): void;
}

interface Read {
  readonly at: number;
  readonly sent: Promise<Sent>;
  /** The length of the answer's text. */
  length: number;
}

export function openRecentReads(everyMs: number, clock: Clock): RecentReads {
  const reads = new Map<string, Read>();
  let length = 0;

  const drop = (key: string): void => {
    length -= reads.get(key)?.length ?? 0;
    reads.delete(key);
  };
  /** A read without an answer is not kept. */
  const keepAnswered = async (key: string, read: Read): Promise<void> => {
    const ended = await read.sent;
    if (reads.get(key) !== read) return;
    if (ended.kind !== 'answered') {
      drop(key);
      return;
    }
    read.length = ended.text.length;
    length += read.length;
    for (const oldest of reads.keys()) {
      if (length <= TEXTS_LENGTH_MAX && reads.size <= COUNT_MAX) break;
      drop(oldest);
    }
  };
  return {
    find: (key) => {
      const read = reads.get(key);
      return read !== undefined && clock.now() - read.at < everyMs ? read.sent : undefined;
    },
    note: (key, sent) => {
      if (everyMs === 0) return;
      drop(key);
      const read = { at: clock.now(), sent, length: 0 };
      reads.set(key, read);
      void keepAnswered(key, read);
    },
  };
}
