// A dialect held against a file of recorded questions and answers. Nothing is sent.
import { readFile, stat } from 'node:fs/promises';
import { loadDialect } from '../../config/load-dialect.js';
import { readTranscript } from '../../dialect/transcript.js';
import { SluiceError } from '../../model/errors.js';
import type { TranscriptCheck } from '../../model/resources/transcript-check.js';
import { checkTranscript as check } from '../../platform/replay/check-transcript.js';

const FILE_BYTES_MAX = 1_024 * 1_024;

/** @throws SluiceError `usage` for a dialect or a transcript that cannot be read */
export async function checkTranscript(dialect: string, file: string): Promise<TranscriptCheck> {
  const loaded = await loadDialect(dialect);
  return check(loaded, readTranscript(await textOf(file), file));
}

async function textOf(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > FILE_BYTES_MAX) throw new Error(`it is larger than ${FILE_BYTES_MAX} bytes`);
    return await readFile(file, 'utf8');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `The transcript ${file} cannot be read: ${why}.`;
    throw new SluiceError('usage', message, { file }, { cause });
  }
}
