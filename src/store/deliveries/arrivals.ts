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

/** Characters of the bodies that stay in memory until they are handled. */
const RECENT_MAX = 4_000_000;

/**
 * Bodies that this process has kept a moment ago, so that its run need not read them from the disk. By their digests: a
 * row with the digest has this very body, whatever transaction wrote it.
 */
const recent = new Map<string, string>();
let recentLength = 0;

/** The oldest ones leave for it. */
export function rememberBody(digest: Buffer, body: string): void {
  takeBody(digest);
  recent.set(digest.toString('latin1'), body);
  recentLength += body.length;
  for (const [name, { length }] of recent) {
    if (recentLength <= RECENT_MAX) return;
    recent.delete(name);
    recentLength -= length;
  }
}

/** The body with that digest, which leaves; undefined if it is not remembered. */
export function takeBody(digest: Buffer): string | undefined {
  const name = digest.toString('latin1');
  const body = recent.get(name);
  if (body === undefined) return undefined;
  recent.delete(name);
  recentLength -= body.length;
  return body;
}

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
