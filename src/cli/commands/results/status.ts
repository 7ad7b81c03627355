// sluice status [RUN]: the numbers of one run, once, or repeatedly until the run ends or no process works on it:
// redrawn in place on a terminal, otherwise as lines for a log.

import { gatherFigures } from '../../../app/report/gather-figures.js';
import { systemClock } from '../../../app/system-clock.js';
import { isForUser, isOpen, type Run, type ShownState, wordsOfState } from '../../../model/run.js';
import type { CapState } from '../../../model/schedule/caps.js';
import { leadsIn, openLeads, type RunTally } from '../../../model/tally.js';
import { printable, printableJson } from '../../../model/text/printable.js';
import type { Clock } from '../../../ports/clock.js';
import type { Store } from '../../../ports/store/store.js';
import { asJson } from '../../../tell/as-json.js';
import { asText } from '../../../tell/as-text.js';
import type { Charts } from '../../../tell/run-data.js';
import { seriesData } from '../../../tell/run-data.js';
import { tellRun } from '../../../tell/tell-run.js';
import { type Said } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { EXIT } from '../../exit-codes.js';
import { checkLast, wrongFlag } from '../../misuse.js';
import { findRun, noRun, nothingYet, stateCommand } from '../../open-state.js';
import { number, toggle } from '../../options.js';
import { formatCount, formatNumber, formatTime } from '../../print/format.js';
import { createWatchedProgress } from '../../print/progress.js';
import { stoppedOrUnread } from '../../signals.js';
import { lookAtDeliveries } from './deliveries.js';

const DELIVERIES_SHOWN = 20;

export const statusCommand = stateCommand({
  lists: true,
  args: { run: number('Number of the run') },
  options: {
    watch: toggle('Look again while the run goes on; Ctrl+C stops it', { alias: 'w' }),
    series: toggle('With --json: also what was counted over time, and histograms'),
    deliveries: toggle('List what webhooks brought, newest first, and what it came to'),
    last: number(`With --deliveries: how many (default: ${DELIVERIES_SHOWN})`),
  },
  prepare: ({ deliveries, last = DELIVERIES_SHOWN, run }) => {
    if (!deliveries) return;
    checkLast(last, 'deliveries');
    if (run !== undefined)
      throw wrongFlag('--deliveries lists those of all runs: leave out the run.');
  },
  whenNew: sayNothingYet,
  handler: async (args, store, path) => {
    if (args.deliveries) return lookAtDeliveries(store, args.last ?? DELIVERIES_SHOWN);
    if (args.series && !args.json) {
      throw wrongFlag('--series is for scripts: give --json with it.');
    }
    if (args.run === undefined && (await store.listRuns(1)).length === 0) {
      return sayNothingYet(path);
    }
    const { id } = await findRun(store, path, args.run);
    const lookNow = async (charts?: Charts) => {
      const seen = await lookAtRun(store, path, id, charts);
      const series = args.series ? { series: seriesData(seen.run, await store.series(id)) } : {};
      return { ...seen, json: asJson({ ...seen.data, ...series }) as object };
    };
    if (!args.watch) {
      // Loaded only here: what is watched has no charts.
      const { CHARTS } = await import('../../../tell/tell-charts.js');
      const { json, lines } = await lookNow(CHARTS);
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

export interface RunLook extends Omit<StatusLook, 'line'> {
  readonly brief: string;
  readonly data: object;
  readonly run: Run;
  readonly tally: RunTally;
  readonly caps: readonly CapState[];
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

/** The look at a run at one moment. `brief` is it in one line. The run must be there. */
export async function lookAtRun(
  store: Store,
  state: string,
  id: number,
  charts?: Charts,
): Promise<RunLook> {
  const environment = commandEnvironment();
  const figures = await gatherFigures(store, id, { readsRows: false, state, environment });
  const { cost, run, seen, tally } = figures;
  const { data, parts } = tellRun({ ...figures, charges: cost.charges, ...(charts && { charts }) });
  const brief = briefOf(run, tally, figures.state);
  return { state: figures.state, lines: asText(parts), brief, data, run, tally, caps: seen.caps };
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
