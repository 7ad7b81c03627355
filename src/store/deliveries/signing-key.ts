// The key of the state: callbacks are signed with it, and digests under it say nothing without the state.
import { createHmac, randomBytes } from 'node:crypto';
import type { Sql } from '../sql.js';

export async function signingKey(sql: Sql): Promise<Uint8Array> {
  await sql.run('INSERT INTO signing_key (id, key) VALUES (1, $1) ON CONFLICT DO NOTHING', [
    randomBytes(32),
  ]);
  return (await keptKey(sql)) as Uint8Array;
}

export async function keptKey(sql: Sql): Promise<Uint8Array | undefined> {
  return sql.value('SELECT key FROM signing_key');
}

/** The digest of a text, 32 bytes; `purpose` keeps it apart from all else that the key signs. */
export function keyedDigest(
  key: Uint8Array,
  purpose: 'charge' | 'suppressed',
  text: string,
): Buffer {
  return createHmac('sha256', key).update(`${purpose}\n${text}`).digest();
}
