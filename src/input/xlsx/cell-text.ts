// The text of a cell from a workbook's XML: in runs of different fonts, with hints for its pronunciation beside it, and
// with characters that XML cannot hold written as _x000D_.
import { RECORD_CHARS_MAX } from '../record-parser.js';
import { brokenPart, type PartPlace } from './read-xml.js';

/** Joins the `t` elements below an `si` or `is` element, and leaves out those of `rPh`. */
export class TextElement {
  readonly #place: PartPlace;
  readonly #whole: (text: string) => void;
  /** The depth of the element itself; 0 if none is open. */
  #depth = 0;
  #isText = false;
  #isPhonetic = false;
  #text = '';

  constructor(place: PartPlace, whole: (text: string) => void) {
    this.#place = place;
    this.#whole = whole;
  }

  begin(depth: number): void {
    this.#depth = depth;
    this.#text = '';
    this.#isText = false;
    this.#isPhonetic = false;
  }

  open(name: string): void {
    if (this.#depth === 0) return;
    if (name === 'rPh') this.#isPhonetic = true;
    else if (name === 't') this.#isText = !this.#isPhonetic;
  }

  add(text: string): void {
    if (!this.#isText) return;
    this.#text += text;
    if (this.#text.length > RECORD_CHARS_MAX) {
      throw brokenPart(this.#place, 'has a text without an end');
    }
  }

  close(name: string, depth: number): void {
    if (this.#depth === 0) return;
    if (name === 't') this.#isText = false;
    else if (name === 'rPh') this.#isPhonetic = false;
    else if (depth === this.#depth) {
      this.#depth = 0;
      this.#whole(unescapeText(this.#text));
    }
  }
}

const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;

/** Replaces `_x000D_` by its character; half a character becomes U+FFFD. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text
    .replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .toWellFormed();
}
