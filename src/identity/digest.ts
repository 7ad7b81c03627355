// SHA-256, cut to 16 bytes: two of a billion fingerprints collide with a chance below 1 in 10^20.
import { hash } from 'node:crypto';

/** The first 16 bytes of the SHA-256 of the text's UTF-8 form. */
export function digest(text: string): Uint8Array {
  return hash('sha256', text, 'buffer').subarray(0, 16);
}

/** The same in hexadecimal. */
export function digestHex(text: string): string {
  return Buffer.from(digest(text)).toString('hex');
}
