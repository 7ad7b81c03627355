// sluice help [TOPIC|COMMAND]: what there is to do, by subject; or a command with its flags.
import { command } from '../command.js';
import { allHelp, helpJson, helpLines, helpOfCommand, overviewLines, topicLines } from '../help.js';
import { wrongUse } from '../misuse.js';
import { JSON_OPTION, texts } from '../options.js';

export const helpCommand = command({
  args: { words: texts('A subject, or a command') },
  options: { ...JSON_OPTION },
  handler: async ({ json: isJson, words = [] }) => {
    const [first] = words;
    if (first === undefined) return { json: isJson ? await allHelp() : {}, lines: overviewLines() };
    const help = await helpOfCommand(words);
    const lines = help === undefined ? topicLines(first) : helpLines(help);
    if (lines !== undefined) return { json: helpJson(help), lines };
    throw wrongUse(
      `There is no subject or command "${words.join(' ')}". "sluice --help" lists them.`,
    );
  },
});
