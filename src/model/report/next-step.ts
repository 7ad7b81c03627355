// The end of a run that did not finish, and the next step: one sentence for each way to end, in all outputs.
import {
  amountTeller,
  type Money,
  subtractCredits,
  sumCredits,
  tellPrice,
  timesCredits,
} from '../credits.js';
import type { Run, ShownState } from '../run.js';
import { type CapState, tellCap, tellUse } from '../schedule/caps.js';
import { formatCount } from '../text/count.js';
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
  /** The cap that leaves it, or its step, no room now. */
  readonly cap: { readonly met: CapState; readonly of: Run } | null;
  /** Null if the run has no budget, or another end. */
  readonly budget: (BudgetUse & { readonly queued: number }) | null;
}

/** A budget and what counts for it, in credits, also of the runs that this one replaced. */
export interface BudgetUse {
  readonly credits: number;
  readonly spent: number;
  /** The credits that may still be charged for requests without an answer. */
  readonly reserved: number;
}

export function leftOfBudget({ credits, reserved, spent }: BudgetUse): number {
  return Math.max(0, subtractCredits(credits, sumCredits([spent, reserved])));
}

/** `10 of 12 credits spent, 2 left`. */
export function tellBudget(use: BudgetUse, price?: Money): string {
  const { credits, reserved, spent } = use;
  const tell = amountTeller(price);
  const open = reserved === 0 ? '' : `, ${tell(reserved)} may still be charged`;
  return `${tell(spent)} of ${tellPrice(credits, price)} spent${open}, ${tell(leftOfBudget(use))} left`;
}

/** A budget is a person's limit: nothing advises a higher one. */
export function wayPastBudget(of = 'the budget', start = 'the same command'): string {
  return `Whoever set ${of} decides whether it is raised: with a higher one, ${start} continues.`;
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
      return `${named} stopped at its budget${tellStopped(seen)}. ${wayPastBudget('it', start)}`;
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
      return `${named} was cut off: its process was killed, or the machine stopped. ${again()}`;
    case 'cancelled':
      return `${named} was cancelled${since(run.left?.at ?? run.endedAt)}. What it paid for serves the next run of ${run.job}.`;
    case 'replaced': {
      const by = successor === null ? 'a later run' : `run ${successor}`;
      return `${named} was replaced by ${by}${since(run.left?.at ?? run.endedAt)}, since the job or its input had changed. What it paid for serves that run.`;
    }
  }
}

function since(at: number | null | undefined): string {
  return typeof at === 'number' ? ` at ${formatTime(at)} (UTC)` : '';
}

function tellMet(cap: Standstill['cap']): string {
  if (cap === null) return 'a cap, and there is room again';
  const { met, of } = cap;
  const step = of.step === undefined ? '' : ` of the step ${of.step.name}`;
  return `the cap of ${tellCap(met, of.credit)}${step}: ${tellUse(met, of.credit)}. It goes on with its next start after that, or once the cap is raised`;
}

function tellStopped({ budget, run: { credit, priceMax } }: Standstill): string {
  if (budget === null) return '';
  const more =
    priceMax === undefined
      ? ''
      : `, for ${tellPrice(timesCredits(priceMax, budget.queued), credit)} at most`;
  return `: ${tellBudget(budget, credit)}, and ${formatCount(budget.queued, 'request is', 'requests are')} still to send${more}`;
}
