// A state that was moved to another place, and one that is being filled: which verbs each still answers. A state is
// used in one place only; else leads would be paid for twice.
import { SluiceError } from '../model/errors.js';
import { shellWord } from '../model/text/printable.js';
import type { CopyMark } from '../ports/store/archive.js';
import type { Store } from '../ports/store/store.js';

export interface MarkRow {
  readonly moved_to: string | null;
  readonly filled_from: string | null;
  readonly copy_token: string | null;
  readonly is_whole: number | boolean;
}

export const MARK_COLUMNS = 'moved_to, filled_from, copy_token, is_whole';

export function toMark(row: MarkRow | undefined): CopyMark | null {
  const { moved_to: to = null, filled_from: from = null, copy_token: token = null } = row ?? {};
  const place = to ?? from;
  if (place === null || token === null) return null;
  return { kind: to === null ? 'target' : 'source', place, token, isWhole: Boolean(row?.is_whole) };
}

/** @throws SluiceError `store` if the state is being filled */
export function refuseHalf(place: string, mark: CopyMark | null): void {
  if (mark?.kind !== 'target') return;
  throw new SluiceError(
    'store',
    `${place} is half a copy of ${mark.place}, and cannot be used before it is whole. To go on: ${copying(mark.place, place)}`,
    { path: place, from: mark.place },
  );
}

/** @throws SluiceError `store` if the state was moved, or is being moved */
export function refuseMoved(place: string, mark: CopyMark | null): void {
  if (mark?.kind === 'source') throw isMoved(place, mark);
}

/** @throws SluiceError `store` if a run would refuse the state */
export function refuseMarked(place: string, mark: CopyMark | null): void {
  refuseHalf(place, mark);
  refuseMoved(place, mark);
}

function isMoved(place: string, { isWhole, place: to }: CopyMark): SluiceError {
  return new SluiceError(
    'store',
    isWhole
      ? `The state ${place} was moved to ${to}: nothing is sent, received or changed here any more. Name the other one with --state.`
      : `The state ${place} is being moved to ${to}, and nothing of it is changed meanwhile. To go on with that: ${copying(place, to)}`,
    { path: place, moved_to: to },
  );
}

export function copying(from: string, to: string): string {
  return `sluice state copy ${shellWord(from)} ${shellWord(to)}`;
}

/** The verbs that are still answered: those that change nothing. A new verb is refused until it is listed here. */
const READS: ReadonlySet<string> = new Set<keyof Store>([
  'accounts',
  'addressed',
  'answers',
  'answersAt',
  'awaited',
  'backup',
  'cappedAccounts',
  'caps',
  'chargesOf',
  'close',
  'commitment',
  'countPending',
  'countSends',
  'countUnkept',
  'deliveriesAbout',
  'disturbances',
  'doneFiles',
  'enrichmentsAbout',
  'eventsAfter',
  'findList',
  'findOpenRun',
  'findRun',
  'findSchedule',
  'formerGuesses',
  'hasRun',
  'hasSharedTickets',
  'hashedFiles',
  'heldAt',
  'holderOf',
  'isLocked',
  'knownFiles',
  'lastEvents',
  'lineHistory',
  'listDeliveries',
  'listJobs',
  'listRuns',
  'longestFreshFor',
  'mappingOf',
  'mappings',
  'movedTo',
  'openTasks',
  'paidCharges',
  'passing',
  'pausedSince',
  'peek',
  'pendingDeliveries',
  'positions',
  'readings',
  'refusedDeliveries',
  'rejects',
  'runOfTable',
  'schedules',
  'series',
  'size',
  'stepRuns',
  'suppressions',
  'suppressionsOf',
  'tally',
]);
/** The verbs by which reading commands note what they did: the notes are left out. */
const NOTES: ReadonlySet<string> = new Set<keyof Store>(['noteWritten', 'noteRemoved']);

async function leaveOut(): Promise<void> {}

export function readingOnly(store: Store, place: string, mark: CopyMark): Store {
  const refuse = async (): Promise<never> => {
    throw isMoved(place, mark);
  };
  const verbs = Object.entries(store).map(([name, verb]: [string, unknown]) => {
    if (READS.has(name)) return [name, verb];
    return [name, NOTES.has(name) ? leaveOut : refuse];
  });
  return Object.fromEntries(verbs) as Store;
}
