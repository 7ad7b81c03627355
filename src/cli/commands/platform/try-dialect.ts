// sluice dialect try: one lead, asked for after a question, as a run of its own. The requests and answers are written
// down, and nothing is paid for twice.
import { openTranscript } from '../../../app/platform/record-calls.js';
import { checkAsks, loadDialect } from '../../../config/load-dialect.js';
import { readLead } from '../../../dialect/transcript/notes.js';
import { inOrder } from '../../../model/ask.js';
import { SluiceError } from '../../../model/errors.js';
import { printableLines } from '../../../model/text/printable.js';
import { highestPrice } from '../../../model/verdict.js';
import { writeSubmission } from '../../../platform/replay/write-submission.js';
import { confirm } from '../../ask.js';
import { command, JSON_OPTION, QUIET_OPTION, SWITCH, TEXT } from '../../command.js';
import { withJobFlags } from '../../job-flags.js';
import { formatCount } from '../../print/format.js';
import { LOG_OPTION, withLog } from '../../with-log.js';
import { lookUp } from '../runs/lookup.js';

const FLAGS = [
  'url',
  'account',
  'rate',
  'fresh-for',
  'deadline',
  'budget',
  'pay-anew',
  'state',
] as const;

export const tryCommand = command({
  command: 'try <file>',
  describe: 'Ask for one lead, which is paid for, and write down every call; asks before',
  builder: (yargs) =>
    withJobFlags(yargs, FLAGS)
      .positional('file', { type: 'string', demandOption: true, describe: 'Dialect file' })
      .options({
        lead: {
          ...TEXT,
          demandOption: true,
          describe:
            'Whom to ask about, like firstName=Ada,lastName=Lovelace,companyDomain=a.example',
        },
        ask: {
          ...TEXT,
          default: 'find_email',
          describe: 'The values to ask for, with commas between',
        },
        transcript: { ...TEXT, describe: 'File that gets the calls, without credentials' },
        yes: { ...SWITCH, describe: 'Do not ask before it is paid for' },
        ...JSON_OPTION,
        ...LOG_OPTION,
        ...QUIET_OPTION,
      }),
  handler: async (args) => {
    const { file, ask: words, transcript: path } = args;
    const inputs = readLead(args.lead);
    const dialect = await loadDialect(file);
    const ask = inOrder(words.split(',').map((word) => word.trim()));
    checkAsks(dialect, 'ask', ask);
    const lead = { inputs, ask };
    const { method, path: target, body } = await writeSubmission(dialect, lead);
    const transcript = path === undefined ? undefined : await openTranscript(path, dialect);
    const most = formatCount(highestPrice(ask, dialect.prices), 'credit');
    console.error(printableLines(`${method} ${target}${body === undefined ? '' : `\n${body}`}`));
    const sure =
      args.yes ||
      (await confirm(`Send this, unless it was sent before? It costs ${most} at most.`));
    if (sure === undefined) {
      throw new SluiceError('usage', 'There is no terminal to ask at: give --yes to send and pay.');
    }
    if (!sure) return { json: { sent: false }, lines: 'Nothing was sent.' };
    const flags = { ...args, dialect: file, ask: ask.join(',') };
    try {
      await withLog(args, (log) =>
        lookUp(inputs, flags, { log, ...(transcript && { carrying: transcript.carrying }) }),
      );
    } finally {
      await transcript?.write(lead);
    }
    return undefined;
  },
});
