// The values of the form's lists that say what each column of a dropped file is taken for: nothing where the guess holds,
// so that an address stays short with a thousand columns.
import { COLUMN_INPUTS, type ColumnInput } from '../../model/ask.js';

/** The name of the lists, one for each column. */
export const TAKEN = 'as';
/** The limit for the shown name of a column. */
export const NAME_MAX = 60;

export type Taken = ColumnInput | 'nothing';

/** What a column is taken for unless the form says otherwise. `isToVerify`: only if an address is to be verified. */
export interface ColumnGuess {
  readonly guesses: readonly { readonly input: ColumnInput; readonly isToVerify: boolean }[];
}

export const INPUT_WORDS: Readonly<Record<ColumnInput, string>> = {
  email: 'E-mail address',
  socialUrl: 'Profile address',
  firstName: 'First name',
  lastName: 'Last name',
  companyDomain: 'Company website',
  companyName: 'Company name',
  fullName: 'Whole name',
};

export function takenValue(place: number, as: Taken): string {
  return `${place} ${as}`;
}

/** What the form says of columns, by their places; a value of another form is passed over. */
export function takenOf(form: URLSearchParams | null): ReadonlyMap<number, Taken> {
  const taken = new Map<number, Taken>();
  for (const value of form?.getAll(TAKEN) ?? []) {
    const [, place, as] = /^(\d{1,6}) (\w{1,20})$/.exec(value) ?? [];
    if (place !== undefined && isTaken(as)) taken.set(Number(place), as);
  }
  return taken;
}

function isTaken(as: string | undefined): as is Taken {
  return as === 'nothing' || COLUMN_INPUTS.some((input) => input === as);
}
