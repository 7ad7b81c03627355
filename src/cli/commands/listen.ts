// sluice listen: receives webhooks while no run is active.
import { command, STATE_OPTION, TEXT } from '../command.js';

interface ListenArguments {
  listen: string | undefined;
  state: string | undefined;
  quiet: boolean;
}

function onTrouble(error: unknown): void {
  console.error(`sluice: ${error instanceof Error ? error.message : String(error)}`);
}

export const listenCommand = command<ListenArguments>({
  command: 'listen',
  describe: 'Receive webhooks and keep them for the next run; a run may be active beside it',
  builder: (yargs) =>
    yargs
      .options({
        listen: { ...TEXT, describe: '[HOST:]PORT to listen on (default: 127.0.0.1:8640)' },
        ...STATE_OPTION,
        quiet: {
          alias: 'q',
          type: 'boolean',
          default: false,
          describe: 'Print nothing but errors',
        },
      })
      .epilogue('SLUICE_WEBHOOK_SECRET (or …_FILE) is the secret of a registered hook.')
      .example('$0 listen --listen 0.0.0.0:8640', 'Receive from everywhere'),
  handler: async (args) => {
    const { untilStopped } = await import('../until-stopped.js');
    const { readEnvironment } = await import('../../app/environment.js');
    const { JOB_DEFAULTS } = await import('../../app/job-settings.js');
    const { listen } = await import('../../app/listen.js');
    const { parseListenAddress } = await import('../../domain/listen-address.js');
    const { SluiceError } = await import('../../domain/errors.js');
    const { formatCount } = await import('../format.js');
    const address = parseListenAddress(args.listen ?? JOB_DEFAULTS.listen);
    if (address === undefined) {
      throw new SluiceError(
        'usage',
        '--listen: where to listen is written PORT or HOST:PORT, like 8640 or 0.0.0.0:8640.',
        { flag: 'listen' },
      );
    }
    const environment = readEnvironment();
    const state = args.state ?? environment.state ?? JOB_DEFAULTS.state;
    let kept = 0;
    const say = (line: string): void => {
      if (!args.quiet) console.error(line);
    };
    const onKept = (count: number): void => {
      kept += count;
    };
    const listening = await listen({ state, address, environment, onKept, onTrouble });
    say(`Listening at ${listening.url} for the state file ${state}. Ctrl+C stops it.`);
    await untilStopped();
    await listening.close();
    say(`${formatCount(kept, 'delivery', 'deliveries')} kept.`);
  },
});
