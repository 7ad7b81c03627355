// Finds columns that nothing reads and that look like the inputs that leads lack, for a message with the --map to copy.
import { type ColumnInput, type InputName, nextInput } from '../ask.js';
import type { Column } from '../lead.js';
import { shellWord } from '../text/printable.js';
import { type FirstValues, shareThatFits } from './judge-values.js';
import type { MappedColumns } from './mapping.js';
import { isTold } from './tell-columns.js';
import { indicesLikeHeader } from './usual-headers.js';

export interface LookAlike {
  readonly input: ColumnInput;
  readonly column: Column;
}

interface Wanted {
  /** The sets of inputs of which one has to be whole. */
  readonly alternatives: readonly (readonly InputName[])[];
  /** The inputs that most of the leads have. */
  readonly known: readonly InputName[];
}

/** Inputs whose values identify them, whatever the header says. */
const TELLING: ReadonlySet<ColumnInput> = new Set(['email', 'socialUrl', 'companyDomain']);

/** For each missing input, the column that looks most like it; none for an input that no column looks like. */
export function lookAlikes(
  { columns, firstValues, mapping }: MappedColumns,
  { alternatives, known }: Wanted,
): readonly LookAlike[] {
  const taken = new Set(mapping.map(({ index }) => index));
  const found: LookAlike[] = [];
  const inputs = [...known];
  const without = new Set<InputName>();
  const take = (input: ColumnInput): boolean => {
    const index = mostLike(columns, input, taken, firstValues);
    const column = columns[index];
    if (column === undefined) return false;
    taken.add(index);
    found.push({ input, column });
    return true;
  };
  for (;;) {
    const input = nextInput(alternatives, inputs, without);
    if (input === undefined) return found;
    const isName = input === 'firstName' || input === 'lastName';
    if (isName && !inputs.includes('firstName') && !inputs.includes('lastName') && take('fullName'))
      inputs.push('firstName', 'lastName');
    else if (take(input)) inputs.push(input);
    else without.add(input);
  }
}

/** The column that is most like an input, by the header first, then by the values; -1 if there is none. */
function mostLike(
  columns: readonly Column[],
  input: ColumnInput,
  taken: ReadonlySet<number>,
  firstValues: FirstValues,
): number {
  const alike = indicesLikeHeader(columns, input);
  const all = TELLING.has(input) ? [...alike, ...columns.keys()] : alike;
  const open = all.filter((index) => !taken.has(index) && isTold(columns, index));
  return open.find((index) => shareThatFits(input, index, firstValues) > 0.5) ?? -1;
}

/** `companyDomain is missing. Website 2 looks like it: --map companyDomain='Website 2'`. */
export function describeLookAlikes(alike: readonly LookAlike[]): string {
  return alike
    .map(
      ({ input, column: { key } }) =>
        `${input} is missing. ${key} looks like it: --map ${input}=${shellWord(key)}`,
    )
    .join('; ');
}
