import { describe, expect, it } from 'vitest';
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

function decode(bytes: Uint8Array, sizes = [bytes.length], encoding?: string) {
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

  it.each([1, 4, 1000])('reads each line as what it is, in chunks of %i bytes', (size) => {
    const bytes = Buffer.concat([
      Buffer.from('\uFEFFid\nZoë\n'),
      windows1252('“José”\r\nx\nNúñez'),
      Buffer.from('\n名前\n\uFEFFKöln\n'),
      windows1252('é'),
    ]);
    const decoder = new StreamDecoder();
    const pieces = cutBytes(bytes, [size]).map((piece) => decoder.write(piece));
    const text = [...pieces, decoder.end()].map((piece) => piece.text).join('');
    expect(text).toBe('id\nZoë\n“José”\r\nx\nNúñez\n名前\n\uFEFFKöln\né');
    expect(decoder.guess).toEqual({
      said: '3 of 6 lines are UTF-8; 3 from line 3 on are read as windows-1252',
      isMixed: true,
    });
  });

  it('holds back no more of a line without an end than a part', () => {
    const decoder = new StreamDecoder();
    const part = windows1252('é'.repeat(700_000));
    expect(decoder.write(part).text).toBe('');
    expect(decoder.write(part).text === 'é'.repeat(1_399_999)).toBe(true);
  });

  it.each([
    ['Ko\u00b9ice', 2],
    ['Mar\u00a1a', 2],
    ['Ho\u00f7va', 2],
    ['Ma\u00a3a', 2],
    ['H\u008fl', 2],
    [
      '\u00a35, 10\u00b2 \u00a1Ol\u00e9! D\u0092Arc caf\u00e9\u0097bar \u0084So\u0093 Acme\u00ae',
      undefined,
    ],
  ])('knows by its letters that %j is no Windows-1252', (text, line) => {
    const decoder = new StreamDecoder();
    decoder.write(Buffer.from(`id\n${text}\n`, 'latin1'));
    decoder.end();
    expect(decoder.guess?.oddLine).toBe(line);
  });

  it.each([
    ['macintosh', [0x48, 0x8e, 0x6c, 0x8f], 'Hélè'],
    ['latin2', [0x4b, 0x6f, 0xb9], 'Koš'],
    ['SHIFT_JIS', [0x96, 0xbc, 0x91, 0x4f], '名前'],
    ['ascii', [0x93, 0xe9], '“é'],
  ])('takes the label %s', (label, bytes, text) => {
    expect(decode(Uint8Array.from(bytes), [1], label).text).toBe(text);
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
