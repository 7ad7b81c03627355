// What a file is known by, whatever its name: the SHA-256 of its bytes, as they lie there.
import { createHash } from 'node:crypto';
import { SluiceError } from '../../model/errors.js';
import { fileBytes } from './file-bytes.js';

/** In hex. @throws SluiceError `input` where the file cannot be read */
export async function digestFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of fileBytes(path)) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * The same bytes. Somebody may write to the file while it is read: then its end is an error, and not the end.
 * @throws SluiceError `input` at the end, where the bytes were others than the digest says
 */
export async function* sameBytes(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  digest: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') === digest) return;
  throw new SluiceError(
    'input',
    `The input file ${path} was changed while it was read; it does not count as done, and the next run reads it anew. Write files under another name, and rename them when they are whole.`,
    { path },
  );
}
