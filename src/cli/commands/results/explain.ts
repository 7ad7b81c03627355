// sluice explain RUN LINE: everything that is known about one line of a run's input.

import { explainLine, linesBeside } from '../../../app/results/explain-line.js';
import { wrongUse } from '../../../model/errors.js';
import { notes } from '../../../tell/shared.js';
import { tellLine } from '../../../tell/tell-line.js';
import { findRun, stateCommand } from '../../open-state.js';
import { number, RUN, text } from '../../options.js';

export const explainCommand = stateCommand({
  args: {
    run: RUN,
    line: number('Line of the input file; the header is line 1', { demandOption: true }),
  },
  options: { source: text('The input file, where a run has read several') },
  examples: { 'sluice explain 3 17': 'The story of line 17 in run 3' },
  prepare: ({ line }) => {
    if (Number.isSafeInteger(line) && line >= 1) return;
    const message =
      'Give the number of the line in the input file, counted from 1; the header is line 1.';
    throw wrongUse(message);
  },
  handler: async ({ run: id, line, source }, store, path) => {
    await findRun(store, path, id);
    const story = await explainLine(store, id, { line, source });
    const page = tellLine(story, await linesBeside(store, story));
    return { ...page, parts: [...notes(page.title), ...page.parts] };
  },
});
