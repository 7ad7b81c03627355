import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { errnoOf, SluiceError } from '../../model/errors.js';

const CHUNK_BYTES = 256 * 1024;

/**
 * The loop is our own, because leaving it must close the handle for certain.
 * @throws SluiceError `input` if opening or reading fails
 */
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

export function describeFileError(path: string, cause: unknown): SluiceError {
  const code = errnoOf(cause) ?? 'unknown error';
  return new SluiceError('input', sentenceFor(path, code), {}, { cause });
}

function sentenceFor(path: string, code: string): string {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `There is no input file ${path}; check its name and the folder you start from.`;
    case 'EISDIR':
      return `The input ${path} is a folder; name a file in it, or a pattern such as ${path}/*.csv.`;
    case 'EACCES':
    case 'EPERM':
      return `The input file ${path} may not be read by this user; change its permissions or copy it.`;
    default:
      return `The input file ${path} could not be read (${code}); check the disk and try again.`;
  }
}

/** @throws SluiceError `input` if the file cannot be read */
export async function digestFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of fileBytes(path)) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * The same bytes. If another program writes to the file while it is read, reading ends in an error.
 * @throws SluiceError `input` at the end, if the bytes do not have the digest
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
  if (hash.digest('hex') !== digest) throw changedWhileRead(path);
}

/** @throws SluiceError `input` if the file has another digest by now */
export async function checkDigest(path: string, digest: string): Promise<void> {
  if ((await digestFile(path)) !== digest) throw changedWhileRead(path);
}

function changedWhileRead(path: string): SluiceError {
  return new SluiceError(
    'input',
    `The input file ${path} was changed while it was read; it does not count as done, and the next run reads it again. Write files under another name, and rename them when they are complete.`,
  );
}
