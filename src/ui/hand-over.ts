// Hands a link to the browser. Every user of a machine sees the arguments of its programs, so the program that opens
// the browser is given a file, which this user alone may read and which leads on.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { folderBeside } from '../app/state/state-file.js';
import { SluiceError } from '../model/errors.js';
import { leadingPage } from './layout.js';

export interface HandedOver {
  readonly file: string;
  /** Removes the file. Idempotent. Never throws. */
  readonly remove: () => void;
}

/**
 * Writes the file beside the state, not in the folder for temporary files: a browser may have one of its own.
 * @throws SluiceError `output` if it cannot be written
 */
export function handOver(state: string, link: string): HandedOver {
  const folder = resolve(folderBeside(state));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // The folder has mode 0700.
    const own = mkdtempSync(join(folder, 'open-'));
    const remove = (): void => {
      try {
        rmSync(own, { recursive: true, force: true });
      } catch {
        // A file that stays leads nowhere after a minute.
      }
    };
    const file = join(own, 'pages.html');
    try {
      writeFileSync(file, String(leadingPage(link)), { mode: 0o600 });
    } catch (cause) {
      remove();
      throw cause;
    }
    return { file, remove };
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    throw new SluiceError(
      'output',
      `The file for the browser cannot be written in ${folder} (${code}): open the link yourself.`,
      { path: folder, errno: code },
      { cause },
    );
  }
}
