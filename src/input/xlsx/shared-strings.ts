// The texts that the cells of a workbook share. Some workbooks have millions of them: they are read as far as they are
// needed, and those that memory should not hold wait in a temporary file.
import { closeSync, readSync } from 'node:fs';
import { openTempFile, writeTemp } from '../sources/temp-file.js';
import { TextElement } from './cell-text.js';
import type { Zip } from './open-zip.js';
import { brokenPart, type PartPlace, XmlReader } from './read-xml.js';

const BLOCK_TEXTS = 128;
const BLOCK_CHARS = 64 * 1024;
const BYTES_IN_MEMORY = 16 * 1024 ** 2;

export class SharedStrings {
  readonly #place: PartPlace;
  readonly #bytes: AsyncGenerator<Uint8Array> | undefined;
  readonly #xml: XmlReader;
  readonly #blocks = new BlockFile();
  readonly #starts: number[] = [];
  #open: string[] = [];
  #openChars = 0;
  #count = 0;

  /** Without `part`, the workbook has no such texts. */
  constructor(zip: Zip, part: string | undefined) {
    const place = { path: zip.path, part: part ?? 'xl/sharedStrings.xml' };
    this.#place = place;
    this.#bytes = part === undefined ? undefined : zip.bytes(part);
    const text = new TextElement(place, (whole) => this.#add(whole));
    this.#xml = new XmlReader(place, {
      open: (name, _attributes, depth) => {
        if (name === 'si' && depth === 2) text.begin(depth);
        else text.open(name);
      },
      text: (part) => text.add(part),
      close: (name, depth) => text.close(name, depth),
    });
  }

  /** @throws SluiceError `input` if the text of this index does not exist, and for a damaged part */
  async readTo(index: number): Promise<void> {
    while (this.#count <= index) {
      const next = await this.#bytes?.next();
      if (next === undefined) throw brokenPart(this.#place, 'is missing');
      if (next.done) throw brokenPart(this.#place, 'lacks texts that its cells point to');
      this.#xml.write(next.value);
    }
  }

  at(index: number): string {
    const openFrom = this.#count - this.#open.length;
    if (index >= openFrom) return this.#open[index - openFrom] ?? '';
    const block = findBlock(this.#starts, index);
    return this.#blocks.read(block, index - (this.#starts[block] ?? 0));
  }

  async close(): Promise<void> {
    this.#blocks.close();
    await this.#bytes?.return(undefined);
  }

  #add(text: string): void {
    this.#open.push(text);
    this.#openChars += text.length;
    this.#count += 1;
    if (this.#open.length < BLOCK_TEXTS && this.#openChars < BLOCK_CHARS) return;
    this.#starts.push(this.#count - this.#open.length);
    this.#blocks.add(this.#open);
    this.#open = [];
    this.#openChars = 0;
  }
}

function findBlock(starts: readonly number[], index: number): number {
  let [from, to] = [0, starts.length - 1];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if ((starts[middle] ?? 0) <= index) from = middle;
    else to = middle - 1;
  }
  return from;
}

/** Blocks of texts: the last used ones in memory, the others in a file that is made on demand. */
class BlockFile {
  readonly #inMemory = new Map<number, Buffer>();
  #bytesInMemory = 0;
  #last = -1;
  #count = 0;
  #fd: number | undefined;
  #fileBytes = 0;
  readonly #places = new Map<number, { readonly at: number; readonly length: number }>();

  add(texts: readonly string[]): void {
    this.#keep(this.#count, pack(texts));
    this.#count += 1;
  }

  read(block: number, index: number): string {
    return unpackOne(this.#blockOf(block), index);
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #blockOf(block: number): Buffer {
    const known = this.#inMemory.get(block);
    if (known !== undefined) {
      if (block === this.#last) return known;
      // The last block in the map is the one that was used last.
      this.#inMemory.delete(block);
      this.#inMemory.set(block, known);
      this.#last = block;
      return known;
    }
    const { at, length } = this.#places.get(block) ?? { at: 0, length: 0 };
    const bytes = Buffer.allocUnsafe(length);
    if (this.#fd !== undefined) readSync(this.#fd, bytes, 0, length, at);
    this.#keep(block, bytes);
    return bytes;
  }

  #keep(block: number, bytes: Buffer): void {
    this.#inMemory.set(block, bytes);
    this.#last = block;
    this.#bytesInMemory += bytes.length;
    for (const [old, oldBytes] of this.#inMemory) {
      if (this.#bytesInMemory <= BYTES_IN_MEMORY || old === block) return;
      this.#inMemory.delete(old);
      this.#bytesInMemory -= oldBytes.length;
      if (!this.#places.has(old)) this.#write(old, oldBytes);
    }
  }

  #write(block: number, bytes: Buffer): void {
    this.#fd ??= openTempFile();
    writeTemp(this.#fd, bytes, this.#fileBytes);
    this.#places.set(block, { at: this.#fileBytes, length: bytes.length });
    this.#fileBytes += bytes.length;
  }
}

/** A block as bytes: the number of texts, the end of each, and the texts in UTF-8. */
function pack(texts: readonly string[]): Buffer {
  const encoded = texts.map((text) => Buffer.from(text));
  const head = Buffer.allocUnsafe(4 * (texts.length + 1));
  let end = head.length;
  head.writeUInt32LE(end, 0);
  for (const [index, bytes] of encoded.entries()) {
    end += bytes.length;
    head.writeUInt32LE(end, 4 * (index + 1));
  }
  return Buffer.concat([head, ...encoded], end);
}

function unpackOne(block: Buffer, index: number): string {
  return block.toString('utf8', block.readUInt32LE(4 * index), block.readUInt32LE(4 * (index + 1)));
}
