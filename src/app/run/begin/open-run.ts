import { tellPrice } from '../../../model/credits.js';
import { leftAt } from '../../../model/report/series.js';
import {
  filesAtEnd,
  isOpen,
  mapNames,
  type NamedFile,
  type OutputPlan,
  type Run,
  type RunChanges,
  type RunPlan,
  type TableNames,
} from '../../../model/run.js';
import type { RunTally } from '../../../model/tally.js';
import { hasPlaceholder } from '../../../model/text/placeholders.js';
import type { Store } from '../../../ports/store/store.js';
import { nameTable } from '../../files/name-table.js';

/** An open run that does not go on. */
export interface LeftRun {
  readonly run: Run;
  readonly tally: RunTally;
}

interface Opened {
  readonly run: Run;
  readonly isContinued: boolean;
  /** The budget of a continued run up to now, told at the price that a credit had. */
  readonly budgetBefore?: string | undefined;
  readonly replaced?: LeftRun;
}

/**
 * Continues the job's open run if it has the same terms, the same input and the same `fresh-for`. Otherwise a new run
 * starts, which is safe: earlier payments are found by their fingerprints. An input that cannot be read twice (standard
 * input, a named pipe) always starts a new run, because it may differ. `check` gets the paths of the tables before
 * anything is stored.
 */
export async function openRun(
  store: Store,
  plan: RunPlan,
  at: number,
  check: (names: TableNames, run: number | null) => Promise<void>,
): Promise<Opened> {
  const open = await findContinued(store, plan);
  if (open !== null) {
    const output = outputOf(open, plan.output);
    await check(output, open.id);
    const { budget, caps, credit, prices } = plan;
    const run = await takeUp(store, open, { output, budget, caps, credit, prices }, at);
    const before = open.budget;
    const budgetBefore = before === undefined ? undefined : tellPrice(before, open.credit);
    return { run, isContinued: true, budgetBefore };
  }
  const [newest] = await store.listRuns(1);
  const number = String((newest?.id ?? 0) + 1);
  await check(
    mapNames(plan.output, (name) => name.replaceAll('{run}', number)),
    null,
  );
  const { openRun: left } = await store.jobNow(plan.job);
  if (left === null) return { run: await store.startRun(plan, at), isContinued: false };
  const tally = await store.tally(left.id);
  const replaces = replacedWith(left);
  const run = await store.startRun({ ...plan, ...(replaces.length > 0 && { replaces }) }, at);
  await store.changeRun(left.id, { left: { at, by: 'replaced', tally } });
  return { run, isContinued: false, replaced: { run: left, tally } };
}

/** Lets a run go on with what it is told anew. */
export async function takeUp(
  store: Store,
  open: Run,
  told: Omit<RunChanges, 'idleMs'>,
  at: number,
): Promise<Run> {
  const idleMs = await idleTime(store, open, at);
  const changes = { ...told, ...(idleMs > 0 && { idleMs }) };
  await store.changeRun(open.id, changes);
  const { reopenedAt: _reopenedAt, endedBefore: _endedBefore, left: _left, ...going } = open;
  return { ...going, ...changes };
}

/** The number of replaced runs that are remembered; the oldest are forgotten. */
const REPLACED_MAX = 1_000;

/** A run that had finished, and was only opened again, is not among them. */
function replacedWith({ id, reopenedAt, replaces = [] }: Run): readonly number[] {
  return reopenedAt === undefined ? [...replaces, id].slice(-REPLACED_MAX) : [];
}

/** The time without a process up to now, with the time known from before. A step that has finished waits for nothing. */
async function idleTime(store: Store, open: Run, at: number): Promise<number> {
  if (!isOpen(open.state)) return open.idleMs ?? 0;
  const until = leftAt(open, await store.series(open.id), at);
  return (open.idleMs ?? 0) + Math.max(0, at - until);
}

export async function findContinued(store: Store, plan: RunPlan): Promise<Run | null> {
  const { openRun: open } = await store.jobNow(plan.job);
  const isSame =
    plan.signature !== null &&
    open?.signature === plan.signature &&
    open.terms === plan.terms &&
    // A result that was stale when the run began may be fresh under another `fresh-for`: the input has to be read
    // again.
    open.freshForMs === plan.freshForMs;
  return isSame ? open : null;
}

function outputOf(open: Run, output: OutputPlan): OutputPlan {
  const templates = mapNames<TableNames>(
    output,
    (name, table) => templateOf(output, table) ?? name,
  );
  return { ...output, ...continuedNames(open, templates) };
}

/** The names of a continued run: it keeps them, except those that have changed in the job. */
export function continuedNames(open: Run, templates: TableNames): TableNames {
  const { out: people, further } = open.output;
  const atEnd = filesAtEnd(open.output);
  const known: Readonly<Record<string, string | undefined>> = { people, ...further, ...atEnd };
  return mapNames(templates, (template, table) => {
    if (!hasPlaceholder(template)) return template;
    const name = template === templateOf(open.output, table) ? known[table] : undefined;
    return name ?? nameTable(template, open);
  });
}

function templateOf(
  { atEndTemplates, furtherTemplates, template }: OutputPlan,
  file: NamedFile,
): string | undefined {
  if (file === 'people') return template;
  return { ...furtherTemplates, ...atEndTemplates }[file];
}
