// Makes a file for the browser from the state, piece by piece as it is read. No file on this machine changes.
import { once } from 'node:events';
import { addAbortSignal, PassThrough, type Writable } from 'node:stream';
import { SluiceError } from '../model/errors.js';
import { fileStem } from '../model/text/file-label.js';
import { ClosedPipe } from '../output/standard-output.js';
import type { Store } from '../ports/store/store.js';
import { memoryOf, patientStore } from './memory.js';
import type { Download, UiContext } from './page.js';
import type { Visit } from './server/routes.js';
import { droppedName } from './try/uploads.js';

/** The number of files at a time: each holds some rows in memory, and a comparison the keys of a run. */
const FILES_AT_ONCE = 4;

/**
 * Makes a file. Resolves with the first bytes, so that a failure is shown as a page with the reason. `write` is given a
 * store that reads no further once the browser has gone; it does not end the stream.
 * @throws SluiceError `busy` if several files are being made already
 */
export async function makeFile(
  context: UiContext,
  { gone }: Pick<Visit, 'gone'>,
  file: Omit<Download, 'body'>,
  write: (store: Store, body: Writable) => Promise<unknown>,
): Promise<Download> {
  const { files } = memoryOf(context);
  if (files.size >= FILES_AT_ONCE) {
    throw new SluiceError(
      'busy',
      `${FILES_AT_ONCE} files are being made for browsers already. Try again when one of them is done.`,
    );
  }
  const body = new PassThrough();
  files.add(body);
  body.once('close', () => files.delete(body));
  // The reader of the stream gets the error; until then it must not end the process.
  body.on('error', () => undefined);
  // The browser may go before there is anything to send.
  addAbortSignal(gone, body);
  const store = patientStore(context.store, () => {
    if (body.destroyed) throw new ClosedPipe();
  });
  const begun = once(body, 'readable');
  write(store, body).then(
    () => body.end(),
    (error: Error) => body.destroy(error),
  );
  await begun;
  return { ...file, body };
}

/** The beginning of its files' names: the name of the file that was dropped for the job, or that of the job. */
export function stemOf({ state }: Pick<UiContext, 'state'>, job: string): string {
  return fileStem(droppedName(state, job) ?? '') || job;
}
