// The file beside a run's tables: the lines that could not become leads. That of an earlier run goes where this one has
// none.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { REJECT_COLUMNS } from '../../model/columns/output-columns.js';
import type { OutputPlan, Run } from '../../model/run.js';
import { openTableWriter } from '../../output/open-table-writer.js';
import { outputProblem } from '../../output/output-problem.js';
import { rejectsPath } from '../../output/target-file.js';
import type { Store } from '../../ports/store/store.js';
import { exportRejects } from '../../run/export.js';
import { isOwn } from '../files/own-files.js';
import { placeOf } from '../files/target.js';
import { noting } from './write-tables.js';

export async function writeRejects(
  store: Store,
  run: Run,
  output: OutputPlan,
  path: string,
): Promise<void> {
  const writer = await openTableWriter(path, REJECT_COLUMNS, {
    ...output,
    standardOutput: new Writable(),
    onReady: noting(store, run, 'rejects'),
  });
  await exportRejects(store, run, writer);
}

/** Removes the rejects of an earlier run or export, which must not stay beside this run's table. */
export async function removeRejects(
  store: Store,
  { job, sources }: Run,
  out: string,
): Promise<void> {
  const path = rejectsPath(out);
  if (path === null || !existsSync(path)) return;
  if (!(await isOwn({ path, purpose: 'rejects' }, { job, sources }, store))) return;
  const place = placeOf(path);
  try {
    await rm(path, { force: true });
  } catch (cause) {
    throw outputProblem(path, cause);
  }
  await store.noteWritten(place, null);
}
