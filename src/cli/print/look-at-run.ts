// The state of a run as seen from outside: its numbers, disturbances, contact list and pending deliveries.

import { lookBeside, type SeenBeside } from '../../app/results/look-beside.js';
import { describeSize } from '../../app/state/describe-size.js';
import { isForWorker, type Run, type ShownState, shownState } from '../../model/run.js';
import { leadsIn, openLeads, type RunTally } from '../../model/tally.js';
import { printable, shellWord } from '../../model/text/printable.js';
import type { Store } from '../../ports/store/store.js';
import { advise, commandOf, continueWith } from './advise.js';
import { formatCount, formatNumber, formatTime } from './format.js';
import { disturbanceLines, listLine, summaryJson, summaryLines } from './summary.js';

/** A run at one moment. */
export interface SeenRun {
  readonly run: Run;
  readonly tally: RunTally;
  readonly seen: SeenBeside;
  readonly state: ShownState;
}

export async function seeRun(store: Store, before: Run): Promise<SeenRun> {
  const seen = await lookBeside(store, before.id);
  // A process that has just released the job may have ended the run before.
  const run = (await store.findRun(before.id)) ?? before;
  return {
    run,
    tally: await store.tally(run.id),
    seen,
    state: shownState(run, seen.isAtWork, seen.task),
  };
}

/** `brief` is the look in one line. `run` and `tally` are what it says. The run must be there. */
export async function lookAtRun(store: Store, path: string, id: number) {
  const found = (await store.findRun(id)) as Run;
  const { run, tally, seen, state } = await seeRun(store, found);
  const { pendingDeliveries, disturbances, pausedAt } = seen;
  const lines = summaryLines(run, tally, undefined, seen);
  lines.push(`  state       ${describeSize(seen.stateSize)}`);
  const listed = listLine(run, seen.list);
  if (listed !== undefined) lines.push(listed);
  lines.push(...disturbanceLines(disturbances));
  if (pausedAt !== null) {
    lines.push(
      `  paused      since ${formatTime(pausedAt)} (UTC): sluice resume ${shellWord(run.job)}`,
    );
  }
  if (pendingDeliveries > 0) {
    lines.push(
      `  ${formatCount(pendingDeliveries, 'delivery', 'deliveries')} from webhooks not settled yet: run the job again, or sluice replay it.`,
    );
  }
  if (state === 'interrupted' || isForWorker(state)) lines.push(nextStep(run, path, seen.task));
  if (state === 'finished') {
    const command = commandOf(run.job, path) ?? 'the same command';
    lines.push(...advise({ run, tally }, command, path));
  }
  const json = summaryJson(run, tally, undefined, seen);
  const brief = briefOf(run, tally, state);
  return { state, lines: lines.map(printable), brief, json, run, tally };
}

/** The advice for a run that is open, and no process works on it. */
export function nextStep({ id, job }: Run, path: string, task: SeenBeside['task']): string {
  if (task?.parked === null) return `Run ${id} of ${job} waits for a worker.`;
  if (task !== null) {
    const { until, why } = task.parked;
    return `Run ${id} of ${job} is parked until ${formatTime(until)} (UTC). ${why}`;
  }
  return `No process works on run ${id} of ${job}. ${continueWith(job, path)}`;
}

function briefOf(run: Run, tally: RunTally, state: ShownState): string {
  const awaited = leadsIn(tally, 'submitting') + leadsIn(tally, 'awaiting');
  const parts = [
    `${formatNumber(tally.leads - openLeads(tally))} of ${formatCount(tally.leads, 'lead')} answered`,
    `${formatNumber(tally.byStatus.found)} found`,
    `${formatNumber(awaited)} awaited`,
    `${formatNumber(leadsIn(tally, 'queued'))} queued`,
    formatCount(tally.credits, 'credit'),
  ];
  return printable(
    `${formatTime(Date.now())}  run ${run.id} of ${run.job}, ${state}: ${parts.join(', ')}`,
  );
}
