// sluice status [RUN]: the numbers of one run, at any time, or again and again while it goes on.
import { command, JSON_OPTION, STATE_OPTION } from '../../command.js';

interface StatusArguments {
  run: number | undefined;
  watch: boolean;
  state: string | undefined;
  json: boolean;
}

export const statusCommand = command<StatusArguments>({
  command: 'status [run]',
  describe: 'Show what happened to the leads of a run (default: the newest)',
  builder: (yargs) =>
    yargs.positional('run', { type: 'number', describe: 'Number of the run' }).options({
      watch: {
        alias: 'w',
        type: 'boolean',
        default: false,
        describe: 'Look again while the run goes on; Ctrl+C stops it',
      },
      ...STATE_OPTION,
      ...JSON_OPTION,
    }),
  handler: async (args) => {
    const { findRun, withState } = await import('../../open-state.js');
    const { lookAtRun } = await import('../../print/look-at-run.js');
    await withState(args.state, async (store, path) => {
      const run = await findRun(store, path, args.run);
      if (args.watch) {
        const { watchStatus } = await import('../../print/watch-status.js');
        const { untilStopped } = await import('../../until-stopped.js');
        const { EXIT } = await import('../../exit-codes.js');
        const { systemClock: clock } = await import('../../../app/system-clock.js');
        const stop = new AbortController();
        void untilStopped().then(() => stop.abort());
        process.stdout.once('close', () => stop.abort());
        const { json: isJson } = args;
        const look = () => lookAtRun(store, path, run.id, isJson);
        const last = await watchStatus(look, {
          screen: process.stdout,
          isJson,
          clock,
          signal: stop.signal,
        });
        if (last?.state === 'interrupted') process.exitCode = EXIT.unanswered;
        return;
      }
      const { lines, line } = await lookAtRun(store, path, run.id, args.json);
      console.log(args.json ? line : lines.join('\n'));
    });
  },
});
