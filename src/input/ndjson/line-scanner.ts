// Cuts text into physical lines of bounded length, for formats with one record a line.
import { cutRaw } from '../cut-raw.js';

export interface ScannedLine {
  readonly line: number;
  readonly text: string;
  /** True where the line is longer than the limit; `text` is then its beginning. */
  readonly isTooLong: boolean;
}

/** `push` text, take lines with `next` until it says null, and at last `end` and take the rest. */
export class LineScanner {
  readonly #lineCharsMax: number;
  #text = '';
  #at = 0;
  #searchFrom = 0;
  #line = 1;
  #isSkipping = false;
  #isEnd = false;

  constructor(lineCharsMax: number) {
    this.#lineCharsMax = lineCharsMax;
  }

  /** Whether text of earlier chunks waits for its line to end. */
  get hasRemainder(): boolean {
    return this.#at < this.#text.length;
  }

  push(text: string): void {
    const remainder = this.#text.slice(this.#at);
    this.#text = remainder + text;
    this.#searchFrom = remainder.length;
    this.#at = 0;
  }

  end(): void {
    this.#isEnd = true;
  }

  /** The next line that is not blank; null where more text is needed, or all was read. */
  next(): ScannedLine | null {
    while (this.hasRemainder) {
      const found = this.#text.indexOf('\n', Math.max(this.#at, this.#searchFrom));
      const stop = found === -1 ? this.#text.length : found;
      const isTooLong = stop - this.#at > this.#lineCharsMax;
      const isWhole = found !== -1 || this.#isEnd;
      if (!isWhole && !isTooLong && !this.#isSkipping) return null;
      const text = this.#isSkipping ? '' : this.#text.slice(this.#at, stop);
      const line = this.#line;
      this.#at = isWhole ? stop + 1 : stop;
      this.#line += isWhole ? 1 : 0;
      this.#isSkipping = !isWhole;
      if (isTooLong && text !== '') return { line, text: cutRaw(text), isTooLong };
      if (text.trim() !== '') return { line, text: text.trimEnd(), isTooLong };
    }
    return null;
  }
}
