// What a person can do about leads without an answer, once their run has ended.
import type { RunReport } from '../../app/run/conclude-run.js';
import { leadsIn } from '../../model/tally.js';
import { formatCount } from './format.js';
import { stateFlag } from './next-command.js';

/** `command` starts the job once more, as a person would type it; `state` is the path of the state file. */
export function advise(
  { run, tally }: Pick<RunReport, 'run' | 'tally'>,
  command: string,
  state: string,
): string[] {
  const failed = leadsIn(tally, 'failed');
  const timedOut = leadsIn(tally, 'timed_out');
  const uncertain = leadsIn(tally, 'uncertain');
  // The files of a drop folder are done: no later run meets their leads by itself.
  const isDone = run.digests !== undefined;
  const after = (only: string): string =>
    `sluice retry ${run.id} --only ${only}${stateFlag(state)}, then ${command}`;
  const resend = isDone ? `this does: ${after('uncertain')}.` : '--resend-uncertain does.';
  const lines: string[] = [];
  if (uncertain > 0) {
    lines.push(
      `uncertain: sent, and nobody knows whether the platform took it. Sluice never sends these again by itself, for it may pay twice; ${resend}`,
    );
  }
  if (timedOut > 0) {
    lines.push(
      `timed_out: the answer may still come. Ask again, for nothing, with: ${isDone ? after('timed_out') : command}`,
    );
  }
  if (failed > 0) {
    const { priceMax } = run;
    const price =
      priceMax === undefined
        ? 'may cost credits'
        : `costs ${formatCount(failed * priceMax, 'credit')} at most`;
    lines.push(
      `failed: later runs say the same, though the reason may have passed. To read their tickets once more costs nothing: ${after('failed')}. To ask anew, with --ask-anew, ${price}.`,
    );
  }
  return lines;
}
