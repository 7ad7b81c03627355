// Reads the body of a request by hand, since two bounds hold: its own, and the bound of all bodies that the listener
// holds at a time, arriving or waiting to be stored.
import type { IncomingMessage } from 'node:http';
import { REFUSALS, type Refusal } from './refusals.js';

/**
 * The memory of a chunk beside its bytes: most of the memory of a tiny body, or of a body that is sent byte by byte.
 */
const CHUNK_WEIGHT_BYTES = 1024;

/** The whole body, or the reason why there is none. Never rejects; takes its memory from the share. */
export function readBody(
  request: IncomingMessage,
  bytesMax: number,
  share: Share,
): Promise<Buffer | Refusal> {
  if (Number(request.headers['content-length']) > bytesMax) {
    return Promise.resolve(REFUSALS.tooLarge);
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;

    const end = (outcome: Buffer | Refusal): void => {
      // Bytes that still come are dropped: they must not take from the share again.
      request.off('data', onData);
      // The request lives until it is answered, and its listeners with it.
      chunks.length = 0;
      resolve(outcome);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > bytesMax) end(REFUSALS.tooLarge);
      else if (!share.take(chunk.length + CHUNK_WEIGHT_BYTES)) end(REFUSALS.tooBusy);
      else chunks.push(chunk);
    };

    request.on('data', onData);
    // A close follows every end, and then changes nothing.
    request.once('end', () => end(Buffer.concat(chunks)));
    request.once('close', () => end(REFUSALS.brokenOff));
  });
}

/** The part of the memory budget that one request holds. */
export interface Share {
  /** Takes bytes; returns false, and takes none, if the budget is used up. */
  take(bytes: number): boolean;
  /** Gives back all bytes. */
  release(): void;
}

/**
 * The budget of all bodies together. A key may use only a part of it, so that the key of one lead keeps no other
 * delivery out.
 */
export interface MemoryBudget {
  /** Opens a share. Bodies with one `key` share a part of the budget; with undefined they may use all of it. */
  openShare(key: string | undefined): Share;
}

export function createMemoryBudget(bytesMax: number, keyBytesMax: number): MemoryBudget {
  let used = 0;
  const usedBy = new Map<string, number>();
  return {
    openShare: (key) => {
      let own = 0;
      const add = (bytes: number): void => {
        used += bytes;
        own += bytes;
        if (key === undefined) return;
        const ofKey = (usedBy.get(key) ?? 0) + bytes;
        if (ofKey === 0) usedBy.delete(key);
        else usedBy.set(key, ofKey);
      };
      return {
        take: (bytes) => {
          const ofKey = key === undefined ? 0 : (usedBy.get(key) ?? 0) + bytes;
          if (used + bytes > bytesMax || ofKey > keyBytesMax) return false;
          add(bytes);
          return true;
        },
        release: () => add(-own),
      };
    },
  };
}
