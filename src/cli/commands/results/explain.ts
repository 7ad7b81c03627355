// sluice explain RUN LINE: the whole story of one line of a run's input.
import { printableJson } from '../../../model/text/printable.js';
import { command, JSON_OPTION, STATE_OPTION, TEXT } from '../../command.js';

interface ExplainArguments {
  run: number;
  line: number;
  source: string | undefined;
  state: string | undefined;
  json: boolean;
}

export const explainCommand = command<ExplainArguments>({
  command: 'explain <run> <line>',
  describe: 'Tell everything about one line of the input: what was asked, sent, paid and answered',
  builder: (yargs) =>
    yargs
      .positional('run', { type: 'number', demandOption: true, describe: 'Number of the run' })
      .positional('line', {
        type: 'number',
        demandOption: true,
        describe: 'Line of the input file; the header is line 1',
      })
      .options({
        source: { ...TEXT, describe: 'The input file, where a run has read several' },
        ...STATE_OPTION,
        ...JSON_OPTION,
      })
      .example('$0 explain 3 17', 'What became of line 17 in run 3'),
  handler: async (args) => {
    const { findRun, withState } = await import('../../open-state.js');
    const { explainLine } = await import('../../../app/state/explain-line.js');
    const { SluiceError } = await import('../../../model/errors.js');
    const { storyJson, storyLines } = await import('../../print/print-line-history.js');
    if (!Number.isSafeInteger(args.line) || args.line < 1) {
      const message = 'A line is named by its number in the input file, counted from 1.';
      throw new SluiceError('usage', message);
    }
    await withState(args.state, async (store, path) => {
      const run = await findRun(store, path, args.run);
      const story = await explainLine(store, run, args.line, args.source);
      if (args.json) console.log(printableJson(JSON.stringify(storyJson(story))));
      else for (const line of storyLines(story)) console.log(line);
    });
  },
});
