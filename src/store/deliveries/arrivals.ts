// Deliveries before they are kept: which bodies are the same, and how many bytes are kept under one key.
import { createHash } from 'node:crypto';
import type { Delivery } from '../../ports/store/deliveries.js';

/** The limit for the bytes of the bodies under one key. The body that passes it is the last one that is kept. */
const LEAD_BYTES_MAX = 2 ** 20;
const CALL_BYTES_MAX = 64 * 2 ** 20;
const ROW_BYTES = 100;

/** Platforms repeat a delivery for hours. After a day it may be the answer to another request, in the same words. */
export const REPEATED_MS = 24 * 60 * 60_000;

/** The greatest number of characters of all bodies that stay in memory until they are handled. */
const RECENT_MAX = 2_000_000;

type Body = Pick<Delivery, 'body' | 'value'>;

/**
 * The bodies that this process has kept a moment ago, by their digests, so that its run need not read them from the
 * disk and parse them again. A row with the same digest has the same body, whichever transaction wrote it.
 */
const recent = new Map<string, Body>();
let recentLength = 0;

/** Remembers a body, and removes the oldest ones if there are too many characters. */
export function rememberBody(digest: Buffer, { body, value }: Body): void {
  takeBody(digest);
  recent.set(digest.toString('latin1'), { body, value });
  recentLength += body.length;
  for (const [name, oldest] of recent) {
    if (recentLength <= RECENT_MAX) return;
    recent.delete(name);
    recentLength -= oldest.body.length;
  }
}

/** Removes the body with that digest from memory and returns it; undefined if it is not there. */
export function takeBody(digest: Buffer): Body | undefined {
  const name = digest.toString('latin1');
  const taken = recent.get(name);
  if (taken === undefined) return undefined;
  recent.delete(name);
  recentLength -= taken.body.length;
  return taken;
}

/** The digest of a delivery, 128 bits: deliveries with the same digest are the same. */
export function digestOf({ scope, enrichmentId, callId, body }: Delivery): Buffer {
  const key = `${scope} ${enrichmentId} ${callId}\n`;
  return createHash('sha256').update(key).update(body).digest().subarray(0, 16);
}

/** The id in `delivery_keys` under which the bytes of a delivery are counted; null if no limit applies. */
export function roomKeyOf({ callId, enrichmentId }: Delivery): number | null {
  return enrichmentId ?? (callId === null ? null : -callId);
}

/** Whether one more delivery is kept under a key that already holds `bytes`. */
export function hasRoom({ enrichmentId }: Delivery, bytes: number): boolean {
  return bytes < (enrichmentId === null ? CALL_BYTES_MAX : LEAD_BYTES_MAX);
}

export function roomOf({ body }: Delivery): number {
  return Buffer.byteLength(body) + ROW_BYTES;
}
