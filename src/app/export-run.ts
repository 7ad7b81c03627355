// Writes a run's table, and beside it the lines that could not become leads.
import { rm } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { SluiceError } from '../domain/errors.js';
import { outputColumns } from '../domain/output-columns.js';
import type { Store } from '../domain/ports/store.js';
import { REJECT_COLUMNS } from '../domain/reject-columns.js';
import type { OutputPlan, Run } from '../domain/run.js';
import { registrableDomain } from '../identity/registrable-domain.js';
import { openTableWriter } from '../output/open-table-writer.js';
import { outputProblem } from '../output/output-problem.js';
import { rejectsPath } from '../output/rejects-path.js';
import { exportRejects, exportRows } from '../pipeline/export.js';
import { shapeOf } from './job-settings.js';

export interface ExportReport {
  readonly out: string;
  readonly rows: number;
  /** Where the rejects went; null where there are none. */
  readonly rejects: string | null;
}

/** Writes what the store knows of the run at this moment. Can be repeated at any time. */
export async function exportRun(
  store: Store,
  runId: number,
  plan: Partial<OutputPlan> = {},
  standardOutput?: Writable,
): Promise<ExportReport> {
  const run = await store.findRun(runId);
  if (run === null) throw unknownRun(runId);
  const output = { ...run.output, ...plan };
  if (output.out === '-' && standardOutput === undefined) throw noStream(runId);
  const shape = shapeOf(output.positions);
  const writer = await openTableWriter(output.out, outputColumns(run.columns, shape), {
    ...output,
    standardOutput: standardOutput ?? new Writable(),
  });
  const rows = await exportRows(store, run, shape, registrableDomain, writer);
  return { out: output.out, rows, rejects: await writeRejects(store, run, output) };
}

/** The sentence for a run number that is not in the state file. */
export function unknownRun(runId: number): SluiceError {
  return new SluiceError(
    'usage',
    `There is no run ${runId} in this state file. "sluice runs" lists those there are.`,
    { run: runId },
  );
}

function noStream(runId: number): SluiceError {
  return new SluiceError(
    'usage',
    `The table of run ${runId} goes to standard output: give the stream that stands for it, or a file with out.`,
    { run: runId },
  );
}

async function writeRejects(store: Store, run: Run, output: OutputPlan): Promise<string | null> {
  const path = rejectsPath(output.out);
  if (path === null) return null;
  if (run.rejectCount === 0) {
    // An earlier run's rejects beside this run's table would say something false.
    try {
      await rm(path, { force: true });
    } catch (cause) {
      throw outputProblem(path, cause);
    }
    return null;
  }
  const writer = await openTableWriter(path, REJECT_COLUMNS, {
    ...output,
    standardOutput: new Writable(),
  });
  await exportRejects(store, run, writer);
  return path;
}
