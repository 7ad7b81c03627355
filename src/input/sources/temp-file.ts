// A temporary file that no one else can open, and that is gone when it is closed or the process ends in any way.
import { randomUUID } from 'node:crypto';
import { openSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errnoOf, SluiceError } from '../../model/errors.js';

/** Returns its descriptor. @throws SluiceError `input` if none can be made */
export function openTempFile(): number {
  const path = join(tmpdir(), `sluice-${randomUUID()}`);
  return told(() => {
    const fd = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return fd;
  });
}

/** Writes all of it. @throws SluiceError `input` on a full disk and the like */
export function writeTemp(fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += told(() => writeSync(fd, bytes, done, bytes.length - done, position + done));
  }
}

function told<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const code = errnoOf(cause) ?? 'unknown error';
    throw new SluiceError(
      'input',
      `A spreadsheet needs a temporary file, and ${tmpdir()} took none (${code}); free some space there, or set TMPDIR to another folder.`,
      {},
      { cause },
    );
  }
}
