// Decodes bytes chunk by chunk. Without a stated encoding, each line is read as what it is, UTF-8 or Windows-1252:
// files that were appended to one another may have both.
import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import {
  countUnfinishedUtf8,
  isWindows1252,
  judgeBeginning,
  NOT_WINDOWS_1252,
} from './judge-encoding.js';

export interface TextChunk {
  readonly text: string;
  /** Whether U+FFFD in this text may stand for bytes that were not text. */
  readonly hasInvalidBytes: boolean;
}

export interface Guess {
  /** The encoding, or how the lines are read if they are not all in one. */
  readonly said: string;
  readonly isMixed: boolean;
  /** The first line that Windows-1252 makes no sense of. */
  readonly oddLine?: number;
}

const BEGINNING_BYTES = 4;
/** A longer line is judged by its parts. */
const LINE_BYTES_MAX = 1024 * 1024;
const LINE_END = 0x0a;
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * A decoder. `encoding` is a label that TextDecoder knows; without it, the bytes decide. UTF-8 with an honest U+FFFD is
 * not called invalid, unless bytes of the same chunk are; in other encodings every U+FFFD is suspected.
 */
export class StreamDecoder {
  /** Undefined if each line decides. */
  #encoding: string | undefined;
  readonly #isStated: boolean;
  #rest: Buffer = Buffer.alloc(0);
  #hasBegun = false;
  #decoder: TextDecoder | undefined;
  /** The lines with bytes beyond ASCII, by the way in which they are read; `ended` counts all lines. */
  readonly #lines = { ended: 0, utf8: 0, others: 0, firstOther: 0, odd: 0 };

  constructor(encoding?: string) {
    this.#isStated = encoding !== undefined;
    if (encoding !== undefined) this.#encoding = new TextDecoder(encoding).encoding;
  }

  /** Undefined if the encoding was stated, or all is UTF-8 so far. */
  get guess(): Guess | undefined {
    const { firstOther, odd, others, utf8 } = this.#lines;
    if (this.#isStated) return undefined;
    if (this.#encoding !== undefined) return { said: this.#encoding, isMixed: false };
    if (others === 0) return undefined;
    const isMixed = utf8 > 0;
    const which =
      others === 1 ? `line ${firstOther} is` : `${others} from line ${firstOther} on are`;
    const said = isMixed
      ? `${utf8} of ${utf8 + others} lines are UTF-8; ${which} read as windows-1252`
      : 'windows-1252';
    return { said, isMixed, ...(odd > 0 && { oddLine: odd }) };
  }

  /** The text of this chunk, without a byte order mark; a line that has not ended may wait for the next chunk. */
  write(chunk: Uint8Array): TextChunk {
    return this.#decode(chunk, false);
  }

  end(): TextChunk {
    return this.#decode(new Uint8Array(0), true);
  }

  #decode(chunk: Uint8Array, isEnd: boolean): TextChunk {
    let bytes = joinBytes(this.#rest, chunk);
    this.#rest = Buffer.alloc(0);
    if (!this.#hasBegun) {
      if (bytes.length < BEGINNING_BYTES && !isEnd) {
        this.#rest = bytes;
        return plain('');
      }
      bytes = this.#begin(bytes);
    }
    return this.#encoding === undefined
      ? this.#decodeLines(bytes, isEnd)
      : this.#decodeAs(this.#encoding, bytes, isEnd);
  }

  #begin(bytes: Buffer): Buffer {
    this.#hasBegun = true;
    const beginning = judgeBeginning(bytes);
    if (beginning === null) return bytes;
    if (beginning.encoding !== 'utf-8') this.#encoding ??= beginning.encoding;
    // A UTF-8 mark is never text; a UTF-16 mark under another set encoding stays visible.
    const isMark = beginning.encoding === 'utf-8' || beginning.encoding === this.#encoding;
    return isMark ? bytes.subarray(beginning.markBytes) : bytes;
  }

  #decodeAs(encoding: string, bytes: Buffer, isEnd: boolean): TextChunk {
    if (encoding === 'windows-1252') return plain(decodeWindows1252(bytes));
    if (encoding === 'utf-8') {
      const cut = bytes.length - (isEnd ? 0 : countUnfinishedUtf8(bytes));
      this.#rest = bytes.subarray(cut);
      return decodeUtf8(bytes.subarray(0, cut));
    }
    this.#decoder ??= new TextDecoder(encoding, { ignoreBOM: true });
    const text = this.#decoder.decode(bytes, { stream: !isEnd });
    return { text, hasInvalidBytes: text.includes('\uFFFD') };
  }

  #decodeLines(bytes: Buffer, isEnd: boolean): TextChunk {
    const cut = isEnd ? bytes.length : endOfLines(bytes);
    this.#rest = bytes.subarray(cut);
    const whole = bytes.subarray(0, cut);
    if (isUtf8(whole)) {
      this.#countUtf8(whole);
      return decodeUtf8(whole);
    }
    let text = '';
    let hasInvalidBytes = false;
    for (let at = 0; at < whole.length; ) {
      const end = whole.indexOf(LINE_END, at);
      const line = whole.subarray(at, end === -1 ? whole.length : end + 1);
      at += line.length;
      const decoded = this.#decodeLine(line);
      text += decoded.text;
      hasInvalidBytes ||= decoded.hasInvalidBytes;
    }
    return { text, hasInvalidBytes };
  }

  #decodeLine(line: Buffer): TextChunk {
    if (isUtf8(line) || !isWindows1252(line)) {
      this.#countUtf8(line);
      return decodeUtf8(line);
    }
    const text = decodeWindows1252(line);
    const lines = this.#lines;
    const number = lines.ended + 1;
    lines.ended += line.at(-1) === LINE_END ? 1 : 0;
    lines.others += 1;
    lines.firstOther ||= number;
    if (lines.odd === 0 && NOT_WINDOWS_1252.test(text)) lines.odd = number;
    return plain(text);
  }

  #countUtf8(bytes: Buffer): void {
    let isBeyond = false;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (byte >= 0x80) isBeyond = true;
      else if (byte === LINE_END) {
        this.#lines.ended += 1;
        this.#lines.utf8 += isBeyond ? 1 : 0;
        isBeyond = false;
      }
    }
    this.#lines.utf8 += isBeyond ? 1 : 0;
  }
}

/** The number of bytes that can be judged without the next ones. */
function endOfLines(bytes: Buffer): number {
  const lineEnd = bytes.lastIndexOf(LINE_END) + 1;
  const rest = bytes.subarray(lineEnd);
  if (isAscii(rest)) return bytes.length;
  return rest.length < LINE_BYTES_MAX ? lineEnd : bytes.length - countUnfinishedUtf8(bytes);
}

function decodeUtf8(bytes: Buffer): TextChunk {
  if (isAscii(bytes)) return plain(bytes.toString('latin1'));
  return { text: UTF8.decode(bytes), hasInvalidBytes: !isUtf8(bytes) };
}

function plain(text: string): TextChunk {
  return { text, hasInvalidBytes: false };
}

function joinBytes(rest: Buffer, chunk: Uint8Array): Buffer {
  if (rest.length > 0) return Buffer.concat([rest, chunk]);
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
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

/** A chunk of text for each chunk of bytes, without empty ones. `onGuess` is called whenever there is a guess. */
export async function* readText(
  bytes: AsyncIterable<Uint8Array>,
  encoding?: string,
  onGuess: (guess: Guess) => void = () => undefined,
): AsyncGenerator<TextChunk> {
  const decoder = new StreamDecoder(encoding);
  const tell = () => {
    const { guess } = decoder;
    if (guess !== undefined) onGuess(guess);
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
