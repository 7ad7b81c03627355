import { describe, expect, it } from 'vitest';
import type { Encoding } from '../../src/input/open-lead-reader.js';
import { StreamDecoder } from '../../src/input/stream-decoder.js';
import { cutBytes } from './read-all.js';

const TEXT = 'name,city\nZoë,Köln\n名前,東京\n🙂,x\n';
const LATIN = 'name,city\nJosé “Pepe” Núñez,€ 5\n';

function utf16be(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

function windows1252(text: string): Buffer {
  const table: Record<string, number> = { '“': 0x93, '”': 0x94, '€': 0x80 };
  return Buffer.from(text.split('').map((letter) => table[letter] ?? letter.charCodeAt(0)));
}

function decode(bytes: Uint8Array, sizes = [bytes.length], encoding?: Encoding) {
  const decoder = new StreamDecoder(encoding);
  const chunks = cutBytes(bytes, sizes).map((piece) => decoder.write(piece));
  chunks.push(decoder.end());
  return {
    text: chunks.map((chunk) => chunk.text).join(''),
    hasInvalidBytes: chunks.some((chunk) => chunk.hasInvalidBytes),
  };
}

describe('StreamDecoder', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT), TEXT],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${TEXT}`), TEXT],
    ['UTF-16LE with a mark', Buffer.from(`\uFEFF${TEXT}`, 'utf16le'), TEXT],
    ['UTF-16LE without a mark', Buffer.from(TEXT, 'utf16le'), TEXT],
    ['UTF-16BE with a mark', utf16be(`\uFEFF${TEXT}`), TEXT],
    ['UTF-16BE without a mark', utf16be(TEXT), TEXT],
    ['Windows-1252', windows1252(LATIN), LATIN],
    [
      'Windows-1252 that ends in its first letter beyond ASCII',
      windows1252('id\ncaf\u00e9'),
      'id\ncafé',
    ],
    ['ASCII with a NUL', Buffer.from('id,name\n1,x\0y\n'), 'id,name\n1,x\0y\n'],
    ['two bytes', Buffer.from('id'), 'id'],
  ])('tells %s by itself', (_, bytes, text) => {
    expect(decode(bytes)).toEqual({ text, hasInvalidBytes: false });
  });

  it.each([1, 2, 3, 5, 7])('gives the same text in chunks of %i bytes', (size) => {
    for (const bytes of [
      Buffer.from(TEXT),
      Buffer.from(`\uFEFF${TEXT}`),
      Buffer.from(`\uFEFF${TEXT}`, 'utf16le'),
      utf16be(`\uFEFF${TEXT}`),
    ]) {
      expect(decode(bytes, [size])).toEqual({ text: TEXT, hasInvalidBytes: false });
    }
  });

  it('waits for the first letter beyond ASCII, however late it comes', () => {
    const ascii = 'x'.repeat(600_000);
    expect(decode(windows1252(`${ascii}é`), [65_536]).text).toBe(`${ascii}é`);
    expect(decode(Buffer.from(`${ascii}é`), [65_536]).text).toBe(`${ascii}é`);
  });

  it('stays with UTF-8 where a few bytes are broken among many that are not', () => {
    const bytes = Buffer.concat([
      Buffer.from('Zoë,José,Köln,'),
      Buffer.from([0xf6]),
      Buffer.from('\n'),
    ]);
    expect(decode(bytes)).toEqual({ text: 'Zoë,José,Köln,\uFFFD\n', hasInvalidBytes: true });
  });

  it('says that a sequence cut off by the end is invalid, once UTF-8 is certain', () => {
    const bytes = Buffer.from('Zoë 名').subarray(0, -1);
    expect(decode(bytes, [5])).toEqual({ text: 'Zoë \uFFFD', hasInvalidBytes: true });
  });

  it('decodes every byte of Windows-1252 as the encoding standard has it', () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index);
    expect(decode(bytes, [32], 'windows-1252').text).toBe(
      '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ',
    );
  });

  it('obeys a set encoding, and drops a UTF-8 mark even then', () => {
    expect(decode(Buffer.from('é'), [2], 'windows-1252').text).toBe('Ã©');
    expect(decode(Buffer.from('\uFEFFid'), [9], 'windows-1252').text).toBe('id');
    expect(decode(windows1252('é\n'), [9], 'utf-8')).toEqual({
      text: '\uFFFD\n',
      hasInvalidBytes: true,
    });
  });
});
