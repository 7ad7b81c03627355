// sluice schema people: the fields of the people database, and what has changed in them.
import { command, JSON_OPTION } from '../../command.js';
import { PLATFORM_OPTIONS, type PlatformArguments } from '../../flags/platform-flags.js';

interface SchemaArguments extends PlatformArguments {
  of: 'people';
  check: boolean;
}

export const schemaCommand = command<SchemaArguments>({
  command: 'schema <of>',
  describe: 'Show the fields of the people database, or check what has changed in them',
  builder: (yargs) =>
    yargs
      .positional('of', {
        choices: ['people'] as const,
        demandOption: true,
        describe: 'Which schema',
      })
      .options({
        check: {
          type: 'boolean',
          default: false,
          describe:
            'Compare with the documented fields and with the last check; exit code 1 on a change',
        },
        ...PLATFORM_OPTIONS,
        ...JSON_OPTION,
      })
      .example('$0 schema people --check', 'For cron: silent unless something has changed'),
  handler: async (args) => {
    const { checkPeopleSchema, showPeopleSchema } = await import(
      '../../print/reports/print-schema.js'
    );
    await (args.check ? checkPeopleSchema(args) : showPeopleSchema(args));
  },
});
