// Reads the XML of a workbook's part, event by event. Everything that can grow without end is bounded here: text, tags,
// and their depth.
import { SaxesParser } from 'saxes';
import { SluiceError } from '../../model/errors.js';
import { judgeBeginning } from '../judge-encoding.js';
import { nameSource } from '../sources/source-name.js';
import { StreamDecoder } from '../stream-decoder.js';

export interface PartPlace {
  readonly path: string;
  readonly part: string;
}

export type Attributes = Readonly<Record<string, string>>;

/**
 * Handlers of events. Names come without their prefix, because programs choose it freely. The outermost element has the
 * depth 1.
 */
export interface XmlHandlers {
  open(name: string, attributes: Attributes, depth: number): void;
  text?(text: string): void;
  close?(name: string, depth: number): void;
}

/** The limit for a text: far more than the 32,767 characters of a cell, written as entities. */
const EVENT_CHARS_MAX = 4 * 1024 * 1024;
const DEPTH_MAX = 100;

/** Takes bytes as they come, and calls the handlers before `write` returns. */
export class XmlReader {
  readonly #place: PartPlace;
  readonly #parser = new SaxesParser<{ xmlns: false; position: boolean }>({
    xmlns: false,
    position: false,
  });
  #decoder: StreamDecoder | undefined;
  #charsSinceEvent = 0;
  #depth = 0;

  constructor(place: PartPlace, handlers: XmlHandlers) {
    this.#place = place;
    this.#parser.on('error', (cause) => {
      throw brokenPart(place, 'is broken XML', cause);
    });
    // Own entities of a document could grow without end.
    this.#parser.on('doctype', () => {
      throw brokenPart(place, 'has a DTD, which no spreadsheet program writes');
    });
    this.#parser.on('opentag', ({ name, attributes }) => {
      this.#charsSinceEvent = 0;
      this.#depth += 1;
      if (this.#depth > DEPTH_MAX) throw brokenPart(place, 'is nested too deeply');
      handlers.open(localName(name), attributes, this.#depth);
    });
    this.#parser.on('text', (text) => {
      handlers.text?.(text);
    });
    this.#parser.on('cdata', (text) => {
      handlers.text?.(text);
    });
    this.#parser.on('closetag', ({ name }) => {
      this.#charsSinceEvent = 0;
      handlers.close?.(localName(name), this.#depth);
      this.#depth -= 1;
    });
  }

  /** @throws SluiceError `input` for broken XML, and for text or a tag without an end */
  write(bytes: Uint8Array): void {
    // The standard allows UTF-8 and UTF-16; the beginning tells them apart.
    this.#decoder ??= new StreamDecoder(judgeBeginning(bytes)?.encoding ?? 'utf-8');
    this.#take(this.#decoder.write(bytes));
  }

  end(): void {
    if (this.#decoder !== undefined) this.#take(this.#decoder.end());
    this.#parser.close();
  }

  #take({ text, hasInvalidBytes }: { text: string; hasInvalidBytes: boolean }): void {
    if (hasInvalidBytes && text.includes('\uFFFD')) {
      throw brokenPart(this.#place, 'has bytes that are no text');
    }
    this.#charsSinceEvent += text.length;
    this.#parser.write(text);
    if (this.#charsSinceEvent > EVENT_CHARS_MAX) {
      throw brokenPart(this.#place, 'has a text without an end');
    }
  }
}

/** @throws SluiceError `input` if it is broken */
export async function readXml(
  bytes: AsyncIterable<Uint8Array>,
  place: PartPlace,
  handlers: XmlHandlers,
): Promise<void> {
  const reader = new XmlReader(place, handlers);
  for await (const chunk of bytes) reader.write(chunk);
  reader.end();
}

/** The value of an attribute, under any prefix. */
export function attributeOf(attributes: Attributes, name: string): string | undefined {
  if (attributes[name] !== undefined) return attributes[name];
  const found = Object.keys(attributes).find((key) => localName(key) === name);
  return found === undefined ? undefined : attributes[found];
}

function localName(name: string): string {
  const at = name.indexOf(':');
  return at === -1 ? name : name.slice(at + 1);
}

const PART_CHARS_MAX = 200;

/** The `input` error for a workbook that is damaged or was written to do damage. `what` quotes nothing of it. */
export function brokenPart(place: PartPlace, what: string, cause?: unknown): SluiceError {
  const { path } = place;
  const part = place.part.slice(0, PART_CHARS_MAX);
  return new SluiceError(
    'input',
    `${nameSource(path)} is a damaged workbook: its part ${part} ${what}. Fetch it again, or open it in a spreadsheet program and save it again.`,
    {},
    { cause },
  );
}
