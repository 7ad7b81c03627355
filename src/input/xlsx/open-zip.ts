// A zip archive as named parts, unpacked as they are read. The sizes in its directory are checked, never trusted.
import { read } from 'node:fs';
import { promisify } from 'node:util';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import { SluiceError } from '../../model/errors.js';
import { describeFileError } from '../sources/file-bytes.js';
import { tooMuchToLookAt, type WholeFile } from '../sources/open-source.js';
import { nameSource } from '../sources/source-name.js';
import { unpackSlices } from '../sources/unpack-bytes.js';
import { brokenPart } from './read-xml.js';

/** The limit for parts: a workbook with many pictures has hundreds. */
const PARTS_MAX = 10_000;
const PACKED_CHUNK_BYTES = 64 * 1024;
// A million equal rows shrink to a hundredth; a zip bomb shrinks to a thousandth.
const RATIO_MAX = 300;
const UNPACKED_ANYWAY_BYTES = 64 * 1024 ** 2;
const UNPACKED_MAX_BYTES = 16 * 1024 ** 3;

export interface Zip {
  readonly path: string;
  /** Whether it has the part; names are compared without regard to case, as in spreadsheet programs. */
  has(part: string): boolean;
  /** @throws SluiceError `input` if the part is missing or damaged, or unpacks to far more than it should */
  bytes(part: string): AsyncGenerator<Uint8Array>;
}

/** The caller closes the file. @throws SluiceError `input` if the directory is damaged */
export async function openZip(path: string, { fd, unpackedMax }: WholeFile): Promise<Zip> {
  const entries = new Map<string, Entry>();
  const zip = await fromFdPromise(fd, { autoClose: false }).catch((cause: unknown) => {
    throw brokenZip(path, cause);
  });
  if (zip.entryCount > PARTS_MAX) throw brokenZip(path, `${zip.entryCount} parts`);
  for await (const entry of entriesOf(path, zip)) {
    const name = entry.fileName.toLowerCase();
    if (entries.has(name)) throw brokenPart({ path, part: entry.fileName }, 'is there twice');
    entries.set(name, entry);
  }
  let left = unpackedMax;
  const take = (bytes: number): void => {
    left -= bytes;
    if (left < 0) throw tooMuchToLookAt(path, unpackedMax);
  };
  return {
    path,
    has: (part) => entries.has(part.toLowerCase()),
    bytes: (part) => {
      const entry = entries.get(part.toLowerCase());
      if (entry === undefined) throw brokenPart({ path, part }, 'is missing');
      return partBytes({ path, part }, { fd, zip, entry, take });
    },
  };
}

async function* entriesOf(path: string, zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (cause) {
    throw brokenZip(path, cause);
  }
}

interface PackedPart {
  readonly fd: number;
  readonly zip: ZipFile;
  readonly entry: Entry;
  readonly take: (bytes: number) => void;
}

async function* partBytes(
  place: { readonly path: string; readonly part: string },
  packed: PackedPart,
): AsyncGenerator<Uint8Array> {
  const { compressionMethod, compressedSize, uncompressedSize } = packed.entry;
  if (packed.entry.isEncrypted()) throw lockedZip(place.path);
  if (uncompressedSize > bytesMax(compressedSize)) throw tooLarge(place);
  const damaged = (cause?: unknown) => brokenPart(place, 'is damaged', cause);
  let size = 0;
  let sum = 0;
  try {
    for await (const chunk of unpack(compressionMethod, packedBytes(place.path, packed))) {
      size += chunk.length;
      packed.take(chunk.length);
      if (size > uncompressedSize) throw tooLarge(place);
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (cause) {
    throw cause instanceof SluiceError ? cause : damaged(cause);
  }
  if (size !== uncompressedSize || sum !== packed.entry.crc32) throw damaged();
}

function bytesMax(packedBytes: number): number {
  return Math.min(UNPACKED_MAX_BYTES, Math.max(UNPACKED_ANYWAY_BYTES, packedBytes * RATIO_MAX));
}

function unpack(method: number, packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (method === STORED) return packed;
  if (method === DEFLATED) return unpackSlices(createInflateRaw, packed);
  throw new Error(`compression method ${method}`);
}

const STORED = 0;
const DEFLATED = 8;
const readAt = promisify(read);

async function* packedBytes(
  path: string,
  { fd, zip, entry }: PackedPart,
): AsyncGenerator<Uint8Array> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  for (let done = 0; done < entry.compressedSize; ) {
    const length = Math.min(PACKED_CHUNK_BYTES, entry.compressedSize - done);
    const chunk = Buffer.allocUnsafe(length);
    const { bytesRead } = await readAt(fd, chunk, 0, length, fileDataStart + done).catch(
      (cause: unknown) => {
        throw describeFileError(path, cause);
      },
    );
    if (bytesRead === 0) throw new Error('the file ends early');
    done += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

function brokenZip(path: string, cause: unknown): SluiceError {
  return new SluiceError(
    'input',
    `${nameSource(path)} is a workbook or zip archive that is damaged, or its end is missing; fetch it again, or open it in a spreadsheet program and save it again.`,
    {},
    { cause },
  );
}

function tooLarge(place: { readonly path: string; readonly part: string }): SluiceError {
  return brokenPart(place, 'unpacks to far more than it should');
}

function lockedZip(path: string): SluiceError {
  return new SluiceError(
    'input',
    `${nameSource(path)} is a zip archive with a password; save it without one.`,
  );
}
