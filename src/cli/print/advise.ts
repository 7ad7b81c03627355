// What the user can do next, as commands for the same state file.
import { existsSync } from 'node:fs';
import type { RunReport } from '../../app/run/run-options.js';
import { JOB_DEFAULTS } from '../../app/settings/job-settings.js';
import { timesCredits } from '../../model/credits.js';
import { leadsIn } from '../../model/tally.js';
import { shellWord } from '../../model/text/printable.js';
import { commandEnvironment } from '../command-environment.js';
import { formatCount } from './format.js';

/**
 * What the user can do about leads without an answer, once their run has ended. `command` starts the job again, as a
 * user would type it; `state` is the path of the state file.
 */
export function advise(
  { run, tally }: Pick<RunReport, 'run' | 'tally'>,
  command: string,
  state: string,
): string[] {
  const failed = leadsIn(tally, 'failed');
  const timedOut = leadsIn(tally, 'timed_out');
  const uncertain = leadsIn(tally, 'uncertain');
  // A drop folder's files are done: no later run reads their leads by itself.
  const isDone = run.digests !== undefined;
  const after = (only: string): string =>
    `sluice retry ${run.id} --only ${only}${stateFlag(state)}, then ${command}`;
  const resend = isDone ? `this does: ${after('uncertain')}.` : '--resend-uncertain does.';
  const lines: string[] = [];
  if (uncertain > 0) {
    lines.push(
      `uncertain: sent, and it is not known whether the platform took it. Sluice never sends these again by itself, for it may pay twice; ${resend}`,
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
        : `costs ${formatCount(timesCredits(priceMax, failed), 'credit')} at most${run.arePricesAssumed === true ? ', prices assumed' : ''}`;
    lines.push(
      `failed: later runs say the same, though the reason may have passed. Reading their tickets again costs nothing: ${after('failed')}. To ask anew, with --ask-anew, ${price}.`,
    );
  }
  return lines;
}

/** ` --state FILE` if the command would otherwise use another file, else nothing. */
export function stateFlag(path: string): string {
  const usual = commandEnvironment().state ?? JOB_DEFAULTS.state;
  return path === usual ? '' : ` --state ${shellWord(path)}`;
}

/** The command that runs or continues a job. */
export function runCommandLine(job: string, path: string | undefined): string {
  return `sluice run ${shellWord(job)}${path === undefined ? '' : stateFlag(path)}`;
}

/** The command that starts that job; known only if the job is in jobs/. */
export function commandOf(job: string, path: string): string | undefined {
  return existsSync(`jobs/${job}.yaml`) ? runCommandLine(job, path) : undefined;
}

/** How to continue a run of that job. */
export function continueWith(job: string, path: string): string {
  const command = commandOf(job, path);
  return command === undefined ? 'Start it as before; it continues.' : `Continue with: ${command}`;
}
