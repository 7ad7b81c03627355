// Writes a run's tables from the store, with the files beside them, after everything about their places is checked.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import type { LeadAnswer } from '../../model/answer.js';
import type { KeyReport } from '../../model/columns/key-census.js';
import { REJECT_COLUMNS } from '../../model/columns/output-columns.js';
import { wrongUse } from '../../model/errors.js';
import type { WrittenTable } from '../../model/report/written-tables.js';
import type { FurtherTable, OutputPlan, Run } from '../../model/run.js';
import { openTableWriter } from '../../output/open-table-writer.js';
import { outputProblem } from '../../output/output-problem.js';
import type { FormatName } from '../../output/table-format.js';
import { rejectsPath } from '../../output/target-file.js';
import type { Store } from '../../ports/store/store.js';
import type { CellChange } from '../../ports/table-writer.js';
import { exportRejects } from '../../run/export.js';
import { checkWrites } from '../files/check-writes.js';
import { isOwn } from '../files/own-files.js';
import { refuseElsewhere } from '../files/stated-files.js';
import { placeOf, type TableFiles, tableWrites } from '../files/target.js';
import { runOf } from './run-of.js';
import { namedTables, noting, planLeadTables, writeTables } from './write-tables.js';

/** The number of leads whose cells show which columns hold objects and lists. */
const LEADS_LOOKED_AT = 100;

export interface ExportReport {
  /** The table of people; null if only others are written. */
  readonly out: string | null;
  readonly rows: number;
  /** The tables beside it. */
  readonly further: Readonly<Partial<Record<FurtherTable, WrittenTable>>>;
  /** The file of the rejects; null if there are no rejects. */
  readonly rejects: string | null;
  /** Null if the table has no key. */
  readonly key: KeyReport | null;
  /** Cells that the format of the table could not hold unchanged. */
  readonly changed: readonly CellChange[];
}

/** The differences of the table from that of its run, and its place. */
export type ExportWish = Partial<OutputPlan> & ExportOptions;

export interface ExportOptions {
  /**
   * The choice of leads with rows: an expression over the columns of the table of people, decided by a lead's first
   * row. Such a table is a part and never takes the place of the run's own, so it needs a name.
   */
  readonly where?: string | undefined;
  /** The choice of leads with rows by what is known of each; beside `where`. */
  readonly chooses?: ((lead: LeadAnswer) => boolean) | undefined;
  /** The stream of the table `-`; it is not ended. */
  readonly standardOutput?: Writable | undefined;
  /** Whether the tables stay as they are, and only the file of the rejects is written. Default: false. */
  readonly rejectsAlone?: boolean | undefined;
  /** The format of the table `-`: a file has that of its ending. Default: CSV. */
  readonly format?: FormatName | undefined;
  /**
   * Whether to replace files that Sluice did not write for the same purpose; never an input, a job or a state. Default:
   * false.
   */
  readonly force?: boolean | undefined;
  /**
   * The files that the run's job names. A name that only the state has for the run is accepted inside the folder of the
   * process, and elsewhere if it is one of these: somebody else may have made the state.
   */
  readonly stated?: TableFiles | undefined;
}

/**
 * Writes the present contents of the run in the store. Can be repeated at any time. If `plan` names tables, only those
 * are written, else all of the run's.
 * @throws SluiceError `usage` if a file must not be replaced, or only the state names a file elsewhere
 */
export async function exportRun(
  store: Store,
  runId: number,
  {
    standardOutput,
    format,
    force = false,
    rejectsAlone,
    stated = {},
    where,
    chooses,
    ...plan
  }: ExportWish = {},
): Promise<ExportReport> {
  const run = await runOf(store, runId);
  const output = { ...run.output, ...plan };
  const isOfState = plan.out === undefined && plan.further === undefined;
  const { out, further = {} } = isOfState ? run.output : plan;
  if (where !== undefined) refuseOwn(run, isOfState ? run.output : { out, further });
  if (isOfState) refuseElsewhere({ out: run.output.out, further }, stated);
  refuseStream(further);
  const rejects = out === undefined || run.rejectCount === 0 ? null : rejectsPath(out);
  const { job, sources, digests } = run;
  const wish = { job, sources, digests, run: runId, isForced: force };
  await checkWrites(tableWrites({ out, further }, rejects), wish, store);
  if (rejectsAlone === true) {
    if (rejects !== null) await writeRejects(store, run, output, rejects);
    return { out: null, rows: 0, further: {}, rejects, key: null, changed: [] };
  }
  const isJoined = (run.output.further ?? plan.further) !== undefined;
  // The run's own wishes were checked before it began.
  const isWished = [plan.columns, plan.key, plan.fill, where].some((one) => one !== undefined);
  const first = isWished ? await store.answers(run.id, { after: 0, limit: LEADS_LOOKED_AT }) : [];
  const rows = first.map(({ cells }) => cells);
  const tables = await planLeadTables(store, run, { output, isJoined, rows, where, chooses });
  const paths = namedTables({ out, further });
  const written = await writeTables(store, run, tables, { paths, output, standardOutput, format });
  if (rejects !== null) await writeRejects(store, run, output, rejects);
  else if (out !== undefined) await removeRejects(store, run, out);
  const { counts, key } = written;
  const others = paths
    .filter(({ name }) => name !== 'people')
    .map(({ name, path }) => [name, { out: path, rows: counts.get(name) ?? 0 }]);
  return {
    out: out ?? null,
    rows: counts.get('people') ?? 0,
    further: Object.fromEntries(others),
    rejects,
    key,
    changed: written.changed,
  };
}

async function writeRejects(
  store: Store,
  run: Run,
  output: OutputPlan,
  path: string,
): Promise<void> {
  const writer = await openTableWriter(path, REJECT_COLUMNS, {
    ...output,
    onReady: noting(store, run, 'rejects'),
  });
  await exportRejects(store, run, writer);
}

/** Removes the rejects of an earlier run or export, which must not stay beside this run's table. */
async function removeRejects(store: Store, { job, sources }: Run, out: string): Promise<void> {
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

/** Refuses to write a part of a run's leads to the place at which all of them are expected. */
function refuseOwn({ id, output }: Run, { out, further = {} }: TableFiles): void {
  const own = [output.out, ...Object.values(output.further ?? {})].map(placeOf);
  const taken = [out, ...Object.values(further)].find(
    (path) => path !== undefined && path !== '-' && own.includes(placeOf(path)),
  );
  if (taken === undefined) return;
  throw wrongUse(
    `where: ${taken} is the table of run ${id}, which has all of its leads. Name another file with --out.`,
  );
}

function refuseStream(further: Readonly<Partial<Record<FurtherTable, string>>>): void {
  if (Object.values(further).every((path) => path !== '-')) return;
  throw wrongUse('Only the table of the people goes to standard output.');
}
