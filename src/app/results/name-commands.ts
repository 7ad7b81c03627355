// The names of a job and its state in commands, for advice that a user can type.
import { existsSync } from 'node:fs';
import { DEFAULTS } from '../../config/defaults.js';
import type { CommandNames } from '../../model/report/advice.js';
import { shellWord } from '../../model/text/printable.js';
import type { Environment } from '../settings/environment.js';

type Usual = Pick<Environment, 'state'>;

/** ` --state FILE` if a command would otherwise use another file, else nothing. */
export function stateFlag(path: string, { state = DEFAULTS.state }: Usual): string {
  return path === state ? '' : ` --state ${shellWord(path)}`;
}

export function runCommandLine(job: string, path: string | undefined, usual: Usual): string {
  return `sluice run ${shellWord(job)}${path === undefined ? '' : stateFlag(path, usual)}`;
}

/** The command that starts that job; known only if the job is in jobs/. */
function commandOf(job: string, path: string, usual: Usual): string | undefined {
  return existsSync(`jobs/${job}.yaml`) ? runCommandLine(job, path, usual) : undefined;
}

/** `start`: if it is not known, the command by which the user has started the job, told by the job's name. */
export function nameCommands(
  job: string,
  path: string,
  usual: Usual,
  start = commandOf(job, path, usual),
): CommandNames {
  return {
    start: start ?? `the command that started ${job}`,
    again: (flags) => {
      if (start === undefined) {
        return `Start it as before${flags === undefined ? '' : `, with ${flags}`}; it continues.`;
      }
      return `Continue with: ${start}${flags === undefined ? '' : ` ${flags}`}`;
    },
    state: stateFlag(path, usual),
  };
}
