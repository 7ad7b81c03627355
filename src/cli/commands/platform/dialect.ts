// sluice dialect: shows a dialect whole, and checks a dialect file, by itself and at its platform.
import { command, JSON_OPTION, TEXT } from '../../command.js';
import { SAY_WHAT } from '../../flags/describe-misuse.js';
import { PLATFORM_OPTIONS, type PlatformArguments } from '../../flags/platform-flags.js';

interface ShowArguments {
  dialect: string | undefined;
  changed: boolean;
  json: boolean;
}

interface CheckArguments extends Omit<PlatformArguments, 'dialect'> {
  file: string;
}

const { dialect: DIALECT_OPTION, ...OTHER_PLATFORM_OPTIONS } = PLATFORM_OPTIONS;

const showCommand = command<ShowArguments>({
  command: 'show',
  describe: 'Print the dialect, every default filled in, as a dialect file',
  builder: (yargs) =>
    yargs
      .options({
        dialect: DIALECT_OPTION,
        changed: {
          type: 'boolean',
          default: false,
          describe: 'Only what differs from the neutral dialect',
        },
        ...JSON_OPTION,
      })
      .example('$0 dialect show --dialect acme.yaml --changed', 'What the file changes'),
  handler: async (args) => {
    const { showDialect } = await import('../../print/reports/print-dialect.js');
    await showDialect(args);
  },
});

const checkCommand = command<CheckArguments>({
  command: 'check <file>',
  describe: 'Check a dialect file; with --url, also at its platform, by calls that cost nothing',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'Dialect file' })
      .options({
        ...OTHER_PLATFORM_OPTIONS,
        url: {
          ...TEXT,
          describe: 'Base address of the platform to try it at; without one, nothing is sent',
        },
        ...JSON_OPTION,
      })
      .example(
        '$0 dialect check acme.yaml --url https://api.acme.example',
        'Exit code 1: it is wrong',
      ),
  handler: async (args) => {
    const { printDialectCheck } = await import('../../print/reports/print-dialect.js');
    await printDialectCheck(args);
  },
});

export const dialectCommand = command<object>({
  command: 'dialect <command>',
  describe: "Show or check a description of a platform's wire format",
  builder: (yargs) =>
    yargs.command([showCommand, checkCommand] as never).demandCommand(1, SAY_WHAT.dialect),
  handler: () => undefined,
});
