// sluice sandbox: the platform on your own machine, as a process of its own. sluice sandbox emit: makes one that
// runs already tell of an event.
import type { CommandModule } from 'yargs';
import { command, NUMBER, TEXT } from '../../command.js';
import type { EmitArguments, SandboxArguments } from '../../flags/sandbox-flags.js';

const PORT = 8620;
const HOST = '127.0.0.1';

// A command below this one has none of its options.
const OWN_TEXT = { ...TEXT, global: false } as const;
const OWN_NUMBER = { ...NUMBER, global: false } as const;

const OPTIONS = {
  port: { ...OWN_NUMBER, default: PORT, describe: 'Port to listen on; 0 for any' },
  host: { ...OWN_TEXT, default: HOST, describe: 'Address to listen on' },
  username: { ...OWN_TEXT, default: 'sandbox', describe: 'User name it accepts' },
  password: {
    ...OWN_TEXT,
    default: 'sandbox',
    describe: 'Password it accepts; not a secret',
  },
  seed: { ...OWN_NUMBER, default: 1, describe: 'Another seed, other answers' },
  latency: {
    ...OWN_TEXT,
    default: '10s',
    describe: 'Median time to an answer (log-normal)',
  },
  sigma: { ...OWN_NUMBER, default: 0.6, describe: 'Spread of that time' },
  rate: {
    ...OWN_TEXT,
    describe: "Requests in any window it grants, or off (default: the dialect's, 20/2s)",
  },
  dialect: { ...OWN_TEXT, describe: 'Dialect file that says how it speaks and what it charges' },
  ledger: { ...OWN_TEXT, describe: 'File that keeps what it accepted over a restart' },
  credits: { ...OWN_NUMBER, describe: 'Credits of the account (default: always enough)' },
  fault: {
    ...OWN_TEXT,
    array: true,
    describe: 'NAME=P: a fault and its probability, 0 to 1; may be repeated',
  },
  'fault-seed': { ...OWN_NUMBER, default: 1, describe: 'Another seed, other requests struck' },
  slow: { ...OWN_TEXT, default: '2s', describe: 'How long the fault slow holds an answer back' },
  'webhook-batch': { ...OWN_NUMBER, default: 1, describe: 'Most results in one webhook body' },
  'webhook-retry': {
    ...OWN_TEXT,
    default: '1s',
    describe: 'Wait before a failed webhook is repeated; then three times as long',
  },
} as const;

const emitCommand = command<EmitArguments>({
  command: 'emit <event>',
  describe: 'Make a running sandbox tell its hooks of an event; prints the record',
  builder: (yargs) =>
    yargs
      .positional('event', {
        type: 'string',
        demandOption: true,
        describe: 'Type of the event, like emailsReplied; what a hook may subscribe to',
      })
      .options({
        field: {
          ...TEXT,
          array: true,
          describe: 'NAME=VALUE: a field of the record, as JSON or text; null leaves it out',
        },
        url: { ...TEXT, default: `http://${HOST}:${PORT}`, describe: 'Where the sandbox is' },
      })
      .example('$0 sandbox emit emailsReplied --field isThirdPartyReply=true', '')
      .example(
        '$0 sandbox emit emailsSent --field campaignId=cam_autumn --field cc=a@b.example',
        '',
      ),
  handler: async (args) => {
    const { emissionOf } = await import('../../flags/sandbox-flags.js');
    const emission = emissionOf(args);
    const { emitEvent } = await import('../../../sandbox/emit-event.js');
    const { formatCount } = await import('../../print/format.js');
    const { record, hooks } = await emitEvent(args.url, emission);
    console.log(JSON.stringify(record, null, 2));
    // Beside the record, so that standard output stays JSON.
    const goes = `It is on its way to ${formatCount(hooks, 'hook')}.`;
    console.error(hooks > 0 ? goes : 'No hook wants it: register one with POST /hooks.');
  },
});

export const sandboxCommand = command<SandboxArguments>({
  command: 'sandbox',
  describe: 'Start the sandbox: the platform on your own machine',
  builder: (yargs) =>
    yargs
      .usage('$0 sandbox\n\nStarts the sandbox: the platform on your own machine.')
      .command(emitCommand as CommandModule)
      .options(OPTIONS),
  handler: async (args) => {
    const { untilStopped } = await import('../../until-stopped.js');
    const { openSandbox } = await import('../../../sandbox/open-sandbox.js');
    const { sandboxOptionsOf } = await import('../../flags/sandbox-flags.js');
    const { loadDialect } = await import('../../../config/load-dialect.js');
    const dialect = await loadDialect(args.dialect);
    const sandbox = await openSandbox(sandboxOptionsOf(args, dialect));
    console.log(
      `Sandbox at ${sandbox.url} (user ${args.username}); what it accepted and charged: ${sandbox.url}/sandbox/ledger`,
    );
    console.log('Ctrl+C stops it.');
    await untilStopped();
    await sandbox.close();
  },
});
