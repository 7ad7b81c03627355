// What a person can do about leads without an answer, once their run has ended.
import type { RunReport } from '../app/conclude-run.js';
import { leadsIn } from '../domain/tally.js';

/** `command` starts the job once more, as a person would type it. */
export function advise(
  { run, tally }: Pick<RunReport, 'run' | 'tally'>,
  command: string,
): string[] {
  const timedOut = leadsIn(tally, 'timed_out');
  const uncertain = leadsIn(tally, 'uncertain');
  // The files of a drop folder are done: no later run meets their leads by itself.
  const isDone = run.digests !== undefined;
  const after = (only: string): string => `sluice retry ${run.id} --only ${only}, then ${command}`;
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
  return lines;
}
