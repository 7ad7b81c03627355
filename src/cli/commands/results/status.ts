// sluice status [RUN]: the numbers of one run, once, or repeatedly until the run ends or no process works on it:
// redrawn in place on a terminal, otherwise as lines for a log.

import { gatherFigures } from '../../../app/report/gather-figures.js';
import { costByAsk } from '../../../app/report/read-rows.js';
import { stateFlag } from '../../../app/results/name-commands.js';
import { noRun } from '../../../app/results/run-of.js';
import { systemClock } from '../../../app/system-clock.js';
import { wrongUse } from '../../../model/errors.js';
import { isForUser, isOpen, type ShownState, wordsOfState } from '../../../model/run.js';
import { formatTime } from '../../../model/text/format-time.js';
import { printable, printableJson } from '../../../model/text/printable.js';
import { asJson } from '../../../tell/as-json.js';
import { type Charts, seriesData } from '../../../tell/run-data.js';
import { notes } from '../../../tell/shared.js';
import { tellDeliveries } from '../../../tell/tell-lists.js';
import { tellRun } from '../../../tell/tell-run.js';
import { linesOf, type Said } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { EXIT } from '../../exit-codes.js';
import { checkLast } from '../../misuse.js';
import { findRun, nothingYet, stateCommand } from '../../open-state.js';
import { number, toggle } from '../../options.js';
import { createWatchedProgress } from '../../print/progress.js';
import { stoppedOrUnread } from '../../signals.js';

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
      throw wrongUse('--deliveries lists those of all runs: leave out the run.');
  },
  whenNew: sayNothingYet,
  handler: async (args, store, path) => {
    if (args.deliveries) {
      const entries = await store.listDeliveries(args.last ?? DELIVERIES_SHOWN);
      return tellDeliveries(entries, await store.refusedDeliveries(), await store.countUnkept());
    }
    if (args.series && !args.json) {
      throw wrongUse('--series is for scripts: give --json with it.');
    }
    if (args.run === undefined && (await store.listRuns(1)).length === 0) {
      return sayNothingYet(path);
    }
    const { id } = await findRun(store, path, args.run);
    const lookNow = async (charts?: Charts) => {
      const wish = { readsRows: false, state: path, environment: commandEnvironment() };
      const figures = await gatherFigures(store, id, wish);
      const { run } = figures;
      const byAsk = args.watch ? figures.cost.byAsk : await costByAsk(store, figures);
      const cost = { ...figures.cost, byAsk };
      const told = { ...figures, cost, ...(charts && { charts }) };
      const { data, parts } = tellRun(told);
      const series = args.series ? { series: seriesData(run, await store.series(id)) } : {};
      return { figures, said: { parts, data: Object.assign(data, series) } };
    };
    if (!args.watch) {
      // Loaded only here: what is watched has no charts.
      const { CHARTS } = await import('../../../tell/tell-charts.js');
      const { figures, said } = await lookNow(CHARTS);
      const { run, state, tally } = figures;
      if (state !== 'finished' || tally.byStatus.not_found === 0) return said;
      const flag = stateFlag(path, commandEnvironment());
      const rows = `sluice export ${run.id} --where 'sluice_status = not_found' --out -${flag}`;
      return { ...said, parts: [...said.parts, ...notes(`Those not found, as a table: ${rows}`)] };
    }
    const progress = createWatchedProgress();
    const look = async (): Promise<StatusLook> => {
      const { figures, said } = await lookNow();
      const { run, seen, state, tally } = figures;
      const lines = linesOf(said);
      if (args.json)
        return { state, lines, line: printableJson(JSON.stringify(asJson(said.data))) };
      if (!isOpen(state)) return { state, lines, line: lines.join('\n') };
      const { columns, isTTY } = process.stdout;
      const who = `run ${run.id} of ${run.job}, ${wordsOfState(state)}`;
      const head = `${formatTime(Date.now())}  ${printable(who)}`;
      const goes = progress(run, tally, isTTY ? (columns || WIDTH) - 1 : undefined, seen.caps);
      return { state, lines: [...lines, goes], line: `${head}: ${goes}` };
    };
    const last = await watchStatus(look, args.json);
    if (last !== undefined && isForUser(last)) process.exitCode = EXIT.unanswered;
    return undefined;
  },
});

/** @throws SluiceError `usage` if a run is named all the same */
function sayNothingYet(path: string, { run }: { readonly run?: number | undefined } = {}): Said {
  if (run !== undefined) throw noRun(run);
  return { data: { run: null, state: null }, lines: nothingYet(path) };
}

/** The look at a run at one moment: all of it, and in one line. */
interface StatusLook {
  readonly state: ShownState;
  readonly lines: readonly string[];
  readonly line: string;
}

const LOOK_MS = 1_000;
const LINE_EVERY_MS = 10_000;
/** Counting a run of a million leads takes a while, and the disk must have time for other work. */
const PAUSE_PER_LOOK = 5;
/** The width if the terminal does not report one, or reports 0. */
const WIDTH = 80;

/** Resolves with the last state when the run has ended, no process works on it, or the command is stopped. */
async function watchStatus(
  look: () => Promise<StatusLook>,
  isJson: boolean,
): Promise<ShownState | undefined> {
  const signal = stoppedOrUnread();
  const show = process.stdout.isTTY && !isJson ? createRedraw() : createLines();
  let state: ShownState | undefined;
  while (!signal.aborted) {
    const startedAt = Date.now();
    const seen = await look();
    ({ state } = seen);
    show(seen);
    if (!isOpen(state)) break;
    const tookMs = Date.now() - startedAt;
    await systemClock.sleep(Math.max(LOOK_MS, tookMs * PAUSE_PER_LOOK), signal);
  }
  return state;
}

function createRedraw(): (look: StatusLook) => void {
  let height = 0;
  return ({ lines }) => {
    // A line that wraps would shift the lines redrawn over it.
    const width = (process.stdout.columns || WIDTH) - 1;
    const up = height === 0 ? '' : `\u001B[${height}A`;
    const text = lines.map((line) => `\u001B[2K${line.slice(0, width)}\n`).join('');
    process.stdout.write(`${up}\r${text}\u001B[J`);
    height = lines.length;
  };
}

/** Prints a line only if it has changed, and not too often. */
function createLines(): (look: StatusLook) => void {
  let shown: string | undefined;
  let nextAt = 0;
  return ({ line, state }) => {
    if (isOpen(state) && (line === shown || Date.now() < nextAt)) return;
    process.stdout.write(`${line}\n`);
    shown = line;
    nextAt = Date.now() + LINE_EVERY_MS;
  };
}
