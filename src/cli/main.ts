#!/usr/bin/env node
// The command line. Each command is a file of its own and loads what it needs only when it runs.
import yargs from 'yargs';
import { SluiceError } from '../domain/errors.js';
import { enrichCommand } from './commands/enrich.js';
import { exportCommand } from './commands/export.js';
import { jobSchemaCommand } from './commands/job-schema.js';
import { planCommand } from './commands/plan.js';
import { runCommand } from './commands/run.js';
import { runsCommand } from './commands/runs.js';
import { sandboxCommand } from './commands/sandbox.js';
import { statusCommand } from './commands/status.js';
import { describeMisuse } from './describe-misuse.js';
import { EXIT } from './exit-codes.js';
import { reportError } from './report-error.js';
import { version } from './version.js';

const argv = process.argv.slice(2);
const isJson = argv.includes('--json');

// `| head` closes the pipe when it has seen enough: that is success.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.ok : reportError(error, isJson));
});

try {
  await yargs(argv)
    .scriptName('sluice')
    .usage(
      '$0 COMMAND\n\nEnriches leads through an outreach platform: every lead answered for, nothing paid for twice.',
    )
    .command(runCommand)
    .command(enrichCommand)
    .command(planCommand)
    .command(statusCommand)
    .command(runsCommand)
    .command(exportCommand)
    .command(sandboxCommand)
    .command(jobSchemaCommand)
    .demandCommand(1, 'Say what to do: one of the commands that "sluice --help" lists.')
    .strictCommands()
    .strict()
    .parserConfiguration({ 'boolean-negation': true, 'camel-case-expansion': false })
    .version(version())
    .help()
    .alias('help', 'h')
    .epilogue('Credentials come from SLUICE_USERNAME and SLUICE_PASSWORD (or …_FILE).')
    .wrap(Math.min(100, process.stdout.columns ?? 100))
    .fail((message, error, instance) => {
      // A flag without its value is told by an error of yargs' own.
      if (error !== undefined && error.name !== 'YError') throw error;
      if (argv.length === 0) instance.showHelp('error');
      throw new SluiceError('usage', describeMisuse(message));
    })
    .parseAsync();
} catch (error) {
  process.exitCode = reportError(error, isJson);
}
