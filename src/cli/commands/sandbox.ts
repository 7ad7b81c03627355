// sluice sandbox: the platform on your own machine, as a process of its own.
import { command, NUMBER, TEXT } from '../command.js';
import type { SandboxArguments } from '../sandbox-flags.js';

export const sandboxCommand = command<SandboxArguments>({
  command: 'sandbox',
  describe: 'Start the sandbox: the platform on your own machine',
  builder: (yargs) =>
    yargs.options({
      port: { ...NUMBER, default: 8620, describe: 'Port to listen on; 0 for any' },
      host: { ...TEXT, default: '127.0.0.1', describe: 'Address to listen on' },
      username: { ...TEXT, default: 'sandbox', describe: 'User name it accepts' },
      password: {
        ...TEXT,
        default: 'sandbox',
        describe: 'Password it accepts; not a secret',
      },
      seed: { ...NUMBER, default: 1, describe: 'Another seed, other answers' },
      latency: {
        ...TEXT,
        default: '10s',
        describe: 'Median time to an answer (log-normal)',
      },
      sigma: { ...NUMBER, default: 0.6, describe: 'Spread of that time' },
      rate: {
        ...TEXT,
        default: '20/2s',
        describe: 'Requests in any window it grants, or off',
      },
      ledger: { ...TEXT, describe: 'File that keeps what it accepted over a restart' },
      credits: { ...NUMBER, describe: 'Credits of the account (default: always enough)' },
      fault: {
        ...TEXT,
        array: true,
        describe: 'NAME=P: a fault and its probability, 0 to 1; may be repeated',
      },
      'fault-seed': { ...NUMBER, default: 1, describe: 'Another seed, other requests struck' },
      slow: { ...TEXT, default: '2s', describe: 'How long the fault slow holds an answer back' },
      'webhook-batch': { ...NUMBER, default: 1, describe: 'Most results in one webhook body' },
      'webhook-retry': {
        ...TEXT,
        default: '1s',
        describe: 'Wait before a failed webhook is repeated; then three times as long',
      },
    }),
  handler: async (args) => {
    const { untilStopped } = await import('../until-stopped.js');
    const { openSandbox } = await import('../../sandbox/open-sandbox.js');
    const { sandboxOptionsOf } = await import('../sandbox-flags.js');
    const sandbox = await openSandbox(sandboxOptionsOf(args));
    console.log(
      `Sandbox at ${sandbox.url} (user ${args.username}); what it accepted and charged: ${sandbox.url}/sandbox/ledger`,
    );
    console.log('Ctrl+C stops it.');
    await untilStopped();
    await sandbox.close();
  },
});
