// Commands that a person may type next, written so that they mean the same state file.
import { existsSync } from 'node:fs';
import { readEnvironment } from '../app/environment.js';
import { JOB_DEFAULTS } from '../app/job-settings.js';

const PLAIN_WORD = /^[\w./:@%+,-]+$/;

/** ` --state FILE` where the command would look elsewhere without it, else nothing. */
export function stateFlag(path: string): string {
  const usual = readEnvironment().state ?? JOB_DEFAULTS.state;
  return path === usual ? '' : ` --state ${shellWord(path)}`;
}

/** How a run of that job goes on; only of a job in jobs/ is the command known. */
export function continueWith(job: string, path: string): string {
  return existsSync(`jobs/${job}.yaml`)
    ? `Continue with: sluice run ${shellWord(job)}${stateFlag(path)}`
    : 'Start it as before; it continues.';
}

/** A text as one word of a command line. */
function shellWord(text: string): string {
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
