const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

export interface Beginning {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
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
 * Whether a line that is not valid UTF-8 is Windows-1252: more of its characters beyond ASCII are broken than valid. In
 * doubt it is broken UTF-8, which costs its own record, while a wrong Windows-1252 would send nonsense, for money.
 */
export function isWindows1252(line: Uint8Array): boolean {
  let surplus = 0;
  for (const character of UTF8.decode(line)) {
    if (character === '\uFFFD') surplus += 1;
    else if (character > '\u007F') surplus -= 1;
  }
  return surplus > 0;
}

/**
 * What shows that text is not Windows-1252: bytes that it leaves undefined, and between two letters a sign that no name
 * has, where other encodings have a letter.
 */
export const NOT_WINDOWS_1252 = /[\u0081\u008d\u008f\u0090\u009d]|\p{L}[¡¢£¤¥¦±³¹¶¼¾¿×÷†‡‰]\p{L}/u;

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
