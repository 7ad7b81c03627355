// One look at a run, from outside: its numbers, what disturbed it, its list, and what waits to be settled.
import { lookBeside } from '../app/look-beside.js';
import type { Store } from '../domain/ports/store.js';
import { printable, printableJson } from '../domain/printable.js';
import type { Run } from '../domain/run.js';
import { openLeads, type RunTally } from '../domain/tally.js';
import { formatCount, formatNumber, formatTime } from './format.js';
import { disturbanceLines, listLine, summaryJson, summaryLines } from './summary.js';
import type { StatusLook } from './watch-status.js';

/** `line` is the look as JSON, or as one line of text. The run must be there. */
export async function lookAtRun(store: Store, id: number, isJson: boolean): Promise<StatusLook> {
  const run = (await store.findRun(id)) as Run;
  const tally = await store.tally(id);
  const seen = await lookBeside(store, run);
  const { pendingDeliveries, disturbances, pausedAt } = seen;
  const lines = summaryLines(run, tally);
  const listed = listLine(run, seen.list);
  if (listed !== undefined) lines.push(listed);
  lines.push(...disturbanceLines(disturbances));
  if (pausedAt !== null) {
    lines.push(
      printable(`  paused      since ${formatTime(pausedAt)} (UTC): sluice resume ${run.job}`),
    );
  }
  if (pendingDeliveries > 0) {
    lines.push(
      `  ${formatCount(pendingDeliveries, 'delivery', 'deliveries')} from webhooks not settled yet: run the job again, or sluice replay it.`,
    );
  }
  const line = isJson
    ? printableJson(JSON.stringify(summaryJson(run, tally, undefined, seen)))
    : lineOf(run, tally);
  return { isEnded: run.state !== 'reading' && run.state !== 'working', lines, line };
}

function lineOf(run: Run, tally: RunTally): string {
  const { queued, submitting, awaiting, found } = tally.byStatus;
  const parts = [
    `${formatNumber(tally.leads - openLeads(tally))} of ${formatCount(tally.leads, 'lead')} answered`,
    `${formatNumber(found)} found`,
    `${formatNumber(submitting + awaiting)} awaited`,
    `${formatNumber(queued)} queued`,
    formatCount(tally.credits, 'credit'),
  ];
  return printable(
    `${formatTime(Date.now())}  run ${run.id} of ${run.job}, ${run.state}: ${parts.join(', ')}`,
  );
}
