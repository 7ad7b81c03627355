// Commands that a person may type next, written so that they mean the same state file.
import { existsSync } from 'node:fs';
import { JOB_DEFAULTS } from '../../app/job-settings.js';
import { shellWord } from '../../model/text/printable.js';
import { commandEnvironment } from '../command-environment.js';

/** ` --state FILE` where the command would look elsewhere without it, else nothing. */
export function stateFlag(path: string): string {
  const usual = commandEnvironment().state ?? JOB_DEFAULTS.state;
  return path === usual ? '' : ` --state ${shellWord(path)}`;
}

/** Runs a job, or goes on with it. */
export function runCommandLine(job: string, path: string | undefined): string {
  return `sluice run ${shellWord(job)}${path === undefined ? '' : stateFlag(path)}`;
}

/** The command that starts that job; only of one in jobs/ is it known. */
export function commandOf(job: string, path: string): string | undefined {
  return existsSync(`jobs/${job}.yaml`) ? runCommandLine(job, path) : undefined;
}

/** How a run of that job goes on. */
export function continueWith(job: string, path: string): string {
  const command = commandOf(job, path);
  return command === undefined ? 'Start it as before; it continues.' : `Continue with: ${command}`;
}
