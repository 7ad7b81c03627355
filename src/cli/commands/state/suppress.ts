// sluice suppress: people who must never be asked for. Its output names no person: the state keeps digests alone.

import { stateOf } from '../../../app/settings/command-settings.js';
import {
  checkReason,
  demandPerson,
  manyShare,
  sharedBy,
  suppressPerson,
  suppressTable,
} from '../../../app/state/suppress-people.js';
import { COLUMN_INPUTS, INPUTS, type Inputs } from '../../../model/ask.js';
import { identifiersOf, namedBy } from '../../../model/suppression.js';
import type { Store } from '../../../ports/store/store.js';
import type { Suppression } from '../../../ports/store/suppressions.js';
import { tellChecked, tellSuppressions } from '../../../tell/tell-known.js';
import { confirm } from '../../ask.js';
import { command, sayPage } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { parseInputs } from '../../job-flags.js';
import { stateCommand, withStateAt } from '../../open-state.js';
import { JSON_OPTION, needed, number, STATE_OPTION, text, texts, toggle } from '../../options.js';
import { badLines, formatCount, formatNumber } from '../../print/format.js';

/** The positional of a command about one person. */
export const PERSON = needed(
  `The person, or all people of a companyDomain, as INPUT=VALUE; the inputs are ${INPUTS.join(', ')}`,
  { array: true },
);

/** The person of such words. @throws SluiceError `usage` */
function personOf(called: string, words: readonly string[]): Inputs {
  return demandPerson(parseInputs(called, { inputs: INPUTS, value: 'VALUE' }, words));
}

const REASON_OPTION = {
  reason: text('Why, for the rows of their leads', { default: '' }),
} as const;

const LISTED_AT_ONCE = 500;

const addCommand = command({
  command: 'add <person..>',
  describe: 'Never ask for a person, or for anybody of a domain',
  args: { person: PERSON },
  options: {
    ...REASON_OPTION,
    yes: toggle('Without asking, also a domain that many people share'),
    ...STATE_OPTION,
    ...JSON_OPTION,
  },
  examples: {
    'sluice suppress add email=ada@example.com --reason "asked us to"': '',
    'sluice suppress add firstName=Ada lastName=Lovelace companyDomain=engines.example': '',
    'sluice suppress add companyDomain=engines.example': 'Everybody there',
  },
  handler: async (args) => {
    const reason = checkReason(args.reason);
    const person = personOf('suppress add', args.person);
    const shared = sharedBy(person);
    if (shared !== undefined && !args.yes && !(await confirmShared(shared))) {
      return { json: { added: 0, already: 0 }, lines: 'Nobody was suppressed.' };
    }
    return withStateAt(stateOf(args.state, commandEnvironment()), async (store) => {
      const added = (await suppressPerson(store, person, reason)) ? 1 : 0;
      return { json: { added, already: 1 - added }, lines: addedLine(added, 1 - added) };
    });
  },
});

/** @throws SluiceError `usage` without a terminal, which names --yes */
async function confirmShared(shared: string): Promise<boolean> {
  const isSure = await confirm(
    `Many people share ${shared}. Suppress everybody who has an address or a profile there?`,
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
  args: { file: needed('CSV, NDJSON or workbook; - is standard input') },
  options: {
    map: texts('Column of an input, as INPUT=COLUMN; others are guessed as those of leads are'),
    ...REASON_OPTION,
    yes: toggle('Also domains that many people share'),
    ...STATE_OPTION,
    ...JSON_OPTION,
  },
  examples: { 'sluice suppress import unsubscribed.csv --reason unsubscribed': '' },
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
  lists: true,
  describe: 'List the suppressions by number; the state does not know who they are',
  options: { limit: number('How many of the newest', { default: 100 }) },
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
  command: 'check <person..>',
  describe: 'Say whether a person, or a domain, is suppressed',
  args: { person: PERSON },
  prepare: ({ person }) => personOf('suppress check', person),
  handler: async (_args, store, _path, person) => {
    const { json, lines } = sayPage(tellChecked([await suppressionsOf(store, person)]));
    return { json: [json].flat()[0] ?? {}, lines };
  },
});

const removeCommand = stateCommand({
  command: 'remove <who..>',
  describe: 'Let people be asked for again, by number or by who they are',
  args: {
    who: needed('Numbers, as "sluice suppress list" has them; or a person, as for "add"', {
      array: true,
    }),
  },
  prepare: ({ who }) => {
    const isNumbers = who.every((word) => /^\d{1,15}$/.test(word));
    return isNumbers
      ? { numbers: who.map(Number), person: undefined }
      : { numbers: [], person: personOf('suppress remove', who) };
  },
  handler: async (_args, store, _path, { numbers, person }) => {
    const named = person === undefined ? [] : await store.suppressionsOf([namedBy(person)]);
    const ids = [...numbers, ...named.flat().map(({ id }) => id)];
    const removed = await store.unsuppress([...new Set(ids)]);
    const lines =
      removed === 0
        ? 'No such suppression. "sluice suppress list" has the numbers.'
        : `${formatCount(removed, 'suppression')} removed. Leads of theirs are asked for from the next run on, and rows show what is known.`;
    const left = person === undefined ? [] : await suppressionsOf(store, person);
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

/** Those of the person, and those of everybody in a domain that the person is in. */
async function suppressionsOf(store: Store, person: Inputs) {
  return (await store.suppressionsOf([identifiersOf(person)])).flat();
}

export const suppressCommands = command({
  commands: [addCommand, importCommand, listCommand, checkCommand, removeCommand],
});
