// The name of an account that has only a key: a slow digest of the key, under the state file's own signing key. Without
// the state file the name says nothing; with the file, each guess of the key takes as long as this.
import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Uint8Array, number, { N: number; maxmem: number }, Buffer>(scrypt);

/** About 0.1 s and 32 MiB for each guess. */
const COST = 2 ** 15;
const MEMORY_MAX = 64 * 2 ** 20;
const BYTES = 12;

/** `key-` and 24 hexadecimal digits: the same for the same key at the same address. */
export async function nameOfKey(
  key: string,
  address: string,
  signingKey: Uint8Array,
): Promise<string> {
  const salt = Buffer.concat([signingKey, Buffer.from(`account key\n${address}`)]);
  const digest = await derive(key, salt, BYTES, { N: COST, maxmem: MEMORY_MAX });
  return `key-${digest.toString('hex')}`;
}
