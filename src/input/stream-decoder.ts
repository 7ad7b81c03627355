// Decodes bytes chunk by chunk. While only ASCII came, the encoding stays open: a letter beyond ASCII may come late,
// and the chunk that brings it decides.
import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { countUnfinishedUtf8, judgeBeginning, judgeBeyondAscii } from './judge-encoding.js';
import type { Encoding } from './read-options.js';

export interface TextChunk {
  readonly text: string;
  /** Whether U+FFFD in this text may stand for bytes that were not text. */
  readonly hasInvalidBytes: boolean;
}

const BEGINNING_BYTES = 4;
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * A decoder. Without a set encoding, the bytes decide. UTF-8 with an honest U+FFFD is not called invalid, unless bytes
 * of the same chunk are; in UTF-16 every U+FFFD is suspected.
 */
export class StreamDecoder {
  #encoding: Encoding | undefined;
  #held: Buffer = Buffer.alloc(0);
  #hasBegun = false;
  #utf16: TextDecoder | undefined;

  constructor(encoding?: Encoding) {
    this.#encoding = encoding;
  }

  /** The encoding; undefined while only ASCII came. */
  get encoding(): Encoding | undefined {
    return this.#encoding;
  }

  /** The text of this chunk, without a byte order mark; up to three bytes wait for the next chunk. */
  write(chunk: Uint8Array): TextChunk {
    return this.#decode(chunk, false);
  }

  end(): TextChunk {
    return this.#decode(new Uint8Array(0), true);
  }

  #decode(chunk: Uint8Array, isEnd: boolean): TextChunk {
    let bytes = joinBytes(this.#held, chunk);
    this.#held = Buffer.alloc(0);
    if (!this.#hasBegun) {
      if (bytes.length < BEGINNING_BYTES && !isEnd) return this.#hold(bytes);
      bytes = this.#begin(bytes);
    }
    if (this.#encoding === undefined) {
      if (isAscii(bytes)) return plain(bytes.toString('latin1'));
      const [whole, unfinished] = splitUnfinished(bytes, isEnd);
      if (isAscii(whole)) return this.#hold(unfinished, whole.toString('latin1'));
      this.#encoding = judgeBeyondAscii(whole);
    }
    return this.#decodeAs(this.#encoding, bytes, isEnd);
  }

  #begin(bytes: Buffer): Buffer {
    this.#hasBegun = true;
    const beginning = judgeBeginning(bytes);
    if (beginning === null) return bytes;
    this.#encoding ??= beginning.encoding;
    // A UTF-8 mark is never text; a UTF-16 mark under another set encoding stays visible.
    const isMark = beginning.encoding === 'utf-8' || beginning.encoding === this.#encoding;
    return isMark ? bytes.subarray(beginning.markBytes) : bytes;
  }

  #decodeAs(encoding: Encoding, bytes: Buffer, isEnd: boolean): TextChunk {
    if (encoding === 'windows-1252') return plain(decodeWindows1252(bytes));
    if (encoding === 'utf-8') {
      const [whole, unfinished] = splitUnfinished(bytes, isEnd);
      this.#held = unfinished;
      if (isAscii(whole)) return plain(whole.toString('latin1'));
      return { text: UTF8.decode(whole), hasInvalidBytes: !isUtf8(whole) };
    }
    this.#utf16 ??= new TextDecoder(encoding, { ignoreBOM: true });
    const text = this.#utf16.decode(bytes, { stream: !isEnd });
    return { text, hasInvalidBytes: text.includes('\uFFFD') };
  }

  #hold(bytes: Buffer, text = ''): TextChunk {
    this.#held = bytes;
    return plain(text);
  }
}

function plain(text: string): TextChunk {
  return { text, hasInvalidBytes: false };
}

function joinBytes(held: Buffer, chunk: Uint8Array): Buffer {
  if (held.length > 0) return Buffer.concat([held, chunk]);
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

function splitUnfinished(bytes: Buffer, isEnd: boolean): [whole: Buffer, unfinished: Buffer] {
  const cut = bytes.length - (isEnd ? 0 : countUnfinishedUtf8(bytes));
  return [bytes.subarray(0, cut), bytes.subarray(cut)];
}

// Windows-1252 needs a table of our own: the TextDecoder of Node 20.18.3 and many later versions reads it
// as Latin-1 (nodejs/node#56542), which would lose the euro sign and curly quotes.
const HIGH_CONTROLS = /[\u0080-\u009f]/g;
const TABLE = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function decodeWindows1252(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(HIGH_CONTROLS, (control) => TABLE.charAt(control.charCodeAt(0) - 0x80));
}

/** A chunk of text for each chunk of bytes, without empty ones. `onDetected` gets an encoding that was not set. */
export async function* readText(
  bytes: AsyncIterable<Uint8Array>,
  encoding?: Encoding,
  onDetected?: (encoding: Encoding) => void,
): AsyncGenerator<TextChunk> {
  const decoder = new StreamDecoder(encoding);
  let isOpen = encoding === undefined;
  const tell = () => {
    if (!isOpen || decoder.encoding === undefined) return;
    isOpen = false;
    onDetected?.(decoder.encoding);
  };
  for await (const chunk of bytes) {
    const decoded = decoder.write(chunk);
    tell();
    if (decoded.text !== '') yield decoded;
  }
  const last = decoder.end();
  tell();
  if (last.text !== '') yield last;
}
