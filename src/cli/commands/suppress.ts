// sluice suppress: people who must never be asked for. Its output names no person: the state keeps digests alone.

import type { InferredOptionTypes } from 'yargs';
import { stateOf } from '../../app/settings/command-settings.js';
import {
  checkReason,
  manyShare,
  type NamedPeople,
  type NamedPerson,
  peopleNamed,
  suppressPeople,
  suppressTable,
} from '../../app/state/suppress-people.js';
import { COLUMN_INPUTS } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import { identifiersOf, namedBy } from '../../model/suppression.js';
import type { Store } from '../../ports/store/store.js';
import type { Suppression } from '../../ports/store/suppressions.js';
import { tellChecked, tellSuppressions } from '../../tell/tell-known.js';
import { confirm } from '../ask.js';
import {
  command,
  commandGroup,
  JSON_OPTION,
  NUMBER,
  STATE_OPTION,
  SWITCH,
  sayPage,
  TEXT,
} from '../command.js';
import { commandEnvironment } from '../command-environment.js';
import { parseInputs } from '../job-flags.js';
import { stateCommand, withStateAt } from '../open-state.js';
import { badLines, formatCount, formatNumber } from '../print/format.js';

const PERSON_OPTIONS = {
  email: { ...TEXT, array: true, describe: 'The person with this address; may be repeated' },
  url: { ...TEXT, array: true, describe: 'The person with this profile; may be repeated' },
  domain: { ...TEXT, array: true, describe: 'All people of this domain; may be repeated' },
  name: { ...TEXT, describe: 'First and last name of the person; needs --company' },
  company: { ...TEXT, describe: 'Domain or name of the company of --name' },
} as const;

const REASON_OPTION = {
  reason: { ...TEXT, default: '', describe: 'Why, for the rows of their leads' },
} as const;

const LISTED_AT_ONCE = 500;

type PersonArguments = InferredOptionTypes<typeof PERSON_OPTIONS>;

function namedIn({ company, domain, email, name, url }: PersonArguments): NamedPeople {
  return { emails: email ?? [], urls: url ?? [], domains: domain ?? [], name, company };
}

const addCommand = command({
  command: 'add',
  describe: 'Never ask for a person, or for anybody of a domain',
  builder: (yargs) =>
    yargs
      .options({
        ...PERSON_OPTIONS,
        ...REASON_OPTION,
        yes: { ...SWITCH, describe: 'Without asking, also a domain that many people share' },
        ...STATE_OPTION,
        ...JSON_OPTION,
      })
      .example('$0 suppress add --email ada@example.com --reason "asked us to"', '')
      .example('$0 suppress add --name "Ada Lovelace" --company engines.example', ''),
  handler: async (args) => {
    const reason = checkReason(args.reason);
    const { people, shared } = peopleNamed(namedIn(args));
    if (shared.length > 0 && !args.yes && !(await confirmShared(shared))) {
      return { json: { added: 0, already: 0 }, lines: 'Nobody was suppressed.' };
    }
    return withStateAt(stateOf(args.state, commandEnvironment()), async (store) => {
      const added = await suppressPeople(store, people, reason);
      const already = people.length - added;
      return { json: { added, already }, lines: addedLine(added, already) };
    });
  },
});

/** @throws SluiceError `usage` without a terminal, which names --yes */
async function confirmShared(shared: readonly string[]): Promise<boolean> {
  const isSure = await confirm(
    `Many people share ${shared.join(', ')}. Suppress everybody who has an address or a profile there?`,
  );
  if (isSure !== undefined) return isSure;
  throw manyShare(shared);
}

function addedLine(added: number, already: number): string {
  const known = already === 0 ? '' : `; ${formatCount(already, 'was', 'were')} so already`;
  return `${formatNumber(added)} suppressed${known}. No job of this state asks for them, and no row shows them.`;
}

const importCommand = command({
  command: 'import <file>',
  describe: 'Never ask for the people of a table, or of its domains if it has nothing else',
  builder: (yargs) =>
    yargs
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'CSV, NDJSON or workbook; - is standard input',
      })
      .nargs('file', 1) // so that - is a file
      .options({
        map: {
          ...TEXT,
          array: true,
          describe: 'Column of an input, as INPUT=COLUMN; others are guessed as those of leads are',
        },
        ...REASON_OPTION,
        yes: { ...SWITCH, describe: 'Also domains that many people share' },
        ...STATE_OPTION,
        ...JSON_OPTION,
      })
      .example('$0 suppress import unsubscribed.csv --reason unsubscribed', ''),
  handler: async (args) => {
    const form = { inputs: COLUMN_INPUTS, value: 'COLUMN' };
    const map = parseInputs('--map', form, args.map ?? []);
    const reason = checkReason(args.reason);
    return withStateAt(stateOf(args.state, commandEnvironment()), async (store) => {
      const { added, people, rejects, unused } = await suppressTable(store, {
        file: args.file,
        map,
        reason,
        takesShared: args.yes,
        standardInput: process.stdin,
      });
      for (const line of [
        ...badLines(rejects, 'line', 'cannot be read'),
        ...badLines(unused, 'line', 'left out'),
      ]) {
        console.error(line);
      }
      const already = people - added;
      return {
        json: { added, already, unused: unused.count, rejects: rejects.count },
        lines: addedLine(added, already),
      };
    });
  },
});

const listCommand = stateCommand({
  command: 'list',
  describe: 'List the suppressions by number; the state does not know who they are',
  builder: (yargs) =>
    yargs.options({
      limit: { ...NUMBER, default: 100, describe: 'How many of the newest' },
    }),
  handler: async ({ limit }, store) => {
    const all: Suppression[] = [];
    for (let after = 0; ; ) {
      const page = await store.suppressions(after, LISTED_AT_ONCE);
      const last = page.at(-1);
      if (last === undefined) break;
      all.push(...page);
      all.splice(0, Math.max(0, all.length - limit));
      after = last.id;
    }
    return sayPage(tellSuppressions(all));
  },
});

const checkCommand = stateCommand({
  command: 'check',
  describe: 'Say whether a person, or a domain, is suppressed',
  builder: (yargs) => yargs.options(PERSON_OPTIONS),
  prepare: (args) => peopleNamed(namedIn(args)).people,
  handler: async (_args, store, _path, people) =>
    sayPage(tellChecked(await suppressionsOf(store, people))),
});

const removeCommand = stateCommand({
  command: 'remove [numbers..]',
  describe: 'Let people be asked for again, by number or by who they are',
  builder: (yargs) =>
    yargs
      .positional('numbers', {
        type: 'number',
        array: true,
        describe: 'Numbers, as "sluice suppress list" has them',
      })
      .options(PERSON_OPTIONS),
  prepare: ({ numbers = [], ...args }) => {
    const isNamed = Object.keys(PERSON_OPTIONS).some((name) => name in args);
    if (numbers.some((one) => !Number.isSafeInteger(one))) {
      throw new SluiceError('usage', 'A suppression is named by its number: see "suppress list".');
    }
    return numbers.length > 0 && !isNamed ? [] : peopleNamed(namedIn(args)).people;
  },
  handler: async ({ numbers = [] }, store, _path, people) => {
    const ids = [...numbers, ...(await idsOf(store, people))];
    const removed = await store.unsuppress([...new Set(ids)]);
    const lines =
      removed === 0
        ? 'No such suppression. "sluice suppress list" has the numbers.'
        : `${formatCount(removed, 'suppression')} removed. Leads of theirs are asked for from the next run on, and rows show what is known.`;
    const left = people.length === 0 ? [] : (await suppressionsOf(store, people)).flat();
    const still = [...new Set(left.map(({ id }) => id))].join(' ');
    return {
      json: { removed },
      lines:
        still === ''
          ? lines
          : [
              lines,
              `Still suppressed, with everybody of a domain: "sluice suppress remove ${still}" ends that.`,
            ],
    };
  },
});

async function idsOf(store: Store, people: readonly NamedPerson[]): Promise<number[]> {
  if (people.length === 0) return [];
  const found = await store.suppressionsOf(people.map((ways) => ways.flatMap(namedBy)));
  return found.flat().map(({ id }) => id);
}

/** Those of the person, and those of everybody in a domain that the person is in. */
function suppressionsOf(store: Store, people: readonly NamedPerson[]) {
  return store.suppressionsOf(people.map((ways) => ways.flatMap(identifiersOf)));
}

export const suppressCommands = commandGroup([
  addCommand,
  importCommand,
  listCommand,
  checkCommand,
  removeCommand,
]);
