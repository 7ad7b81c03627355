// One source of bytes: a file that can be read again, or a pipe that cannot.
import { closeSync, constants, openSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SluiceError } from '../../model/errors.js';
import { formatBytes } from '../../model/text/count.js';
import { LOOK } from '../read-options.js';
import { checkDigest, describeFileError, fileBytes, sameBytes } from './file-bytes.js';
import { nameSource, STANDARD_INPUT } from './source-name.js';
import { openTempFile, writeTemp } from './temp-file.js';
import { isGzip, unpackBytes } from './unpack-bytes.js';

export interface Source {
  /** The path as it was found, or `-`. */
  readonly path: string;
  /** True for standard input and other pipes: their bytes come at any time, and only once. */
  readonly isLive: boolean;
  /** The first bytes, unpacked; `bytes` gives them again. */
  peek(): AsyncIterable<Uint8Array>;
  /** All bytes, unpacked. Leaving the loop closes the file or stream. */
  bytes(): AsyncIterable<Uint8Array>;
  /**
   * The same bytes as a file with random access. It is opened once to look at it and once to read it.
   * @throws SluiceError `input` if it cannot be read, or a temporary file cannot hold what a pipe brings
   */
  openWhole(): Promise<WholeFile>;
}

export interface WholeFile {
  readonly fd: number;
  readonly unpackedMax: number;
  /** @throws SluiceError `input` if the bytes do not have their digest */
  verify(): Promise<void>;
  close(): void;
}

interface SourceOptions {
  /** The digest that a file's bytes must have when it is read to its end. */
  readonly digest?: string | undefined;
  /** Whether no more is read of a file than a look takes; reading further throws `input`. */
  readonly isLook?: boolean | undefined;
}

/**
 * Checks that a source can be read, and reads nothing of it yet.
 * @throws SluiceError `input` for a missing, unreadable or empty file, or a folder
 */
export async function openSource(
  path: string,
  standardInput: AsyncIterable<Uint8Array>,
  { digest, isLook = false }: SourceOptions = {},
): Promise<Source> {
  if (path === STANDARD_INPUT) return liveSource(path, standardInput);
  const facts = await stat(path).catch((cause: unknown) => {
    throw describeFileError(path, cause);
  });
  if (facts.isDirectory()) throw describeFileError(path, { code: 'EISDIR' });
  await access(path, constants.R_OK).catch((cause: unknown) => {
    throw describeFileError(path, cause);
  });
  // A named pipe or `<(…)` has a path, yet a second opening would find it empty.
  if (!facts.isFile()) return liveSource(path, fileBytes(path));
  if (facts.size === 0) throw emptySourceError(path);
  const unpacked = () => unpackBytes(path, fileBytes(path));
  const peek = () => (isLook ? atMost(LOOK.textBytesMax, path, unpacked()) : unpacked());
  const openWhole = () =>
    openWholeFile(path, digest, isLook ? LOOK.sheetBytesMax : Number.POSITIVE_INFINITY);
  if (digest === undefined) return { path, isLive: false, peek, bytes: peek, openWhole };
  const bytes = () => unpackBytes(path, sameBytes(path, fileBytes(path), digest));
  return { path, isLive: false, peek, bytes, openWhole };
}

/** Opens a file with random access; a packed one is unpacked into a temporary file. */
async function openWholeFile(
  path: string,
  digest: string | undefined,
  unpackedMax: number,
): Promise<WholeFile> {
  const first = await firstBytes(fileBytes(path));
  const unpacked = () => atMost(unpackedMax, path, unpackBytes(path, fileBytes(path)));
  const fd = isGzip(first) ? await spool(unpacked()) : openFile(path);
  const verify = async () => {
    if (digest !== undefined) await checkDigest(path, digest);
  };
  return { fd, unpackedMax, verify, close: () => closeSync(fd) };
}

async function* atMost(
  bytesMax: number,
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooMuchToLookAt(path, bytesMax);
    yield chunk;
  }
}

export function tooMuchToLookAt(path: string, bytesMax: number): SluiceError {
  return new SluiceError(
    'input',
    `${nameSource(path)} has more than ${formatBytes(bytesMax)} before the end of its first leads, which is too much to look at. Remove what is not needed: empty lines, long texts, formatted cells without content.`,
  );
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw describeFileError(path, cause);
  }
}

export async function firstBytes(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  for await (const chunk of chunks) return chunk;
  return new Uint8Array(0);
}

async function spool(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const fd = openTempFile();
  try {
    let size = 0;
    for await (const chunk of chunks) {
      writeTemp(fd, chunk, size);
      size += chunk.length;
    }
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

export function emptySourceError(path: string): SluiceError {
  return new SluiceError(
    'input',
    `${nameSource(path)} is empty; it needs a header line and one line for each lead.`,
  );
}

/** A source that can be read only once: it looks at the beginning, and `bytes` gives that again. */
function liveSource(path: string, raw: AsyncIterable<Uint8Array>): Source {
  const chunks = unpackBytes(path, raw);
  const seen: Uint8Array[] = [];
  let isTaken = false;

  /** Looks at the beginning. Leaving the loop leaves the stream open. */
  async function* peek(): AsyncGenerator<Uint8Array> {
    // Chunks that come during the look are handed out below.
    yield* seen.slice();
    for (;;) {
      const next = await chunks.next();
      if (next.done) return;
      seen.push(next.value);
      yield next.value;
    }
  }

  /** @throws SluiceError `input` the second time */
  async function* bytes(): AsyncGenerator<Uint8Array> {
    if (isTaken) throw readTwiceError(path);
    isTaken = true;
    try {
      for (let chunk = seen.shift(); chunk !== undefined; chunk = seen.shift()) yield chunk;
      for (;;) {
        const next = await chunks.next();
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await chunks.return(undefined);
    }
  }

  let spooled: Promise<number> | undefined;
  let openings = 0;
  const openWhole = async (): Promise<WholeFile> => {
    openings += 1;
    if (openings > 2) throw readTwiceError(path);
    const isLast = openings === 2;
    spooled ??= spool(bytes());
    const fd = await spooled;
    const close = () => {
      if (isLast) closeSync(fd);
    };
    const unpackedMax = Number.POSITIVE_INFINITY;
    return { fd, unpackedMax, verify: () => Promise.resolve(), close };
  };

  return { path, isLive: true, peek, bytes, openWhole };
}

function readTwiceError(path: string): SluiceError {
  return new SluiceError(
    'input',
    `${nameSource(path)} is a pipe and was read already; save it to a file to read it again.`,
  );
}

/**
 * Path, size and modification time of each. Null if one of the sources is a pipe.
 * @throws SluiceError `input` for a file that went away
 */
export async function signSources(sources: readonly Source[]): Promise<string | null> {
  if (sources.some((source) => source.isLive)) return null;
  const signed: (string | number)[][] = [];
  for (const { path } of sources) {
    const { size, mtimeMs } = await stat(path).catch((cause: unknown) => {
      throw describeFileError(path, cause);
    });
    signed.push([resolve(path), size, mtimeMs]);
  }
  return JSON.stringify(signed);
}
