// sluice help [TOPIC|COMMAND]: what there is to do, by subject; or a command with its flags.

import { JOB_KEYS } from '../../config/job-schema.js';
import { wrongUse } from '../../model/errors.js';
import { command } from '../command.js';
import { allHelp, helpOfCommand, helpPage, overviewPage, topicPage, WORDS } from '../help.js';
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
    const isKey = Object.hasOwn(JOB_KEYS, first);
    throw wrongUse(
      `There is no subject or command "${words.join(' ')}". ${isKey ? `It is a key of a job: "sluice keys ${first}" explains it.` : `"sluice --help" lists them; ${WORDS} explains other words.`}`,
    );
  },
});
