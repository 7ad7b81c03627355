// The state of a run as seen from outside: its numbers, disturbances, contact list and pending deliveries.

import { adviseOnColumns } from '../../app/results/advise-columns.js';
import { findNextStep, seeRun } from '../../app/results/see-run.js';
import { describeSize } from '../../app/state/describe-size.js';
import { describeDisturbance } from '../../model/events/describe-disturbance.js';
import { tellRefused } from '../../model/report/refused-deliveries.js';
import { type Run, type ShownState, wordsOfState } from '../../model/run.js';
import { tellCap, tellUse } from '../../model/schedule/caps.js';
import { leadsIn, openLeads, type RunTally } from '../../model/tally.js';
import { printable, shellWord } from '../../model/text/printable.js';
import type { Store } from '../../ports/store/store.js';
import { advise, commandNames } from './advise.js';
import { formatCount, formatNumber, formatTime } from './format.js';
import { listLine, summaryJson, summaryLines } from './summary.js';

/** `brief` is the look in one line. `run` and `tally` are its figures. The run must be there. */
export async function lookAtRun(store: Store, path: string, id: number) {
  const found = (await store.findRun(id)) as Run;
  const looked = await seeRun(store, found);
  const { run, tally, seen, state, charges } = looked;
  const { caps, pendingDeliveries, disturbances, pausedAt, refused } = seen;
  const lines = summaryLines(run, tally, undefined, seen, charges);
  lines.push(...caps.map((cap) => `  cap         ${tellCap(cap)}: ${tellUse(cap)}`));
  lines.push(`  state       ${describeSize(seen.stateSize)}`);
  const listed = listLine(run, seen.list);
  if (listed !== undefined) lines.push(listed);
  lines.push(...disturbances.map((one) => `  ${describeDisturbance(one)}`));
  lines.push(...refused.map((one) => `  ${tellRefused(one)}`));
  if (pausedAt !== null && state !== 'paused') {
    lines.push(
      `  paused      since ${formatTime(pausedAt)} (UTC): sluice resume ${shellWord(run.job)}`,
    );
  }
  if (pendingDeliveries > 0) {
    lines.push(
      `  ${formatCount(pendingDeliveries, 'delivery', 'deliveries')} from webhooks not settled yet: run the job again, or sluice replay it.`,
    );
  }
  const names = commandNames(run.job, path);
  const next = await findNextStep(store, looked, names);
  if (next !== null) lines.push(next);
  if (state === 'finished') {
    lines.push(...advise({ run, tally }, undefined, path));
    lines.push(...(await adviseOnColumns(store, { run, tally }, names)));
  }
  const json = summaryJson(run, tally, undefined, seen, charges);
  const brief = briefOf(run, tally, state);
  return { state, lines: lines.map(printable), brief, json, run, tally, caps };
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
    `${formatTime(Date.now())}  run ${run.id} of ${run.job}, ${wordsOfState(state)}: ${parts.join(', ')}`,
  );
}
