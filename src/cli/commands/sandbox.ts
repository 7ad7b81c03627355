// sluice sandbox: the platform on your own machine, as a process of its own.
import { command, NUMBER, TEXT } from '../command.js';

interface SandboxArguments {
  port: number;
  host: string;
  username: string;
  password: string;
  seed: number;
  latency: string;
  sigma: number;
  rate: string;
  ledger: string | undefined;
}

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
    }),
  handler: async (args) => {
    const { openSandbox } = await import('../../sandbox/open-sandbox.js');
    const { parseRate } = await import('../../domain/rate.js');
    const { parseDuration } = await import('../../domain/duration.js');
    const { SluiceError } = await import('../../domain/errors.js');
    const rate = parseRate(args.rate);
    const medianMs = parseDuration(args.latency);
    if (rate === undefined) {
      throw new SluiceError('usage', '--rate: a rate is written like 20/2s, or off.', {
        flag: 'rate',
      });
    }
    if (medianMs === undefined) {
      throw new SluiceError('usage', '--latency: a duration is written like 10s or 500ms.', {
        flag: 'latency',
      });
    }
    const sandbox = await openSandbox({
      port: args.port,
      host: args.host,
      username: args.username,
      password: args.password,
      seed: args.seed,
      latency: { medianMs, sigma: args.sigma },
      rate,
      ...(args.ledger === undefined ? {} : { ledgerFile: args.ledger }),
    });
    console.log(
      `Sandbox at ${sandbox.url} (user ${args.username}); what it accepted and charged: ${sandbox.url}/sandbox/ledger`,
    );
    console.log('Ctrl+C stops it.');
    await new Promise<void>((resolve) => {
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
    });
    await sandbox.close();
  },
});
