// sluice lookup: asks for one person without a file, as a run of one lead: no person is paid for twice.

import { knownOfPerson } from '../../../app/results/known-of-person.js';
import { readRows } from '../../../app/results/read-rows.js';
import { demandPerson } from '../../../app/state/suppress-people.js';
import { digestHex } from '../../../identity/digest.js';
import { INPUTS, type Inputs } from '../../../model/ask.js';
import type { Row } from '../../../model/columns/row.js';
import { wrongUse } from '../../../model/errors.js';
import { tellKnown } from '../../../tell/tell-known.js';
import { command, say } from '../../command.js';
import { type FlagValues, jobFlags, parseInputs, settingsOfJob } from '../../job-flags.js';
import { withState } from '../../open-state.js';
import { JSON_OPTION, needed, QUIET_OPTION, toggle } from '../../options.js';
import { type CommandLog, LOG_OPTION, withLog } from '../../with-log.js';
import { inColumns } from '../platform/result.js';

const FLAGS = [
  'ask',
  'url',
  'dialect',
  'sandbox',
  'account',
  'rate',
  'fresh-for',
  'timeout',
  'deadline',
  'budget',
  'pay-anew',
  'positions',
  'state',
] as const;

export const lookupCommand = command({
  args: {
    known: needed(`The known inputs, as INPUT=VALUE; the inputs are ${INPUTS.join(', ')}`, {
      array: true,
    }),
  },
  options: {
    ...jobFlags(FLAGS),
    tell: toggle('Ask nothing: tell what the state knows of the person, and where that went'),
    ...JSON_OPTION,
    ...LOG_OPTION,
    ...QUIET_OPTION,
  },
  examples: {
    'sluice lookup firstName=Ada lastName=Lovelace companyDomain=engines.example --ask find_email --url sandbox':
      'Try it for free',
    'sluice lookup email=ada@engines.example --tell': 'What is known, and who may have it',
  },
  handler: async (args) => {
    const inputs = parseInputs('lookup', { inputs: INPUTS, value: 'VALUE' }, args.known);
    if (Object.values(inputs).some((value) => value.trim() === '')) {
      throw wrongUse('lookup: one of the values is empty. Leave it out.');
    }
    if (args.tell) {
      const person = demandPerson(inputs);
      const { state } = args as { readonly state?: string };
      return withState(state, async (store) => tellKnown(await knownOfPerson(store, person)));
    }
    return withLog(args, (log) => lookUp(inputs, args, log));
  },
});

interface LookupFlags extends FlagValues {
  readonly json: boolean;
  readonly quiet: boolean;
}

/** A run of one lead, whose row is printed. */
async function lookUp(inputs: Inputs, args: LookupFlags, log: CommandLog): Promise<void> {
  const lead = JSON.stringify(inputs);
  // The same question is the same job, so that the next command continues one that was cut off.
  const known = INPUTS.map((input) => inputs[input] ?? null);
  const name = `lookup-${digestHex(JSON.stringify(known)).slice(0, 8)}`;
  const map = Object.fromEntries(Object.keys(inputs).map((input) => [input, input]));
  const settings = settingsOfJob(
    name,
    { input: '-', out: '-', format: 'ndjson', map },
    args,
    FLAGS,
  );
  const { runAndReport } = await import('./run-and-report.js');
  const options = {
    isJson: args.json,
    isQuiet: args.quiet,
    run: {},
    commandToContinue: 'the same command',
    standardInput: oneChunk(`${lead}\n`),
    onReport: (report: { readonly run: { readonly id: number } }) =>
      withState(settings.state, async (store) => {
        for await (const row of readRows(store, report.run.id)) {
          say(
            { data: new Map(Object.entries(row)), lines: rowLines(row, Object.keys(inputs)) },
            args.json,
          );
        }
      }),
  };
  await runAndReport(settings, options, log);
}

async function* oneChunk(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(text);
}

/** A line for each cell that is not empty, besides the given ones. */
function rowLines(row: Row, given: readonly string[]): string[] {
  const isTold = ([key, value]: [string, unknown]) =>
    value !== null && value !== '' && !given.includes(key);
  return inColumns(Object.entries(row).filter(isTold));
}
