// sluice listen: receives webhooks while no run is active.

import type { RunObserver } from '../../../model/telemetry/run-event.js';
import { printable } from '../../../model/text/printable.js';
import { command, STATE_OPTION, TEXT } from '../../command.js';
import { LOG_OPTION, type LogArguments } from '../../flags/log-option.js';

interface ListenArguments extends LogArguments {
  listen: string | undefined;
  'metrics-listen': string | undefined;
  state: string | undefined;
  quiet: boolean;
}

export const listenCommand = command<ListenArguments>({
  command: 'listen',
  describe: 'Receive webhooks and keep them for the next run; a run may be active beside it',
  builder: (yargs) =>
    yargs
      .options({
        listen: { ...TEXT, describe: '[HOST:]PORT to listen on (default: 127.0.0.1:8640)' },
        'metrics-listen': {
          ...TEXT,
          describe: 'Serve metrics at [HOST:]PORT: not where webhooks arrive (default: nowhere)',
        },
        ...STATE_OPTION,
        ...LOG_OPTION,
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
    const { untilStopped } = await import('../../until-stopped.js');
    const { commandEnvironment } = await import('../../command-environment.js');
    const { JOB_DEFAULTS } = await import('../../../app/job-settings.js');
    const { listen } = await import('../../../app/listen/listen.js');
    const { parseListenAddress } = await import('../../../model/text/address.js');
    const { SluiceError } = await import('../../../model/errors.js');
    const { formatCount } = await import('../../print/format.js');
    const { newState } = await import('../../run-and-report.js');
    const { withLog } = await import('../../with-log.js');
    const addressOf = (flag: string, text: string) => {
      const address = parseListenAddress(text);
      if (address !== undefined) return address;
      throw new SluiceError(
        'usage',
        `--${flag}: where to listen is written PORT or HOST:PORT, like 8640 or 0.0.0.0:8640.`,
        { flag },
      );
    };
    const address = addressOf('listen', args.listen ?? JOB_DEFAULTS.listen);
    const metricsText = args['metrics-listen'];
    const metricsListen =
      metricsText === undefined ? undefined : addressOf('metrics-listen', metricsText);
    const environment = commandEnvironment();
    const state = args.state ?? environment.state ?? JOB_DEFAULTS.state;
    await withLog(args, async ({ isAlone, watch: { observe } }) => {
      let kept = 0;
      const say = (line: string): void => {
        if (!args.quiet && !isAlone) console.error(line);
      };
      const onKept = (count: number): void => {
        kept += count;
      };
      const onTrouble = (error: unknown): void => {
        if (isAlone) return;
        console.error(
          printable(`sluice: ${error instanceof Error ? error.message : String(error)}`),
        );
      };
      const asked = { state, address, metricsListen, environment };
      const tell: RunObserver = (event) => {
        observe(event);
        if (event.kind === 'state.new') say(newState(event));
      };
      const listening = await listen({ ...asked, observe: tell, onKept, onTrouble });
      say(`Listening at ${listening.url} for the state file ${state}. Ctrl+C stops it.`);
      if (listening.metricsUrl !== undefined) say(`Metrics are at ${listening.metricsUrl}.`);
      await untilStopped();
      await listening.close();
      say(`${formatCount(kept, 'delivery', 'deliveries')} kept.`);
    });
  },
});
