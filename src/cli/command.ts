// What a command is, and the options that every command shares.
import type { CommandModule } from 'yargs';

/**
 * Keeps the types of a command's builder and handler together. `A` is what its options and positionals
 * parse to. A builder may load its options lazily, so that `sluice --help` loads nothing.
 */
export function command<A>(definition: CommandModule<object, A>): CommandModule<object, A> {
  return definition;
}

/** With exactly one value: left to itself, yargs takes the value `-` for another flag. */
export const TEXT = { type: 'string', nargs: 1 } as const;
export const NUMBER = { type: 'number', nargs: 1 } as const;

export const JSON_OPTION = {
  json: { type: 'boolean', default: false, describe: 'Print JSON for a script to read' },
} as const;

export const FORCE_OPTION = {
  force: {
    type: 'boolean',
    default: false,
    describe: 'Replace files that Sluice did not write; never an input, a job or a state file',
  },
} as const;

export const STATE_OPTION = {
  state: { ...TEXT, describe: 'State file (default: SLUICE_STATE, or data/sluice.db)' },
} as const;

/** The positional of commands that steer a job; `find-job.ts` finds it in the state file. */
export const JOB_OF_STATE = {
  type: 'string',
  demandOption: true,
  describe: 'Name of the job, or number of one of its runs',
} as const;
