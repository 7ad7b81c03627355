// Tells whether files are still the ones that were read before, without reading them.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describeFileError } from './file-error.js';
import type { Source } from './open-source.js';

/**
 * Path, size and modification time of each file; null where one of the sources is a pipe.
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
