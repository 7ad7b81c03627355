// Runs in the form of a list: fewer facts than about one run, so that a page of them costs little.
import { findDisturbances } from '../../app/results/see-run.js';
import {
  isForUser,
  isForWorker,
  isOpen,
  type Run,
  type RunState,
  type ShownState,
  shownState,
} from '../../model/run.js';
import { doneLeads, type TimeLeft } from '../../model/schedule/pace.js';
import type { RunTally } from '../../model/tally.js';
import type { OpenTask } from '../../ports/store/jobs.js';
import type { RunChoice } from '../../ports/store/runs.js';
import type { RunLine } from '../../tell/tell-runs.js';
import { type Looker, memoryOf } from '../memory.js';
import { droppedName } from '../try/uploads.js';

/** The choice of runs; `state` as it is shown. */
export interface RunsWish {
  readonly job?: string | undefined;
  readonly state?: ShownState | undefined;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** A page of runs, with the beginnings of that with newer runs and of that with older ones. */
export interface RunsPage {
  readonly lines: readonly RunLine[];
  readonly newer: number | null;
  readonly older: number | null;
}

interface StateLooker extends Looker {
  readonly state: string;
}

/** The number of runs that are looked at for a page of those in a state that the store does not hold. */
const LOOKED_AT_MAX = 500;

export async function seeRuns(
  looker: StateLooker,
  wish: RunsWish,
  size: number,
): Promise<RunsPage> {
  const { after, before, job, state } = wish;
  const choice = { job, states: storedStates(state) };
  const isUp = after !== undefined;
  let found: RunLine[] = [];
  let bounds: Pick<RunChoice, 'before' | 'after'> = isUp ? { after } : { before };
  for (let looked = 0; found.length <= size && looked < LOOKED_AT_MAX; looked += size + 1) {
    const runs = await looker.store.listRuns(size + 1, { ...choice, ...bounds });
    const lines = await seeAll(looker, runs);
    const alike = lines.filter((line) => state === undefined || line.state === state);
    found = isUp ? [...alike, ...found] : [...found, ...alike];
    const last = isUp ? runs.at(0) : runs.at(-1);
    if (runs.length <= size || last === undefined) break;
    bounds = isUp ? { after: last.id } : { before: last.id };
  }
  const hasMore = found.length > size;
  const lines = isUp ? found.slice(-size) : found.slice(0, size);
  const [first, last] = [lines.at(0)?.run.id ?? null, lines.at(-1)?.run.id ?? null];
  if (isUp) return { lines, newer: hasMore ? first : null, older: last };
  return { lines, newer: before === undefined ? null : first, older: hasMore ? last : null };
}

function storedStates(state: ShownState | undefined): readonly RunState[] | undefined {
  if (state === undefined) return undefined;
  if (isForUser(state) || isForWorker(state)) return ['reading', 'working'];
  return [state as RunState];
}

async function seeAll(looker: StateLooker, runs: readonly Run[]): Promise<RunLine[]> {
  const tasks = runs.some(({ state }) => isOpen(state)) ? await looker.store.openTasks() : [];
  return Promise.all(runs.map((run) => seeOne(looker, run, tasks)));
}

async function seeOne(
  looker: StateLooker,
  listed: Run,
  tasks: readonly OpenTask[],
): Promise<RunLine> {
  const memory = memoryOf(looker);
  const file = droppedName(looker.state, listed.job);
  if (!isOpen(listed.state)) {
    const { state } = listed;
    const nothing = { left: null, worker: null, pausedAt: null, parkedWhy: null, disturbances: [] };
    return { run: listed, file, state, tally: await memory.tallyOf(listed), ...nothing };
  }
  const { clock, store } = looker;
  const { holder, isLocked: isAtWork, pausedAt } = await store.jobNow(listed.job);
  // A process that has just released the job may have ended the run before.
  const run = (isAtWork ? null : await store.findRun(listed.id)) ?? listed;
  const task = tasks.find((one) => one.run === run.id) ?? null;
  const state = shownState(run, { isAtWork, pausedAt, task });
  const tally = await memory.tallyOf(run);
  return {
    run,
    file,
    state,
    tally,
    left: state === 'working' && pausedAt === null ? await leftOf(looker, run, tally) : null,
    worker: holder,
    pausedAt,
    parkedWhy: task?.parked?.why ?? null,
    disturbances: await findDisturbances(store, run, clock),
  };
}

/** The remaining time, by the looks before this one. */
export async function leftOf(looker: Looker, run: Run, tally: RunTally): Promise<TimeLeft | null> {
  const at = looker.clock.now();
  const caps = await looker.store.caps(run.account, at, run.caps);
  return memoryOf(looker)
    .paceOf(run.id)
    .left(at, doneLeads(run, tally, caps), run.pace);
}
