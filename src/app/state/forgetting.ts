// Forgetting people: what that removes, for whoever asks, and what it has removed.
import { existsSync } from 'node:fs';
import type { Inputs } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import { foundAddresses, personIn } from '../../model/suppression.js';
import { cutText, formatCount } from '../../model/text/count.js';
import type { WrittenFile } from '../../ports/store/files.js';
import type { ForgetReport } from '../../ports/store/maintenance.js';
import type { Store } from '../../ports/store/store.js';
import { tablesOf, tellTables } from '../results/known-of-person.js';
import { type ForgetWish, forgetPerson, namesakes } from './forget-person.js';
import type { Asked, Done } from './pause-job.js';
import { formatCounts } from './prune-state.js';
import { sandboxLedgerOf } from './state-file.js';
import {
  demandPerson,
  manyShare,
  meansDomain,
  sharedBy,
  suppressPerson,
} from './suppress-people.js';

interface OfPeople extends ForgetWish {
  readonly store: Store;
  /** As in `--state`. */
  readonly state: string;
}

interface Suppressing {
  readonly person: Inputs;
  /** Why they are suppressed as well; undefined if they are not. */
  readonly reason: string | undefined;
  /** Whether the user has agreed to all, also to a domain that many people share. */
  readonly isAgreed: boolean;
}

type Forgotten = Omit<ForgetReport, 'isErased' | 'openRuns' | 'pendingDeliveries'> & {
  readonly removed: boolean;
  /** How many were not suppressed before; null if none was to be. */
  readonly suppressed: number | null;
  /** The files that were written before and still hold them. */
  readonly tables: readonly string[];
};

/**
 * The people that inputs name, as they are written: a host is no domain of a company, and is not to become one.
 * @throws SluiceError `usage` if they name nobody, who is to be suppressed as well or is named by a name
 */
export function meantBy(given: Inputs, isSuppressed: boolean) {
  const { companyDomain, email, socialUrl, ...names } = given;
  const isNamed = Object.keys(names).length > 0;
  const person = isSuppressed || isNamed ? demandPerson(given) : given;
  const isByName = personIn(person).some(({ kind }) => kind === 'name');
  const wish: ForgetWish = {
    emails: email === undefined ? [] : [email],
    domains: companyDomain !== undefined && meansDomain(given) ? [companyDomain] : [],
    urls: socialUrl === undefined ? [] : [socialUrl],
    named: isByName ? person : undefined,
  };
  return { person, wish };
}

export const forgetting = {
  /** @throws SluiceError `usage` if they cannot be forgotten now */
  ask: async ({ state, store, ...wish }: OfPeople): Promise<Asked & { known: ForgetReport }> => {
    const known = await forgetPerson(store, wish, false);
    const canBe = !isNothing(known);
    return {
      title: `Remove ${whatThereIs(known)} permanently from ${state}?`,
      sentences: canBe ? await whoIsMeant(wish.named, store) : [`${state} knows nothing of them.`],
      cost: 'nothing; but who is named again later, or asked for more, is paid for again.',
      canBe,
      isDangerous: true,
      known,
    };
  },
  /** `known` is what was found when it was asked for. */
  perform: async (
    { state, store, ...wish }: OfPeople,
    { isAgreed, person, reason }: Suppressing,
    known: ForgetReport,
  ): Promise<Done<Forgotten>> => {
    // The links of the state to them are known only before it is removed.
    const suppressed =
      reason === undefined ? null : await suppressThem(store, person, reason, isAgreed);
    const isForReal = isAgreed || !isNothing(known);
    const report = isForReal ? await forgetPerson(store, wish, true) : known;
    if (isForReal && !report.isErased) {
      throw new SluiceError(
        'store',
        `They are removed from ${state}, but traces may be left on the disk: another process was reading it meanwhile, or, in a database, a table belongs to another role or has more than 1 GiB. Run the same command again with --yes, as the owner of the tables; what is left after that goes with VACUUM (FULL).`,
      );
    }
    const tables = await tablesOf(store, report.runs);
    return {
      title: 'They are forgotten',
      sentences: [...forgottenLines(report, state, tables), nextTime(suppressed)],
      data: forgottenData(report, suppressed, tables),
    };
  },
};

export function forgottenData(
  report: ForgetReport,
  suppressed: number | null,
  tables: readonly WrittenFile[] = [],
): Forgotten {
  const { isErased: removed, openRuns: _open, pendingDeliveries: _pending, ...counts } = report;
  return { ...counts, removed, suppressed, tables: tables.map(({ path }) => path) };
}

/** Returns how many were not suppressed before. */
async function suppressThem(
  store: Store,
  person: Inputs,
  reason: string,
  takesShared: boolean,
): Promise<number> {
  const shared = sharedBy(person);
  if (shared !== undefined && !takesShared) throw manyShare(shared);
  return (await suppressPerson(store, person, reason)).added;
}

/** The effect of a file that names them again. */
function nextTime(suppressed: number | null): string {
  return suppressed === null
    ? 'As long as the old answer would have been fresh, a lead of theirs costs nothing and shows "failed: forgotten". After that, or if more is asked, it is paid for again. "sluice suppress add" with the same words prevents that.'
    : 'They are suppressed: no job of this state asks for them again.';
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
    'All of that name and company are meant. An address or a profile names one of them:',
    ...[...people].slice(0, SHOWN_MAX),
    ...more,
  ];
}

function isNothing(report: ForgetReport): boolean {
  return whatThereIs(report) === '';
}

/** `3 leads, 1 enrichment, 1 result`; without the runs that had such leads, since these stay. */
export function whatThereIs({ runs: _runs, ...counts }: ForgetReport): string {
  return formatCounts(counts).join(', ');
}

function forgottenLines(
  report: ForgetReport,
  path: string,
  tables: readonly WrittenFile[],
): string[] {
  if (isNothing(report)) {
    const nothing = report.names === 0 ? 'nothing' : 'nothing else';
    return [`${path} knows ${nothing} of them.`, ...nameLines(report)];
  }
  const lines = [
    `Removed from ${path} and from the disk: ${whatThereIs(report)}.`,
    'What they cost stays in the counts. A digest of each question stays too, which names no person.',
  ];
  if (report.runs.length > 0) lines.push(tellTables(tables));
  const ledger = sandboxLedgerOf(path);
  if (existsSync(ledger)) {
    lines.push(
      `The sandbox keeps what it was asked in ${ledger}: remove that file if they were tried there.`,
    );
  }
  lines.push(...nameLines(report), 'Input files, backups and other copies may still hold them.');
  return lines;
}

function nameLines({ names }: ForgetReport): string[] {
  if (names === 0) return [];
  return [
    `Names of columns or files still hold such an address, in ${formatCount(names, 'place')}: "sluice state prune" removes those of columns and input files with their runs, and those of tables stay.`,
  ];
}
