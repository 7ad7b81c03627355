// sluice help [TOPIC|COMMAND]: what there is to do, by subject; or a command with its flags.
import { command } from '../command.js';
import { allHelp, helpOfCommand, helpPage, overviewPage, topicPage } from '../help.js';
import { wrongUse } from '../misuse.js';
import { JSON_OPTION, texts } from '../options.js';

export const helpCommand = command({
  args: { words: texts('A subject, or a command') },
  options: { ...JSON_OPTION },
  handler: async ({ json: isJson, words = [] }) => {
    const [first] = words;
    if (first === undefined) return { ...overviewPage(), ...(isJson && { data: await allHelp() }) };
    const help = await helpOfCommand(words);
    const page = help === undefined ? topicPage(first) : helpPage(help);
    if (page !== undefined) return page;
    throw wrongUse(
      `There is no subject or command "${words.join(' ')}". "sluice --help" lists them.`,
    );
  },
});
