// sluice state forget: removes people permanently from the state file. It prints counts; it names only those
// who are meant by a name, which several people may have.
import { existsSync } from 'node:fs';
import { type ForgetWish, forgetPerson, namesakes } from '../../../app/state/forget-person.js';
import { sandboxLedgerOf } from '../../../app/state/state-file.js';
import {
  checkReason,
  demandPerson,
  manyShare,
  sharedBy,
  suppressPerson,
} from '../../../app/state/suppress-people.js';
import { INPUTS, type Inputs } from '../../../model/ask.js';
import { SluiceError } from '../../../model/errors.js';
import { foundAddresses, personIn } from '../../../model/suppression.js';
import { cutText, formatCount } from '../../../model/text/count.js';
import type { ForgetReport } from '../../../ports/store/maintenance.js';
import type { Store } from '../../../ports/store/store.js';
import { confirmRemoval, formatCounts } from '../../ask.js';
import type { Said } from '../../command.js';
import { parseInputs } from '../../job-flags.js';
import { wrongUse } from '../../misuse.js';
import { stateCommand } from '../../open-state.js';
import { text, toggle } from '../../options.js';
import { PERSON } from './suppress.js';

export const forgetCommand = stateCommand({
  command: 'forget <person..>',
  describe: 'Remove a person, or all people of a domain, permanently from the state',
  args: {
    person: {
      ...PERSON,
      describe:
        'email=…, socialUrl=…, or lastName=… with firstName=… and companyDomain=… or companyName=…: a person; companyDomain=… alone: everybody of a domain',
    },
  },
  options: {
    suppress: toggle('Never ask for them again either'),
    reason: text('Why they are suppressed, for the rows of their leads'),
    yes: toggle('Do it without asking'),
  },
  examples: {
    'sluice state forget email=ada@example.com': 'Show what there is, and ask',
    'sluice state forget firstName=Ada lastName=Lovelace companyDomain=engines.example': '',
    'sluice state forget email=ada@example.com --yes --suppress --reason "asked us to"': '',
    'sluice state forget companyDomain=example.com --yes': '',
  },
  // Checked before anything is removed.
  prepare: ({ person: words, reason = '', suppress }) => {
    // Addresses are taken as they are written: a host is no domain of a company, and is not to become one.
    const given = parseInputs('state forget', { inputs: INPUTS, value: 'VALUE' }, words);
    const { companyDomain, email, socialUrl, ...names } = given;
    const isNamed = Object.keys(names).length > 0;
    const person = suppress || isNamed ? demandPerson(given) : given;
    const isByName = personIn(person).some(({ kind }) => kind === 'name');
    if (!suppress && reason !== '') {
      throw wrongUse('--reason says why they are suppressed: add --suppress.');
    }
    return {
      person,
      wish: {
        emails: email === undefined ? [] : [email],
        domains: companyDomain === undefined || isByName ? [] : [companyDomain],
        urls: socialUrl === undefined ? [] : [socialUrl],
        named: isByName ? person : undefined,
      },
      reason: suppress ? checkReason(reason) : undefined,
    };
  },
  handler: async ({ yes }, store, path, { person, reason, wish }) => {
    // The links of the state to them are known only before it is removed.
    const suppress = async (): Promise<number | null> =>
      reason === undefined ? null : suppressThem(store, person, reason, yes);
    if (!yes) {
      const refused = await refusal(wish, store, path, suppress);
      if (refused !== undefined) return refused;
    } else await forgetPerson(store, wish, false);
    const suppressed = await suppress();
    const report = await forgetPerson(store, wish, true);
    if (!report.isErased) {
      throw new SluiceError(
        'store',
        `They are removed from ${path}, but traces may be left on the disk: another process was reading it meanwhile, or, in a database, a table belongs to another role or has more than 1 GiB. Run the same command again with --yes, as the owner of the tables; what is left after that goes with VACUUM (FULL).`,
      );
    }
    return {
      json: forgetJson(report, suppressed),
      lines: [...forgottenLines(report, path), nextTime(suppressed)],
    };
  },
});

/** Returns how many were not suppressed before. */
async function suppressThem(
  store: Store,
  person: Inputs,
  reason: string,
  takesShared: boolean,
): Promise<number> {
  const shared = sharedBy(person);
  if (shared !== undefined && !takesShared) throw manyShare(shared);
  return (await suppressPerson(store, person, reason)) ? 1 : 0;
}

/** The effect of a file that names them again. */
function nextTime(suppressed: number | null): string {
  return suppressed === null
    ? 'The next file that names them asks for them again: "sluice suppress add" with the same words prevents that.'
    : 'They are suppressed: no job of this state asks for them again.';
}

/** The output if there is nothing to remove, or the user answers no; undefined after a yes. */
async function refusal(
  wish: ForgetWish,
  store: Store,
  path: string,
  suppress: () => Promise<number | null>,
): Promise<Said | undefined> {
  const known = await forgetPerson(store, wish, false);
  if (isNothing(known)) {
    const suppressed = await suppress();
    return {
      json: forgetJson(known, suppressed),
      lines: [...forgottenLines(known, path), nextTime(suppressed)],
    };
  }
  for (const line of await whoIsMeant(wish.named, store)) console.error(line);
  if (await confirmRemoval(whatThereIs(known), path)) return undefined;
  return { json: forgetJson(known, null), lines: 'Nothing was removed.' };
}

const SHOWN_MAX = 20;

/** Each person of that name and company, as far as the state knows them: they may be several. */
async function whoIsMeant(named: Inputs | undefined, store: Store): Promise<string[]> {
  if (named === undefined) return [];
  const people = new Set<string>();
  for await (const { request, result } of namesakes(store, named)) {
    const known = new Set(
      [request.inputs, foundAddresses(result ?? {})].flatMap((some) => Object.values(some)),
    );
    people.add(`  ${cutText([...known].join(', '), 200)}`);
    if (people.size > SHOWN_MAX) break;
  }
  if (people.size === 0) return [];
  const more = people.size > SHOWN_MAX ? ['  and more'] : [];
  return [
    'Meant are all of that name and company; an address or a profile names one of them:',
    ...[...people].slice(0, SHOWN_MAX),
    ...more,
  ];
}

function isNothing(report: ForgetReport): boolean {
  return countsOf(report).length === 0;
}

/** `3 leads, 1 enrichment, 1 result`. */
function whatThereIs(report: ForgetReport): string {
  return countsOf(report).join(', ');
}

function forgetJson(report: ForgetReport, suppressed: number | null): object {
  const { isErased, openRuns: _open, pendingDeliveries: _pending, ...counts } = report;
  return { ...counts, removed: isErased, suppressed };
}

function forgottenLines(report: ForgetReport, path: string): string[] {
  if (isNothing(report)) {
    const nothing = report.names === 0 ? 'nothing' : 'nothing else';
    return [`${path} knows ${nothing} of them.`, ...nameLines(report)];
  }
  const lines = [
    `Removed from ${path} and from the disk: ${whatThereIs(report)}.`,
    'Their cost and the digests of their questions stay, so that nothing is paid for twice.',
  ];
  if (report.runs.length > 0) {
    const runs = report.runs.join(', ');
    lines.push(
      `Tables written before still hold them: write them again with "sluice export RUN" for ${report.runs.length === 1 ? 'run' : 'runs'} ${runs}.`,
    );
  }
  const ledger = sandboxLedgerOf(path);
  if (existsSync(ledger)) {
    lines.push(
      `The sandbox has a memory of its own, ${ledger}: remove it, if they were tried there.`,
    );
  }
  lines.push(...nameLines(report), 'Input files, backups and other copies are yours to clean.');
  return lines;
}

function nameLines({ names }: ForgetReport): string[] {
  if (names === 0) return [];
  return [
    `Names of columns or files still hold such an address, in ${formatCount(names, 'place')}: "sluice state prune" removes those of columns and input files with their runs, and those of tables stay.`,
  ];
}

/** The counts without that of the runs that had such leads: these runs stay. */
function countsOf({ runs: _runs, ...counts }: ForgetReport): string[] {
  return formatCounts(counts);
}
