// sluice status [RUN]: the numbers of one run, once, or repeatedly until the run ends or no process works on it:
// redrawn in place on a terminal, otherwise as lines for a log.

import { adviseOnColumns } from '../../../app/results/advise-columns.js';
import { findNextStep, seeRun } from '../../../app/results/see-run.js';
import { systemClock } from '../../../app/system-clock.js';
import { describeDisturbance } from '../../../model/events/describe-disturbance.js';
import { tellRefused } from '../../../model/report/refused-deliveries.js';
import { describeSize } from '../../../model/report/state-size.js';
import { isForUser, isOpen, type Run, type ShownState, wordsOfState } from '../../../model/run.js';
import { tellCap, tellUse } from '../../../model/schedule/caps.js';
import { leadsIn, openLeads, type RunTally } from '../../../model/tally.js';
import { printable, printableJson, shellWord } from '../../../model/text/printable.js';
import type { Clock } from '../../../ports/clock.js';
import type { Store } from '../../../ports/store/store.js';
import { type Said, SWITCH } from '../../command.js';
import { EXIT } from '../../exit-codes.js';
import { wrongFlag } from '../../misuse.js';
import { findRun, noRun, nothingYet, stateCommand } from '../../open-state.js';
import { advise, commandNames } from '../../print/advise.js';
import { seriesJson } from '../../print/figures.js';
import { formatCount, formatNumber, formatTime } from '../../print/format.js';
import { createWatchedProgress } from '../../print/progress.js';
import { listLine, summaryJson, summaryLines } from '../../print/summary.js';
import { stoppedOrUnread } from '../../signals.js';

export const statusCommand = stateCommand({
  builder: (yargs) =>
    yargs.positional('run', { type: 'number', describe: 'Number of the run' }).options({
      watch: {
        ...SWITCH,
        alias: 'w',
        describe: 'Look again while the run goes on; Ctrl+C stops it',
      },
      series: {
        ...SWITCH,
        describe: 'With --json: also what was counted over time, and histograms',
      },
    }),
  whenNew: sayNothingYet,
  handler: async (args, store, path) => {
    if (args.series && !args.json) {
      throw wrongFlag('--series is for scripts: give --json with it.');
    }
    if (args.run === undefined && (await store.listRuns(1)).length === 0) {
      return sayNothingYet(path);
    }
    const { id } = await findRun(store, path, args.run);
    const lookNow = async () => {
      const seen = await lookAtRun(store, path, id);
      if (!args.series) return seen;
      const series = seriesJson(seen.run, await store.series(id));
      return { ...seen, json: { ...seen.json, series } };
    };
    if (!args.watch) {
      const { json, lines } = await lookNow();
      return { json, lines };
    }
    const progress = createWatchedProgress();
    const look = async () => {
      const { json, brief, caps, lines, run, state, tally } = await lookNow();
      if (args.json) return { state, lines, line: printableJson(JSON.stringify(json)) };
      if (!isOpen(state)) return { state, lines, line: brief };
      const { columns, isTTY } = process.stdout;
      const goes = progress(run, tally, isTTY ? (columns || WIDTH) - 1 : undefined, caps);
      return { state, lines: [...lines, goes], line: `${brief}; ${goes}` };
    };
    const last = await watchStatus(look, {
      screen: process.stdout,
      isJson: args.json,
      clock: systemClock,
      signal: stoppedOrUnread(),
    });
    if (last !== undefined && isForUser(last.state)) process.exitCode = EXIT.unanswered;
    return undefined;
  },
});

/** @throws SluiceError `usage` if a run is named all the same */
function sayNothingYet(path: string, { run }: { readonly run?: number | undefined } = {}): Said {
  if (run !== undefined) throw noRun(run, path);
  return { json: { run: null, state: null }, lines: nothingYet(path) };
}

/** The look at a run at one moment. */
export interface StatusLook {
  readonly state: ShownState;
  /** All of it. */
  readonly lines: readonly string[];
  /** The same in one line. */
  readonly line: string;
}

export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** The screen, and the form in which to print. */
export interface WatchOptions {
  readonly screen: Screen;
  /** Prints only the lines, as they are. */
  readonly isJson: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const LOOK_MS = 1_000;
const LINE_EVERY_MS = 10_000;
/** Counting a run of a million leads takes a while, and the disk must have time for other work. */
const PAUSE_PER_LOOK = 5;
/** The width if the terminal does not report one, or reports 0. */
const WIDTH = 80;

/**
 * Resolves with the last look when the run has ended, no process works on it, or the signal aborts. The last look is
 * shown in full.
 */
export async function watchStatus(
  look: () => Promise<StatusLook>,
  { screen, isJson, clock, signal }: WatchOptions,
): Promise<StatusLook | undefined> {
  const show = screen.isTTY === true && !isJson ? createRedraw(screen) : createLines(screen, clock);
  let seen: StatusLook | undefined;
  while (!signal.aborted) {
    const startedAt = clock.now();
    seen = await look();
    const isLast = !isOpen(seen.state);
    show(isLast && !isJson ? { ...seen, line: seen.lines.join('\n') } : seen);
    if (isLast) break;
    const tookMs = clock.now() - startedAt;
    await clock.sleep(Math.max(LOOK_MS, tookMs * PAUSE_PER_LOOK), signal);
  }
  return seen;
}

function createRedraw(screen: Screen): (look: StatusLook) => void {
  let height = 0;
  return ({ lines }) => {
    // A line that wraps would shift the lines redrawn over it.
    const width = (screen.columns || WIDTH) - 1;
    const up = height === 0 ? '' : `\u001B[${height}A`;
    const text = lines.map((line) => `\u001B[2K${line.slice(0, width)}\n`).join('');
    screen.write(`${up}\r${text}\u001B[J`);
    height = lines.length;
  };
}

/** Prints a line only if it has changed, and not too often. */
function createLines(screen: Screen, clock: Clock): (look: StatusLook) => void {
  let shown: string | undefined;
  let nextAt = 0;
  return ({ line, state }) => {
    if (isOpen(state) && (line === shown || clock.now() < nextAt)) return;
    screen.write(`${line}\n`);
    shown = line;
    nextAt = clock.now() + LINE_EVERY_MS;
  };
}

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
