// A state that was moved to another place, and one that is being filled. A state is used in one place only; else leads
// would be paid for twice.
import { SluiceError } from '../model/errors.js';
import { shellWord } from '../model/text/printable.js';
import type { StateMark } from '../ports/store/archive.js';
import type { Sql } from './sql.js';

const UNMARKED: StateMark = { movedTo: null, filledFrom: null };

export async function readMark(sql: Sql): Promise<StateMark> {
  return (await sql.row<StateMark>('SELECT moved_to, filled_from FROM identity')) ?? UNMARKED;
}

/** @throws SluiceError `store` if the state is being filled */
export function refuseHalf(place: string, { filledFrom }: StateMark): void {
  if (filledFrom === null) return;
  throw new SluiceError(
    'store',
    `${place} is half a copy of ${filledFrom}, and cannot be used before it is complete. To complete it: sluice state copy ${shellWord(filledFrom)} ${shellWord(place)}`,
  );
}

/** @throws SluiceError `store` if the state was moved */
export function refuseMoved(place: string, { movedTo }: StateMark): void {
  if (movedTo === null) return;
  throw new SluiceError(
    'store',
    `The state ${place} was moved to ${movedTo}: nothing is sent, received or changed here any more. Name the other one with --state.`,
    { moved_to: movedTo },
  );
}
