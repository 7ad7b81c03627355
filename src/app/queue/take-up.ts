// Takes up an open run on this worker, and goes on with it as `run` does; what stops it parks it.
import { Readable } from 'node:stream';
import { SluiceError } from '../../model/errors.js';
import { URGENT } from '../../model/telemetry/event-fields.js';
import type { RunEvent } from '../../model/telemetry/observe.js';
import type { Turn } from '../../ports/dispatcher.js';
import { readNothing } from '../plan/drop-portions.js';
import { planList } from '../plan/plan-run.js';
import { holdJob } from '../run/run-job.js';
import { runOnce } from '../run/run-once.js';
import { type RunTask, settleRunOptions } from '../run/run-options.js';
import { ACCOUNT, findNeeded, type OpenWork, type WorkerParts } from './find-needed.js';
import { park, parkLacking, withFolder } from './park.js';

export const DONE: Turn = { kind: 'done' };
export const BACK: Turn = { kind: 'back' };
/** The turn for a worker that has the account, or the job's file. */
export const ELSEWHERE: Turn = { kind: 'elsewhere' };
const BUSY_MS = 5_000;

export async function takeUp(
  parts: WorkerParts,
  open: OpenWork,
  signal: AbortSignal,
): Promise<Turn> {
  const { clock, onEnd, store, tell, warn } = parts;
  const { parked: before, run } = open;
  const since = clock.now();
  try {
    return await makeRun(parts, open, signal);
  } catch (cause) {
    if (signal.aborted) return BACK;
    const error = withFolder(cause);
    if (error instanceof SluiceError && error.code === 'cancelled') {
      await onEnd(run.job, { run: run.id, error });
      return DONE;
    }
    if (error instanceof SluiceError && error.code === 'busy') return whenFree(error);
    if (error instanceof Error && !(error instanceof SluiceError))
      warn(error.stack ?? error.message, null);
    const at = clock.now();
    // Another machine may state what this one does not.
    const isLeft = error instanceof SluiceError && error.facts['unstated'] !== undefined;
    if (isLeft && before !== null && before.until > at) return ELSEWHERE;
    const isLacking = isLeft && error.facts['unstated'] === ACCOUNT;
    const parked = isLacking ? parkLacking(error, at) : park(error, { at, since, before });
    await store.noteTask(run.id, parked);
    const ms = parked.until - at;
    const waits = isLeft ? 'is left to another worker' : `waits for ${Math.round(ms / 1_000)} s`;
    const isWished = error instanceof SluiceError && error.code === 'paused';
    const say = isLacking || isWished ? tell : warn;
    say(`Run ${run.id} of ${run.job} ${waits}. ${parked.why}`);
    if (parked.times === 1) await onEnd(run.job, { run: run.id, error });
    return isLeft ? ELSEWHERE : { kind: 'later', ms };
  }
}

async function makeRun(parts: WorkerParts, open: OpenWork, signal: AbortSignal): Promise<Turn> {
  const { clock, onEnd, store, tell, watch, writesTables } = parts;
  const { run } = open;
  const needed = await findNeeded(parts, open);
  if (needed === undefined) return ELSEWHERE;
  const { brought, dialect, environment, settings, waterfall } = needed;
  const standardInput = Readable.from([]);
  const observe = (event: RunEvent): void => {
    watch.observe(event);
    if (event.kind !== 'run.warned' || !URGENT.has(event.warning)) return;
    void onEnd(run.job, { run: run.id, warning: event.message });
  };
  const options = { ...watch, observe, environment, clock, drain: signal, standardInput };
  const task: RunTask = {
    ...settleRunOptions(brought.settings, options),
    settings,
    tables: run.output,
    dialect,
    list: planList(settings, run.startedAt),
    waterfall,
    writesTables: (isFinished) => writesTables && isFinished,
    listens: false,
  };
  const [report] = await holdJob(task, store, async (locked) => {
    const { openRun: now } = await locked.jobNow(run.job);
    if (now?.id !== run.id) return [];
    tell(`Run ${run.id} of ${run.job}: taken up.`);
    return [await runOnce(task, locked, { reader: readNothing(now.sources), goesOn: now })];
  });
  if (report === undefined) return DONE;
  if (!report.isFinished) {
    tell(`Run ${run.id} of ${run.job}: given back.`);
    return BACK;
  }
  tell(`Run ${run.id} of ${run.job}: finished.`);
  await onEnd(run.job, { run: run.id, report });
  return DONE;
}

/** The turn at the end of another's lease, if that is near: its holder renews it long before, unless it is gone. */
export function whenFree({ facts: { leftMs } }: SluiceError): Turn {
  return { kind: 'later', ms: typeof leftMs === 'number' ? Math.min(leftMs, BUSY_MS) : BUSY_MS };
}
