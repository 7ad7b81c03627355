// The next steps of the user, as commands for the same state file.
import {
  stateFlag as flagOf,
  nameCommands,
  runCommandLine as runLine,
} from '../../app/results/name-commands.js';
import type { RunReport } from '../../app/run/run-options.js';
import { advise as adviseWith, type CommandNames } from '../../model/report/advice.js';
import { commandEnvironment } from '../command-environment.js';

/**
 * The user's next steps for leads without an answer, once their run has ended. `command` starts the job again, as a
 * user would type it; if none is given, it is that of the job in jobs/, if there is one. `state` is the path of the
 * state file.
 */
export function advise(
  report: Pick<RunReport, 'run' | 'tally'>,
  command: string | undefined,
  state: string,
): string[] {
  return adviseWith(report, commandNames(report.run.job, state, command));
}

/** ` --state FILE` if the command would otherwise use another file, else nothing. */
export function stateFlag(path: string): string {
  return flagOf(path, commandEnvironment());
}

/** The command that runs or continues a job. */
export function runCommandLine(job: string, path: string | undefined): string {
  return runLine(job, path, commandEnvironment());
}

/** The words by which commands name that job and its state. */
export function commandNames(job: string, path: string, command?: string): CommandNames {
  return nameCommands(job, path, commandEnvironment(), command);
}
