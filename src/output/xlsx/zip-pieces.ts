import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { ZipFile } from 'yazl';

/** Level 1 is three times as fast as level 6, for a file that is a quarter larger. */
const DEFLATE_LEVEL = 1;

export interface ZipPieces {
  /** Adds a small entry, not compressed. */
  add(path: string, text: string): void;
  /** Opens a large entry; later entries follow when it has ended. */
  open(path: string): ZipEntry;
  /** The bytes that have come out since the last call. */
  take(): Uint8Array;
  /** Takes the rest, once every entry has ended. */
  end(): Promise<Uint8Array>;
}

export interface ZipEntry {
  /** Resolves when there is room for more. */
  write(bytes: Buffer): Promise<void>;
  end(): void;
}

export function openZipPieces(): ZipPieces {
  // The time is fixed, so that the same table always gives the same bytes.
  const options = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };
  const zip = new ZipFile();
  let pieces: Buffer[] = [];
  zip.outputStream.on('data', (piece: Buffer) => {
    pieces.push(piece);
  });
  const take = (): Buffer => {
    const taken = Buffer.concat(pieces);
    pieces = [];
    return taken;
  };
  return {
    add(path, text) {
      zip.addBuffer(Buffer.from(text), path, { ...options, compress: false });
    },
    open(path) {
      const stream = new PassThrough();
      zip.addReadStream(stream, path, { ...options, compressionLevel: DEFLATE_LEVEL });
      return {
        async write(bytes) {
          if (!stream.write(bytes)) await once(stream, 'drain');
        },
        end: () => stream.end(),
      };
    },
    take,
    async end() {
      zip.end();
      await once(zip.outputStream, 'end');
      return take();
    },
  };
}
