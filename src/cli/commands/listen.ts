// sluice listen: receives webhooks while no run is active.

import { listen } from '../../app/listen/listen.js';
import { stateOf } from '../../app/settings/command-settings.js';
import { DEFAULTS } from '../../config/defaults.js';
import { loadDialect } from '../../config/load-dialect.js';
import { formatCount } from '../../model/text/count.js';
import { printable } from '../../model/text/printable.js';
import { nameState } from '../../store/open-store.js';
import { command } from '../command.js';
import { commandEnvironment } from '../command-environment.js';
import { addressOf, QUIET_OPTION, STATE_OPTION, text } from '../options.js';
import { aboutState } from '../print/describe-event.js';
import { untilStopped } from '../signals.js';
import { LOG_OPTION, withLog } from '../with-log.js';

export const listenCommand = command({
  options: {
    listen: text('[HOST:]PORT to listen on (default: 127.0.0.1:8640)'),
    'metrics-listen': text(
      'Serve metrics at [HOST:]PORT: not where webhooks arrive (default: nowhere)',
    ),
    dialect: text('Dialect that says what webhooks have to show'),
    ...STATE_OPTION,
    ...LOG_OPTION,
    ...QUIET_OPTION,
  },
  examples: { 'sluice listen --listen 0.0.0.0:8640': 'Receive from everywhere' },
  notes: 'SLUICE_WEBHOOK_SECRET (or …_FILE) is the secret of a registered hook.',
  handler: async (args) => {
    const address = addressOf('listen', args.listen ?? DEFAULTS.listen);
    const metrics = args['metrics-listen'];
    const metricsListen = metrics === undefined ? undefined : addressOf('metrics-listen', metrics);
    const environment = commandEnvironment();
    const dialect = await loadDialect(args.dialect);
    const state = stateOf(args.state, environment);
    await withLog(args, async ({ isAlone, watch: { observe } }) => {
      let kept = 0;
      const say = (line: string): void => {
        if (!args.quiet && !isAlone) console.error(line);
      };
      const listening = await listen({
        state,
        address,
        metricsListen,
        dialect,
        environment,
        observe: (event) => {
          observe(event);
          const line = aboutState(event);
          if (line !== undefined) say(line);
        },
        onWait: say,
        onKept: (count) => {
          kept += count;
        },
        onTrouble: (error) => {
          if (isAlone) return;
          const message = error instanceof Error ? error.message : String(error);
          console.error(printable(`sluice: ${message}`));
        },
      });
      // Before it says so: a signal may come at once.
      const stopped = untilStopped();
      say(`Listening at ${listening.url} for ${nameState(state)}. Ctrl+C stops it.`);
      if (listening.metricsUrl !== undefined) say(`Metrics are at ${listening.metricsUrl}.`);
      await stopped;
      await listening.close();
      say(`${formatCount(kept, 'delivery', 'deliveries')} kept.`);
    });
  },
});
