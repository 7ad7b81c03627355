// The advice to the user about leads without an answer: one rule for the end of a run, `sluice status` and the report.
import type { LeadStatus } from '../answer.js';
import { timesCredits } from '../credits.js';
import type { Run } from '../run.js';
import {
  describeLeadless,
  forgottenLeads,
  leadsIn,
  type RunTally,
  retriableLeads,
} from '../tally.js';
import { formatCount } from '../text/count.js';
import { SET_ASIDE } from '../waterfall/waterfall.js';

/** The names of a run's job and its state in commands. */
export interface CommandNames {
  /** The command that starts the job again, as a user would type it. */
  readonly start: string;
  /** A sentence that says how to continue its open run, with further flags. */
  readonly again: (flags?: string) => string;
  /** ` --state FILE`, or nothing. */
  readonly state: string;
}

export function advise(
  { run, tally }: { readonly run: Run; readonly tally: RunTally },
  names: CommandNames,
): string[] {
  const aside = asideLeads(tally);
  const failed = retriableLeads(tally, 'failed') - aside;
  const forgotten = forgottenLeads(tally);
  const leadless = describeLeadless(tally, run.sources);
  const lines: string[] = [];
  if (leadless !== undefined) {
    lines.push(
      tally.rejects === 0
        ? `input: ${leadless}. Correct the input, and start the job again.`
        : `rejects: ${leadless}. The file of rejects has each with its reason: correct the input, and start the job again.`,
    );
  }
  if (leadsIn(tally, 'uncertain') > 0) {
    const resend = isDone(run)
      ? `To send them: ${helpFor('uncertain', run, names)}.`
      : 'To send them: --resend-uncertain.';
    lines.push(`uncertain: ${tellUncertain(tally)} ${resend}`);
  }
  if (leadsIn(tally, 'timed_out') > 0) {
    lines.push(
      `timed_out: the answer may still come. Ask again, for nothing, with: ${helpFor('timed_out', run, names)}`,
    );
  }
  if (failed > 0) {
    lines.push(
      `failed: later runs leave these leads alone. To look at their tickets again, for nothing: ${helpFor('failed', run, names)}. To ask again, which ${priceOf(failed, run)}: the same with --ask-anew.`,
    );
  }
  if (aside > 0) {
    lines.push(
      `failed: a step that was unavailable was not asked for ${formatCount(aside, 'lead')}. Later runs do not ask it either, as long as an answer would be fresh. To ask for them, which may cost credits: ${helpFor('failed', run, names)}.`,
    );
  }
  if (forgotten > 0) {
    lines.push(
      `failed: ${formatCount(forgotten, 'lead')} of people who were forgotten. "sluice retry" does not open them again: take their lines out of the input. A run that still reads those who are not suppressed pays again once their answers would no longer be fresh, and at once for what was not asked of them before.`,
    );
  }
  return lines;
}

/** How many leads of a run are uncertain. What that may cost is told with its credits (open-charges.ts). */
export function tellUncertain(tally: RunTally): string {
  const count = leadsIn(tally, 'uncertain');
  const sent = `${formatCount(count, 'lead was', 'leads were')} sent, and it is not known whether the platform took ${count === 1 ? 'it' : 'them'}, and charges for ${count === 1 ? 'it' : 'them'}.`;
  return `${sent} Sluice never sends these again by itself, since that may pay twice.`;
}

function priceOf(leads: number, { arePricesAssumed, priceMax }: Run): string {
  if (priceMax === undefined) return 'may cost credits';
  return `costs ${formatCount(timesCredits(priceMax, leads), 'credit')} at most${arePricesAssumed ? ', prices assumed' : ''}`;
}

/** The leads without a value for which a step of a waterfall was not asked. */
function asideLeads({ reasons }: RunTally): number {
  return reasons
    .filter(({ reason, status }) => status === 'failed' && reason.includes(SET_ASIDE))
    .reduce((sum, { leads }) => sum + leads, 0);
}

/** The next steps for leads without an answer, as one text; for some there is a reason, and no command that helps. */
export function tellNext(
  report: { readonly run: Run; readonly tally: RunTally },
  names: CommandNames,
): string {
  return [tellWhy(report.run, names), ...advise(report, names)].join(' ');
}

export function tellWhy({ id }: Pick<Run, 'id'>, { state }: Pick<CommandNames, 'state'>): string {
  return `"sluice status ${id}${state}" says why.`;
}

/** The command that may bring leads of this status an answer; null if there is none. */
export function helpFor(status: LeadStatus, run: Run, names: CommandNames): string | null {
  const after = `sluice retry ${run.id} --only ${status}${names.state}, then ${names.start}`;
  if (status === 'failed') return after;
  if (status === 'timed_out') return isDone(run) ? after : names.start;
  if (status === 'uncertain') return isDone(run) ? after : `${names.start} --resend-uncertain`;
  return null;
}

/** Whether the files of a drop folder are done, so that no later run reads their leads by itself. */
function isDone({ digests }: Run): boolean {
  return digests !== undefined;
}
