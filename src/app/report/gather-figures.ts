// Gathers all figures of a run's report from the store alone: at any time, also of a run that goes on.
import { DEFAULTS } from '../../config/defaults.js';
import { describeDisturbance } from '../../model/events/describe-disturbance.js';
import { advise, type CommandNames, helpFor } from '../../model/report/advice.js';
import { tellRefused } from '../../model/report/refused-deliveries.js';
import type {
  RunFigures,
  TimeFigures,
  Trouble,
  TroubleFigures,
} from '../../model/report/run-figures.js';
import { forecastOf } from '../../model/report/series.js';
import { type Run, shownState } from '../../model/run.js';
import { FORGOTTEN_REASON } from '../../model/tally.js';
import { formatCount } from '../../model/text/count.js';
import { formatTime } from '../../model/text/format-time.js';
import { shellWord } from '../../model/text/printable.js';
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store/store.js';
import { adviseOnColumns } from '../results/advise-columns.js';
import { nameCommands } from '../results/name-commands.js';
import { runOf } from '../results/run-of.js';
import { findNextStep, type SeenRun, seeRun } from '../results/see-run.js';
import { type Environment, NO_ENVIRONMENT } from '../settings/environment.js';
import { systemClock } from '../system-clock.js';
import { costOf, type RowOptions, readRows } from './read-rows.js';
import { shownTally } from './shown-columns.js';

const REJECTS_MAX = 20;

export interface GatherOptions extends RowOptions {
  /** Whether the rows are read, which takes a while if there are many. Default: true. */
  readonly readsRows?: boolean | undefined;
  /** The path of the state, for the commands that the report names. Default: the usual one. */
  readonly state?: string | undefined;
  /** The environment, for the same commands. */
  readonly environment?: Environment | undefined;
  /** The command that starts its job; without it, that of a job in jobs/. */
  readonly start?: string | undefined;
  /** Whether the process that works on it is about to end. Default: false. */
  readonly isEnding?: boolean | undefined;
  readonly clock?: Clock | undefined;
}

/** @throws SluiceError `usage` for an unknown run */
export async function gatherFigures(
  store: Store,
  runId: number,
  options: GatherOptions = {},
): Promise<RunFigures> {
  const { clock = systemClock, environment = NO_ENVIRONMENT } = options;
  const { readsRows = true, state: path = environment.state ?? DEFAULTS.state } = options;
  const found = await seeRun(store, await runOf(store, runId), { clock });
  const { isEnding = false } = options;
  const { pausedAt } = found.seen;
  const ending = { isAtWork: false, pausedAt };
  const seen = isEnding ? { ...found, state: shownState(found.run, ending) } : found;
  const { run, state, tally } = seen;
  const { forecast, time } = await timeOf(store, run);
  const steps = await Promise.all((await store.stepRuns(run.id)).map((one) => timeOf(store, one)));
  const rows = readsRows ? await readRows(store, seen, options) : null;
  const names = nameCommands(run.job, path, environment, options.start);
  const shown = shownTally(tally, run);
  const rejects = await store.rejects(run.id, 0, REJECTS_MAX);
  return {
    run,
    state,
    at: clock.now(),
    tally: shown,
    cost: costOf(seen, forecast, rows),
    time: { ...time, ...(steps.length > 0 && { steps }) },
    trouble: {
      reasons: tally.reasons.map(
        (one, n): Trouble => ({
          ...one,
          reason: shown.reasons[n]?.reason ?? one.reason,
          places: rows?.places.placesOf(one) ?? [],
          command: one.reason === FORGOTTEN_REASON ? null : helpFor(one.status, run, names),
        }),
      ),
      rejects: rejects.map(({ line, reason, source }) => ({ line, reason, source })),
      disturbances: [
        ...found.seen.disturbances.map(describeDisturbance),
        ...found.seen.refused.map((one) => tellRefused(one)),
      ],
      advice: await adviceOf(store, seen, names, clock),
    },
    seen: found.seen,
    quality: rows?.quality.figures() ?? null,
  };
}

async function timeOf(store: Store, run: Run) {
  const { asked, buckets, histograms, widthMs } = await store.series(run.id);
  const forecast = forecastOf(run, asked);
  const limit = run.pace?.limit[0] ?? null;
  const known = { widthMs, buckets, limit, asked, forecastMs: forecast.timeMsMin };
  const time: TimeFigures = { ...known, ...histograms };
  return { run, forecast, time };
}

async function adviceOf(
  store: Store,
  look: SeenRun,
  names: CommandNames,
  clock: Clock,
): Promise<TroubleFigures['advice']> {
  const { run, seen, state, tally } = look;
  const { pausedAt, pendingDeliveries: pending } = seen;
  const paused =
    pausedAt !== null &&
    `Its job is paused since ${formatTime(pausedAt)} (UTC): nothing is sent before "sluice resume ${shellWord(run.job)}${names.state}", and what was sent is still collected.`;
  const next = (await findNextStep(store, look, names, { clock })) ?? paused;
  return [
    ...(next === false ? [] : [next]),
    ...(state === 'finished'
      ? [...advise({ run, tally }, names), ...(await adviseOnColumns(store, { run, tally }, names))]
      : []),
    ...(pending === 0
      ? []
      : [
          `${formatCount(pending, 'delivery', 'deliveries')} from webhooks not settled yet: run the job again, or sluice replay it.`,
        ]),
  ];
}
