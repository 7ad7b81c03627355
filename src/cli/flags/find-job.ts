// Which job "JOB or RUN" means: the job of that run, or the job of that name, which must have run.
import { basename, extname } from 'node:path';
import { SluiceError } from '../../model/errors.js';
import type { Store } from '../../ports/store/store.js';
import { findRun } from '../open-state.js';

/** @throws SluiceError `usage` where there is no such run, and nothing has run under that name */
export async function findJob(store: Store, path: string, text: string): Promise<string> {
  if (/^\d+$/.test(text)) return (await findRun(store, path, Number(text))).job;
  // A job file is named by its path as well.
  const names = [text, basename(text, extname(text))];
  for (const name of names) if (await store.hasRun(name)) return name;
  throw new SluiceError(
    'usage',
    `No job ${text} has run with the state file ${path} yet. "sluice runs" lists the jobs that have.`,
    { path },
  );
}
