// sluice suppress: people who must never be asked for. Its output names no person: the state keeps digests alone.

import { enrichmentsAbout, tablesOf, tellTables } from '../../../app/results/known-of-person.js';
import {
  checkReason,
  demandPerson,
  manyShare,
  meansDomain,
  sharedBy,
  suppressPerson,
  suppressTable,
} from '../../../app/state/suppress-people.js';
import { COLUMN_INPUTS, INPUTS, type Inputs } from '../../../model/ask.js';
import { tellBadLines } from '../../../model/report/bad-lines.js';
import { identifiersOf, namedBy } from '../../../model/suppression.js';
import { formatCount } from '../../../model/text/count.js';
import type { Store } from '../../../ports/store/store.js';
import type { Suppression } from '../../../ports/store/suppressions.js';
import { tellChecked, tellSuppressions } from '../../../tell/tell-known.js';
import { demandYes } from '../../ask.js';
import { command } from '../../command.js';
import { EXIT } from '../../exit-codes.js';
import { parseInputs } from '../../job-flags.js';
import { stateCommand } from '../../open-state.js';
import { needed, number, text, texts, toggle } from '../../options.js';

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

const addCommand = stateCommand({
  command: 'add <person..>',
  creates: true,
  describe: 'Never ask for a person, or for anybody of a domain',
  args: { person: PERSON },
  options: {
    ...REASON_OPTION,
    yes: toggle('Without asking, also a domain that many people share'),
  },
  examples: {
    'sluice suppress add email=ada@example.com --reason "asked us to"': '',
    'sluice suppress add firstName=Ada lastName=Lovelace companyDomain=engines.example': '',
    'sluice suppress add companyDomain=engines.example': 'Everybody there',
  },
  prepare: async (args) => {
    const reason = checkReason(args.reason);
    const person = personOf('suppress add', args.person);
    const shared = sharedBy(person);
    const isSure = shared === undefined || args.yes || (await confirmShared(shared));
    return { reason, person, isSure };
  },
  handler: async (_args, store, _path, { isSure, person, reason }) => {
    if (!isSure)
      return {
        data: { added: 0, already: 0, leads: 0, tables: [] },
        lines: 'Nobody was suppressed.',
      };
    const { added, leads } = await suppressPerson(store, person, reason);
    const runs: number[] = [];
    for await (const one of enrichmentsAbout(store, [person])) runs.push(...one.runs);
    const tables = await tablesOf(store, runs);
    const data = { added, already: 1 - added, leads };
    return {
      data: { ...data, tables: tables.map(({ path }) => path) },
      lines: [addedLine(data, meansDomain(person)), tellTables(tables)],
    };
  },
});

function confirmShared(shared: string): Promise<boolean> {
  return demandYes(
    `Many people share ${shared}. Suppress everybody who has an address or a profile there?`,
    manyShare(shared).message,
  );
}

function addedLine(
  { added, already, leads }: Record<'added' | 'already' | 'leads', number>,
  isOfDomains: boolean,
): string {
  const what = isOfDomains
    ? `${formatCount(added, 'domain')} suppressed, with everybody there`
    : `${formatCount(added, 'person', 'people')} suppressed`;
  if (added === 0 && already === 0) return 'Nobody was found to suppress.';
  const known = already === 0 ? '' : `; ${formatCount(already, 'was', 'were')} so already`;
  const hidden = leads === 0 ? '' : ` That concerns ${formatCount(leads, 'lead')} of earlier runs.`;
  return `${what}${known}. No job of this state asks for them, and no row shows them.${hidden}`;
}

const importCommand = stateCommand({
  command: 'import <file>',
  creates: true,
  describe: 'Never ask for the people of a table, or of its domains if it has nothing else',
  args: { file: needed('CSV, NDJSON or workbook; - is standard input') },
  options: {
    map: texts('Column of an input, as INPUT=COLUMN; others are guessed as those of leads are'),
    ...REASON_OPTION,
    yes: toggle('Also domains that many people share'),
  },
  examples: { 'sluice suppress import unsubscribed.csv --reason unsubscribed': '' },
  prepare: ({ map = [], reason }) => ({
    map: parseInputs('--map', { inputs: COLUMN_INPUTS, value: 'COLUMN' }, map),
    reason: checkReason(reason),
  }),
  handler: async ({ file, yes: takesShared }, store, _path, wish) => {
    const { stdin: standardInput } = process;
    const { added, isOfDomains, leads, people, rejects, unused } = await suppressTable(store, {
      ...wish,
      file,
      takesShared,
      standardInput,
    });
    for (const line of tellBadLines(rejects, 'line', 'cannot be read')) console.error(line);
    for (const line of tellBadLines(unused, 'line', 'left out')) console.error(line);
    const data = { added, already: people - added, leads };
    return {
      data: { ...data, unused: unused.count, rejects: rejects.count },
      lines: [addedLine(data, isOfDomains), tellTables([])],
    };
  },
});

const listCommand = stateCommand({
  command: 'list',
  lists: true,
  describe: 'List the suppressions by number; names are not kept',
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
    return tellSuppressions(all);
  },
});

const checkCommand = stateCommand({
  command: 'check <person..>',
  describe: 'Say whether a person, or a domain, is suppressed; exit code 1 if not',
  args: { person: PERSON },
  prepare: ({ person }) => personOf('suppress check', person),
  handler: async (_args, store, _path, person) => {
    const found = await suppressionsOf(store, person);
    if (found.length === 0) process.exitCode = EXIT.unanswered;
    return tellChecked(found);
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
        : `${formatCount(removed, 'suppression')} removed. Their leads are asked for from the next run on, and rows show what is known of them.`;
    const left = person === undefined ? [] : await suppressionsOf(store, person);
    const still = [...new Set(left.map(({ id }) => id))].join(' ');
    return {
      data: { removed },
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
