// sluice prune: takes old runs out of the state file.
import { command, JSON_OPTION, STATE_OPTION, TEXT } from '../../command.js';

interface PruneArguments {
  'older-than': string;
  'fresh-for': string | undefined;
  'dry-run': boolean;
  state: string | undefined;
  json: boolean;
}

export const pruneCommand = command<PruneArguments>({
  command: 'prune',
  describe: 'Remove old runs from the state file; never what would have to be paid for again',
  builder: (yargs) =>
    yargs
      .options({
        'older-than': {
          ...TEXT,
          demandOption: true,
          describe: 'Runs that ended, and webhooks that came, longer ago than that: 90d, 12h',
        },
        'fresh-for': {
          ...TEXT,
          describe: 'Keep results at least so long (default: the longest fresh-for of the jobs)',
        },
        'dry-run': { type: 'boolean', default: false, describe: 'Only tell what would go' },
        ...STATE_OPTION,
        ...JSON_OPTION,
      })
      .example('$0 prune --older-than 90d --dry-run', ''),
  handler: async (args) => {
    const { withState } = await import('../../open-state.js');
    const { parseDuration } = await import('../../../model/text/time.js');
    const { SluiceError } = await import('../../../model/errors.js');
    const { pruneState } = await import('../../../app/state/prune-state.js');
    const { pruneJson, pruneLines } = await import('../../print/reports/print-pruned.js');
    const durationOf = (flag: 'older-than' | 'fresh-for', text: string): number => {
      const durationMs = parseDuration(text);
      if (durationMs !== undefined) return durationMs;
      const message = `--${flag} wants a whole number and a unit, like 90d or 12h.`;
      throw new SluiceError('usage', message, { flag });
    };
    const olderThanMs = durationOf('older-than', args['older-than']);
    const { 'fresh-for': freshFor, 'dry-run': isDryRun } = args;
    const freshForMs = freshFor === undefined ? undefined : durationOf('fresh-for', freshFor);
    await withState(args.state, async (store, path) => {
      const report = await pruneState(store, { olderThanMs, freshForMs }, !isDryRun);
      if (args.json) console.log(pruneJson(report));
      else for (const line of pruneLines(report, path)) console.log(line);
    });
  },
});
