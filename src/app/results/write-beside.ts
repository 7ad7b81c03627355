// The files beside a run's tables: the meanings of the columns, and the lines that could not become leads. Files of an
// earlier run that this one does not have are removed.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Writable } from 'node:stream';
import type { KeyReport } from '../../model/columns/key-census.js';
import { REJECT_COLUMNS } from '../../model/columns/output-columns.js';
import { tableSchema } from '../../model/columns/table-schema.js';
import type { OutputPlan, Run } from '../../model/run.js';
import { openTableWriter } from '../../output/open-table-writer.js';
import { outputProblem } from '../../output/output-problem.js';
import { openTableFile } from '../../output/table-file.js';
import { dictionaryPath, rejectsPath } from '../../output/target-file.js';
import type { Store } from '../../ports/store/store.js';
import { exportRejects } from '../../run/export.js';
import { isOwn } from '../files/own-files.js';
import { placeOf, type Write } from '../files/target.js';
import type { LeadTables } from './lead-tables.js';
import { type NamedTable, noting } from './write-tables.js';

interface DescribedTables {
  readonly tables: LeadTables;
  readonly paths: readonly NamedTable[];
  readonly output: OutputPlan;
  readonly key: KeyReport | null;
}

/** Writes the meanings of the columns beside each table, if they are wanted. */
export async function writeDictionaries(
  store: Store,
  run: Run,
  { key, output, paths, tables }: DescribedTables,
): Promise<void> {
  const names = paths.map(({ name }) => name);
  for (const { name, path: table } of paths) {
    const path = dictionaryPath(table);
    if (path === null) continue;
    if (output.dictionary === true) {
      const schema = tableSchema(tables.columns[name], tables.keysOf(name, names, key));
      await writeDictionary(store, run, path, schema);
    } else await removeStale(store, run, { path, purpose: 'dictionary' });
  }
}

async function writeDictionary(
  store: Store,
  run: Run,
  path: string,
  schema: object,
): Promise<void> {
  const file = await openTableFile(path, noting(store, run, 'dictionary'));
  try {
    await file.write(`${JSON.stringify(schema, null, 2)}\n`);
    await file.commit();
  } finally {
    await file.discard();
  }
}

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

/** Removes the rejects of an earlier run, which must not stay beside this run's table. */
export async function removeRejects(store: Store, run: Run, out: string): Promise<void> {
  const path = rejectsPath(out);
  if (path !== null) await removeStale(store, run, { path, purpose: 'rejects' });
}

/** Removes a file of ours that an earlier run or export left beside a table. */
async function removeStale(store: Store, { job, sources }: Run, write: Write): Promise<void> {
  const { path } = write;
  if (!existsSync(path) || !(await isOwn(write, { job, sources }, store))) return;
  const place = placeOf(path);
  try {
    await rm(path, { force: true });
  } catch (cause) {
    throw outputProblem(path, cause);
  }
  await store.noteRemoved(place);
}
