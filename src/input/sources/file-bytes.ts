// A file as chunks of bytes. An own loop, since leaving it must have closed the handle for certain.
import { open } from 'node:fs/promises';
import { describeFileError } from './file-error.js';

const CHUNK_BYTES = 256 * 1024;

/** @throws SluiceError `input` where opening or reading fails */
export async function* fileBytes(path: string): AsyncGenerator<Uint8Array> {
  const fail = (cause: unknown): never => {
    throw describeFileError(path, cause);
  };
  const handle = await open(path, 'r').catch(fail);
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null).catch(fail);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
