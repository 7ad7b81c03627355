// Finds the column that feeds each input: as the job says, and for the others by the usual headers.
import { type Ask, COLUMN_INPUTS, type ColumnInput } from '../ask.js';
import { SluiceError } from '../errors.js';
import type { Column } from '../lead.js';
import { nearestNames } from '../text/nearest.js';
import { shellWord } from '../text/printable.js';
import { columnsInside, type FoundColumn, findMapped } from './find-column.js';
import { bestByValues, type FirstValues, surelyByValues } from './judge-values.js';
import { tellColumns } from './tell-columns.js';
import { indicesByHeader, indicesByVagueHeader } from './usual-headers.js';

/** The wish of a job or `--map`: the column's key, also with a path after it, or `''` for "no column, do not guess". */
export type MappingWish = Readonly<Partial<Record<ColumnInput, string>>>;

export interface MappedInput extends FoundColumn {
  readonly input: ColumnInput;
  readonly isGuessed: boolean;
}

/** The mapping of a run that asked the same. */
export interface FormerGuess {
  /** Whether it was a run of the same job. */
  readonly isOwn: boolean;
  readonly columns: readonly Column[];
  readonly mapping: readonly MappedInput[];
  /** The columns that the user named; null in runs of 0.1.0. */
  readonly map: MappingWish | null;
}

/** The facts by which a guess goes, besides the names of the columns. */
export interface GuessBasis {
  /** The asks. An address is not an input for finding one: its column is guessed for other asks alone. */
  readonly ask?: readonly Ask[];
  /**
   * Earlier guesses: those of the job itself first, each newest first. The first that fits counts: one of the job, or
   * one of the same columns. Its guesses stay, and a column that existed then is guessed for nothing else, so that
   * nothing is paid for anew.
   */
  readonly former?: readonly FormerGuess[] | undefined;
  /**
   * The mapping so far. Its entries stay, so that columns that appear later in an NDJSON input can only add to them.
   */
  readonly previous?: readonly MappedInput[];
  /** The first records, by whose values a column is judged as well. */
  readonly firstValues?: FirstValues | undefined;
}

/**
 * Resolves the mapping against the columns at hand.
 * @throws SluiceError `usage` when the job names an unknown column, or no column feeds any input
 */
export function resolveMapping(
  columns: readonly Column[],
  wish: MappingWish,
  basis: GuessBasis = {},
): MappedInput[] {
  const mapped = mapColumns(columns, wish, basis);
  if (mapped.length === 0) throw nothingMapped(columns, wish, basis.firstValues);
  return mapped;
}

/** As `resolveMapping`, but no column needs to feed an input. */
export function mapColumns(
  columns: readonly Column[],
  wish: MappingWish,
  { ask = [], former: formers = [], previous = [], firstValues }: GuessBasis = {},
): MappedInput[] {
  const former = formers.find((one) => one.isOwn || haveSameKeys(one.columns, columns));
  const taken = new Set(previous.map((entry) => entry.index));
  const mapped = [...previous];
  const open = COLUMN_INPUTS.filter((input) => !previous.some((entry) => entry.input === input));
  for (const input of open) {
    const wished = wish[input];
    if (wished === undefined || wished === '') continue;
    const found = findMapped(columns, wished);
    if (found === undefined) throw noSuchColumn(input, wished, toName(columns, firstValues));
    taken.add(found.index);
    mapped.push({ input, ...found, isGuessed: false });
  }
  const guess = (input: ColumnInput, index: number): void => {
    if (index === -1) return;
    taken.add(index);
    mapped.push({ input, column: columns[index] as Column, index, isGuessed: true });
  };
  const guessed = open.filter((input) => wish[input] === undefined);
  const anew = guessed.filter((input) => {
    const index = indexBefore(columns, input, former);
    if (index === undefined || taken.has(index))
      return input !== 'email' || !isFindingAddresses(ask);
    guess(input, index);
    return false;
  });
  const passedFor = (input: ColumnInput) => {
    const isNew = isNewFor(input, former, columns);
    const passed = columns.flatMap(({ key }, index) => (isNew(key) ? [] : [index]));
    return new Set([...taken, ...passed]);
  };
  const has = (input: ColumnInput) => mapped.some((one) => one.input === input);
  const isOpen = (input: ColumnInput) =>
    !has(input) && !(input === 'fullName' && has('firstName') && has('lastName'));
  for (const input of anew) {
    if (!isOpen(input)) continue;
    guess(
      input,
      bestByValues(input, indicesByHeader(columns, input, passedFor(input)), firstValues),
    );
  }
  const surely = (input: ColumnInput, passed: ReadonlySet<number>) =>
    surelyByValues(input, indicesByVagueHeader(columns, input, passed), firstValues);
  for (const input of anew) {
    // `Name` beside a first name is the last name.
    if (!isOpen(input) || (input === 'lastName' && !has('firstName'))) continue;
    guess(input, surely(input, passedFor(input)));
  }
  return sorted(anew.includes('fullName') ? asWholeName(mapped, anew, surely) : mapped);
}

/**
 * Makes the whole name of a column such as `Nome`, which is otherwise the first name, if nothing else is a name and
 * most values have two words.
 */
function asWholeName(
  mapped: readonly MappedInput[],
  anew: readonly ColumnInput[],
  surely: (input: ColumnInput, passed: ReadonlySet<number>) => number,
): readonly MappedInput[] {
  const names = mapped.filter(({ input }) => ['firstName', 'lastName', 'fullName'].includes(input));
  const [only] = names;
  if (only === undefined || names.length > 1 || !anew.includes(only.input)) return mapped;
  const others = new Set(mapped.filter((one) => one !== only).map(({ index }) => index));
  if (surely('fullName', others) !== only.index) return mapped;
  return mapped.map((one) => (one === only ? { ...one, input: 'fullName' } : one));
}

function sorted(mapped: readonly MappedInput[]): MappedInput[] {
  return mapped.toSorted((a, b) => COLUMN_INPUTS.indexOf(a.input) - COLUMN_INPUTS.indexOf(b.input));
}

function haveSameKeys(some: readonly Column[], others: readonly Column[]): boolean {
  const keys = new Set(some.map(({ key }) => key));
  return some.length === others.length && others.every(({ key }) => keys.has(key));
}

/** The column that was guessed for the input before, if it still exists. */
function indexBefore(
  columns: readonly Column[],
  input: ColumnInput,
  former: FormerGuess | undefined,
): number | undefined {
  const before = former?.mapping.find((one) => one.input === input);
  if (before?.isGuessed !== true) return undefined;
  const index = columns.findIndex(({ key }) => key === before.column.key);
  return index === -1 ? undefined : index;
}

/**
 * Whether a column may be guessed for an input. If nothing was guessed for the input before, only a new column may. A
 * whole name replaces a first or a last name whose column is gone.
 */
function isNewFor(
  input: ColumnInput,
  former: FormerGuess | undefined,
  columns: readonly Column[],
): (key: string) => boolean {
  const isGone = (name: ColumnInput) =>
    former?.mapping.some((one) => one.input === name && one.isGuessed) === true &&
    indexBefore(columns, name, former) === undefined;
  const before =
    former?.mapping.some((one) => one.input === input) === true ||
    (input === 'fullName' && (isGone('firstName') || isGone('lastName')));
  if (former === undefined || before || wasStated(input, former)) return () => true;
  const known = new Set(former.columns.map(({ key }) => key));
  return (key) => !known.has(key);
}

/** Whether the user named the input's column, or said that there is none. */
export function wasStated(
  input: ColumnInput,
  { map, mapping }: Pick<FormerGuess, 'map' | 'mapping'>,
): boolean {
  // Runs from before this was kept do not say which inputs the user wanted without a column.
  const entry = mapping.find((one) => one.input === input);
  return map === null ? entry?.isGuessed === false : input in map;
}

/** Whether a job finds addresses and does not verify given ones. Only a job that does both sends given addresses. */
export function isFindingAddresses(ask: readonly Ask[]): boolean {
  return ask.includes('find_email') && !ask.includes('verify_email');
}

function nothingMapped(
  columns: readonly Column[],
  wish: MappingWish,
  firstValues: FirstValues | undefined,
): SluiceError {
  const [index = -1] = wish.email === undefined ? indicesByHeader(columns, 'email', new Set()) : [];
  const address = columns[index];
  const addresses =
    address === undefined
      ? ''
      : `--map email=${shellWord(address.key)} sends the addresses that are there. `;
  return new SluiceError(
    'usage',
    `No column of the input looks like something to ask for. Say which is which with --map INPUT=COLUMN, or map: in the job.`,
    {},
    { aside: addresses + tellColumns(toName(columns, firstValues)) },
  );
}

/** The columns under the names that the user can write. */
export function toName(
  columns: readonly Column[],
  firstValues: FirstValues | undefined,
): readonly Column[] {
  const rows = firstValues?.records.map(({ cells }) => cells) ?? [];
  return columnsInside(columns, rows);
}

function noSuchColumn(input: ColumnInput, wished: string, columns: readonly Column[]): SluiceError {
  const keys = columns.map((column) => column.key);
  const near = nearestNames(wished, keys)[0];
  const hint = near === undefined ? '' : `Did you mean "${near}"? `;
  return new SluiceError(
    'usage',
    `${input} is mapped to the column "${wished}", which the input does not have.`,
    { input, column: wished },
    { aside: hint + tellColumns(columns) },
  );
}
