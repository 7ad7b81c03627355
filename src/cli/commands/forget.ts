// sluice forget: removes people permanently from the state file. It prints counts, and names no person.
import { existsSync } from 'node:fs';
import { type ForgetWish, forgetPerson } from '../../app/state/forget-person.js';
import { sandboxLedgerOf } from '../../app/state/state-file.js';
import {
  checkReason,
  manyShare,
  peopleNamed,
  suppressPeople,
} from '../../app/state/suppress-people.js';
import { SluiceError } from '../../model/errors.js';
import type { ForgetReport } from '../../ports/store/maintenance.js';
import type { Store } from '../../ports/store/store.js';
import { confirmRemoval } from '../ask.js';
import { type Said, SWITCH, TEXT } from '../command.js';
import { stateCommand } from '../open-state.js';
import { formatCount, formatCounts } from '../print/format.js';

export const forgetCommand = stateCommand({
  builder: (yargs) =>
    yargs
      .options({
        email: { ...TEXT, array: true, describe: 'The person with this address; may be repeated' },
        domain: { ...TEXT, array: true, describe: 'All people of this domain; may be repeated' },
        url: { ...TEXT, array: true, describe: 'The person with this profile; may be repeated' },
        suppress: { ...SWITCH, describe: 'Never ask for them again either' },
        reason: { ...TEXT, describe: 'Why they are suppressed, for the rows of their leads' },
        yes: { ...SWITCH, describe: 'Do it without asking' },
      })
      .example('$0 forget --email ada@example.com', 'Show what there is, and ask')
      .example('$0 forget --email ada@example.com --yes --suppress --reason "asked us to"', '')
      .example('$0 forget --domain example.com --yes', ''),
  // Checked before anything is removed.
  prepare: ({ reason = '', suppress }) => {
    if (suppress) return checkReason(reason);
    if (reason === '') return undefined;
    throw new SluiceError('usage', '--reason says why they are suppressed: add --suppress.');
  },
  handler: async ({ email = [], domain = [], url = [], yes }, store, path, reason) => {
    const wish = { emails: email, domains: domain, urls: url };
    // The links of the state to them are known only before it is removed.
    const suppress = async (): Promise<number | null> =>
      reason === undefined ? null : suppressThem(store, wish, reason, yes);
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
  wish: ForgetWish,
  reason: string,
  takesShared: boolean,
): Promise<number> {
  const { people, shared } = peopleNamed(wish);
  if (shared.length > 0 && !takesShared) throw manyShare(shared);
  return suppressPeople(store, people, reason);
}

/** The effect of a file that names them again. */
function nextTime(suppressed: number | null): string {
  return suppressed === null
    ? 'The next file that names them asks for them again: "sluice suppress add" with the same flags prevents that.'
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
  if (await confirmRemoval(whatThereIs(known), path)) return undefined;
  return { json: forgetJson(known, null), lines: 'Nothing was removed.' };
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

export function forgottenLines(report: ForgetReport, path: string): string[] {
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
    `Names of columns or files still hold such an address, in ${formatCount(names, 'place')}: "sluice prune" removes those of columns and input files with their runs, and those of tables stay.`,
  ];
}

/** The counts without that of the runs that had such leads: these runs stay. */
function countsOf({ runs: _runs, ...counts }: ForgetReport): string[] {
  return formatCounts(counts);
}
