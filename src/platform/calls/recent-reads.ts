// Answers to reads that are younger than the dialect's least time between two reads of one ticket. The items of a bulk
// call may share a ticket: one read of it then answers all of them.
import type { Clock } from '../../ports/clock.js';
import type { Sent } from '../wire/sender.js';

export interface RecentReads {
  /** The answer to a read that began less than `everyMs` ago, which may still be on its way. */
  find(key: string): Promise<Sent> | undefined;
  note(key: string, sent: Promise<Sent>): void;
}

export function openRecentReads(everyMs: number, clock: Clock): RecentReads {
  /** In the order of their time. */
  const reads = new Map<string, { readonly at: number; readonly sent: Promise<Sent> }>();
  const isRecent = (at: number) => clock.now() - at < everyMs;

  return {
    find: (key) => {
      const read = reads.get(key);
      return read !== undefined && isRecent(read.at) ? read.sent : undefined;
    },
    note: (key, sent) => {
      if (everyMs === 0) return;
      for (const [old, { at }] of reads) {
        if (isRecent(at)) break;
        reads.delete(old);
      }
      const read = { at: clock.now(), sent };
      reads.delete(key);
      reads.set(key, read);
      // A read without an answer is not kept.
      void (async () => {
        const { kind } = await sent;
        if (kind !== 'answered' && reads.get(key) === read) reads.delete(key);
      })();
    },
  };
}
