// Packed input, recognised by its first bytes whatever its name: gzip is unpacked, and anything that is not text is
// refused.
import { finished } from 'node:stream/promises';
import { createGunzip, type Gunzip, type InflateRaw, type ZlibOptions } from 'node:zlib';
import { SluiceError } from '../../model/errors.js';
import { refuseBinary } from './foreign-file.js';
import { nameSource } from './source-name.js';

const MAGIC_BYTES = 4;
// Gzip can grow a thousandfold, so this also bounds the unpacked bytes of one slice: 16 MiB.
const PACKED_SLICE_BYTES = 16 * 1024;
const UNPACKED_CHUNK_BYTES = 256 * 1024;

type Unpacker = Gunzip | InflateRaw;

/** @throws SluiceError `input` for broken gzip, and for bytes that are not text (see `refuseBinary`) */
export async function* unpackBytes(
  path: string,
  packed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const chunks = gatherAtLeast(MAGIC_BYTES, packed);
  try {
    const first = await chunks.next();
    if (first.done) return;
    const whole = startWith(first.value, chunks);
    yield* isGzip(first.value) ? gunzip(path, whole) : lookedAt(path, whole);
  } finally {
    // A generator that was never started does not clean up, so the started one is closed here.
    await chunks.return(undefined);
  }
}

async function* gunzip(
  path: string,
  packed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    const unpacked = unpackSlices(createGunzip, packed);
    yield* lookedAt(path, gatherAtLeast(MAGIC_BYTES, unpacked));
  } catch (cause) {
    throw cause instanceof SluiceError ? cause : brokenGzipError(path, cause);
  }
}

async function* lookedAt(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst) refuseBinary(path, chunk);
    isFirst = false;
    yield chunk;
  }
}

/**
 * It takes nothing from its source ahead of time: leaving must not wait for a silent pipe.
 * @throws Error of zlib for broken data
 */
export async function* unpackSlices(
  create: (options: ZlibOptions) => Unpacker,
  packed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const unpacker = create({ chunkSize: UNPACKED_CHUNK_BYTES });
  const unpacked: Uint8Array[] = [];
  unpacker.on('data', (chunk: Uint8Array) => unpacked.push(chunk));
  try {
    for await (const chunk of packed) {
      for (let at = 0; at < chunk.length; at += PACKED_SLICE_BYTES) {
        await writeSlice(unpacker, chunk.subarray(at, at + PACKED_SLICE_BYTES));
        yield* unpacked.splice(0);
      }
    }
    unpacker.end();
    await finished(unpacker);
    yield* unpacked.splice(0);
  } finally {
    unpacker.destroy();
  }
}

function writeSlice(unpacker: Unpacker, slice: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    // Broken data is reported by an event alone; the callback of its write never comes.
    unpacker.once('error', reject);
    unpacker.write(slice, (error) => {
      if (error) return reject(error);
      unpacker.off('error', reject);
      resolve();
    });
  });
}

async function* startWith(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function brokenGzipError(path: string, cause: unknown): SluiceError {
  return new SluiceError(
    'input',
    `${nameSource(path)} is broken gzip, or its end is missing; fetch or pack it again.`,
    {},
    { cause },
  );
}

/** The same bytes; the first chunk holds at least `bytesMin`, unless the stream is shorter. */
async function* gatherAtLeast(
  bytesMin: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let first: Uint8Array | null = new Uint8Array(0);
  for await (const chunk of chunks) {
    if (first === null) {
      yield chunk;
      continue;
    }
    first = first.length === 0 ? chunk : Buffer.concat([first, chunk]);
    if (first.length < bytesMin) continue;
    yield first;
    first = null;
  }
  if (first !== null && first.length > 0) yield first;
}
