// The end of a run that did not finish, and the next step: one sentence for each way to end, in all outputs.
import { sumCredits, timesCredits } from '../credits.js';
import type { Run, ShownState } from '../run.js';
import { type CapState, tellCap, tellUse } from '../schedule/caps.js';
import { formatCount, formatNumber } from '../text/count.js';
import { formatTime } from '../text/format-time.js';
import { shellWord } from '../text/printable.js';
import type { CommandNames } from './advice.js';

export interface Standstill {
  readonly run: Run;
  readonly state: ShownState;
  readonly pausedAt: number | null;
  readonly parked: { readonly until: number; readonly why: string } | null;
  /** The run that took its place; null if that does not exist any more. */
  readonly successor: number | null;
  /** The cap that leaves it no room now. */
  readonly cap: CapState | null;
  /** The budget, if the run stopped at it. */
  readonly budget: UsedBudget | null;
}

export interface UsedBudget {
  /** The credits that are spent, and set aside for possible charges, with those of the runs that it replaced. */
  readonly committed: number;
  readonly queued: number;
}

/** The sentence; null if the run has finished, or a process works on it. */
export function nextStep(seen: Standstill, names: CommandNames): string | null {
  const { again, start, state: flag } = names;
  const { parked, pausedAt, run, state, successor } = seen;
  const named = `Run ${run.id}`;
  switch (state) {
    case 'reading':
    case 'working':
    case 'finished':
      return null;
    case 'queued':
      return `${named} waits for a worker.`;
    case 'parked':
      return `${named} is parked until ${formatTime(parked?.until ?? 0)} (UTC). ${parked?.why ?? ''}`;
    case 'reopened':
      return `${named} was opened again${since(run.reopenedAt)}, and waits to be started. ${again()}`;
    case 'stopped_at_budget':
      return `${named} stopped at its budget${tellBudget(seen, names)}`;
    case 'stopped_at_cap':
      return `${named} stopped at ${tellMet(seen.cap)}. ${again()}`;
    case 'stopped_at_hit_rate':
      return `${named} stopped at its hit rate: ${run.left?.said ?? ''} ${again()}`;
    case 'paused':
      return `${named} waits: its job was paused${since(pausedAt)}. To let it send again: sluice resume ${shellWord(run.job)}${flag}, then ${start}`;
    case 'stopped':
      return `${named} was told to stop${since(run.left?.at)}. ${again()}`;
    case 'stopped_by_error':
      return `${named} was stopped by an error${since(run.left?.at)}: ${run.left?.said ?? ''} ${again()}`;
    case 'cut_off':
      return `${named} was cut off: its process ended without a word, as when it is killed. ${again()}`;
    case 'cancelled':
      return `${named} was cancelled${since(run.left?.at ?? run.endedAt)}. What it paid for serves the next run of ${run.job}.`;
    case 'replaced': {
      const by = successor === null ? 'a later run' : `run ${successor}`;
      return `${named} was replaced by ${by}${since(run.left?.at ?? run.endedAt)}, for the job or its input had changed. What it paid for serves that run.`;
    }
  }
}

function since(at: number | null | undefined): string {
  return typeof at === 'number' ? ` at ${formatTime(at)} (UTC)` : '';
}

function tellMet(cap: CapState | null): string {
  if (cap === null) return 'a cap, and there is room again';
  return `the cap of ${tellCap(cap)}: ${tellUse(cap)}. It goes on with its next start after that, or once the cap is raised`;
}

/** The sentence about the budget: the same command would stop at once, so it names another budget. */
function tellBudget({ budget, run }: Standstill, { again }: CommandNames): string {
  const { budget: credits, priceMax } = run;
  if (run.waterfall !== undefined) {
    return `. A higher budget in its file, of the job or of the step that has stopped, lets it go on. ${again()}`;
  }
  if (budget === null || credits === undefined || priceMax === undefined) {
    return `. A higher budget lets it go on. ${again('--budget CREDITS')}`;
  }
  const { committed, queued } = budget;
  const more = timesCredits(priceMax, queued);
  const enough = sumCredits([committed, more]);
  return ` of ${formatCount(credits, 'credit')}, with at most ${formatCount(queued, 'request')} still to send, for ${formatCount(more, 'credit')} at most. A higher budget lets it go on; ${formatNumber(enough)} is enough for all. ${again(`--budget ${enough}`)}`;
}
