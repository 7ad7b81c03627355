// The next run of a job, as it would begin now: its terms, its plan, the run that it would continue, and its input. For
// a drop folder the inputs of all runs over its new files.
import { Readable } from 'node:stream';
import type { Dialect } from '../../dialect/dialect.js';
import { isDropFolder } from '../../input/sources/drop-folder.js';
import type { Store } from '../../ports/store/store.js';
import { accountOf } from '../platform/account.js';
import { askingTermsIn, termsDigest } from '../run/asking-terms.js';
import { findContinued } from '../run/begin/open-run.js';
import type { Environment } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';
import { systemClock } from '../system-clock.js';
import { lookIntoDrop, notDone, type Portion, portionsOf, readNothing } from './drop-portions.js';
import { planRun } from './plan-run.js';
import { readInput } from './read-input.js';

interface NextWish {
  readonly dialect: Dialect;
  readonly environment: Environment;
  readonly startedAt: number;
  readonly standardInput: AsyncIterable<Uint8Array> | undefined;
  readonly again: boolean;
  readonly verify: boolean;
}

/**
 * Its terms and plan, the run that it would continue, and the inputs, one for each run.
 * @throws SluiceError for an input that cannot be read, or lacks a column that the job names
 */
export async function planNextRun(
  settings: JobSettings,
  store: Store,
  { again, dialect, environment, startedAt, standardInput = Readable.from([]), verify }: NextWish,
) {
  const account = await accountOf({ settings, dialect, environment }, store);
  const terms = await askingTermsIn(store, settings, dialect, account);
  const isFolder = await isDropFolder(settings.input);
  const digest = termsDigest(settings, terms, isFolder);
  const read = { dialect, standardInput, store };
  const portions: Portion[] = [];
  if (isFolder) {
    const look = { store, clock: systemClock, termsDigest: digest, verify: verify || again };
    const found = await lookIntoDrop(settings, look);
    const fresh = again ? found.files : await notDone(found.files, settings.job, digest, store);
    for (const files of portionsOf(fresh, settings.out)) {
      portions.push({ reader: await readInput(settings, { ...read, files }), files });
    }
  } else portions.push({ reader: await readInput(settings, read) });
  const plan = await planRun(
    // Each file of a folder may have a table of its own; a plan writes none of them.
    isFolder ? { ...settings, out: undefined } : settings,
    portions[0] ?? { reader: readNothing() },
    { terms, digest, startedAt, dialect },
  );
  const readers = portions.map(({ reader }) => reader);
  return { terms, plan, open: await findContinued(store, plan), readers };
}
