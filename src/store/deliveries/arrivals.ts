// What webhooks bring, before it is kept: which bodies are the same, and how much may be kept under one key.
import { createHash } from 'node:crypto';
import type { Delivery } from '../../ports/store/deliveries.js';

/** Bytes of the bodies under one key. The body that passes this limit is the last one that is kept. */
const LEAD_BYTES_MAX = 2 ** 20;
const CALL_BYTES_MAX = 64 * 2 ** 20;
/** The size of a row without its body. */
const ROW_BYTES = 100;

/** Platforms repeat a delivery for hours. After a day it may be the answer to another request, in the same words. */
export const REPEATED_MS = 24 * 60 * 60_000;

/** 128 bits: two deliveries are the same where all of them are. */
export function digestOf({ scope, enrichmentId, callId, body }: Delivery): Buffer {
  const key = `${scope} ${enrichmentId} ${callId}\n`;
  return createHash('sha256').update(key).update(body).digest().subarray(0, 16);
}

/** Under which id of `delivery_keys` its room is counted; null where nothing limits it. */
export function roomKeyOf({ callId, enrichmentId }: Delivery): number | null {
  return enrichmentId ?? (callId === null ? null : -callId);
}

/** Whether one more is kept where there are so many bytes. */
export function hasRoom({ enrichmentId }: Delivery, bytes: number): boolean {
  return bytes < (enrichmentId === null ? CALL_BYTES_MAX : LEAD_BYTES_MAX);
}

export function roomOf({ body }: Delivery): number {
  return Buffer.byteLength(body) + ROW_BYTES;
}
