// Guesses the encoding of text: from its beginning, and from its first bytes beyond ASCII.
import { isUtf8 } from 'node:buffer';
import type { Encoding } from './read-options.js';

export interface Beginning {
  readonly encoding: Encoding;
  /** The number of bytes of the mark itself. */
  readonly markBytes: number;
}

/** The encoding by a byte order mark, or by the NUL bytes of UTF-16 without one; null if there is neither. */
export function judgeBeginning(bytes: Uint8Array): Beginning | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return { encoding: 'utf-8', markBytes: 3 };
  }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', markBytes: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', markBytes: 2 };
  const [even, odd] = countNulBytes(bytes);
  const pairs = bytes.length / 2;
  // Text of any script has ASCII line breaks and delimiters; a few NUL bytes in a cell are not that.
  const isMany = (count: number, other: number) =>
    count >= 2 && count > pairs * 0.1 && other < count * 0.05;
  if (isMany(odd, even)) return { encoding: 'utf-16le', markBytes: 0 };
  if (isMany(even, odd)) return { encoding: 'utf-16be', markBytes: 0 };
  return null;
}

/**
 * UTF-8 if the bytes are valid, or if more characters beyond ASCII are valid than broken: an invalid byte only costs
 * its own record, while a wrong Windows-1252 would send nonsense, for money.
 */
export function judgeBeyondAscii(bytes: Uint8Array): 'utf-8' | 'windows-1252' {
  if (isUtf8(bytes)) return 'utf-8';
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  let valid = 0;
  let broken = 0;
  for (const character of text) {
    if (character === '\uFFFD') broken += 1;
    else if (character > '\u007F') valid += 1;
  }
  return valid > broken ? 'utf-8' : 'windows-1252';
}

/** The number of bytes at the end that begin a UTF-8 sequence which the next chunk may complete: 0 to 3. */
export function countUnfinishedUtf8(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf8) return 1;
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

function countNulBytes(bytes: Uint8Array): [even: number, odd: number] {
  const counts: [number, number] = [0, 0];
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) {
    counts[at % 2 === 0 ? 0 : 1] += 1;
  }
  return counts;
}
