// Deliveries before they are kept: which bodies are the same, and how many bytes are kept under one key.
import { createHash } from 'node:crypto';
import type { Delivery } from '../../ports/store/deliveries.js';

/** The limit for the bytes of the bodies under one key. The body that passes it is the last one that is kept. */
const LEAD_BYTES_MAX = 2 ** 20;
const CALL_BYTES_MAX = 64 * 2 ** 20;
const ROW_BYTES = 100;

/** Platforms repeat a delivery for hours. After a day it may be the answer to another request, in the same words. */
export const REPEATED_MS = 24 * 60 * 60_000;

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
