// Judges the columns of a file, as the only place: which feeds each input, and which hold answers already.
import { type Ask, COLUMN_INPUTS, type ColumnInput, inputsOf } from '../ask.js';
import { SluiceError } from '../errors.js';
import type { Column, SourceRecord } from '../lead.js';
import type { DomainOwner, RegistrableDomain } from '../normalise.js';
import { didYouMean } from '../text/nearest.js';
import { shellWord } from '../text/printable.js';
import { type OwnWish } from './column-kinds.js';
import { columnsToName, findColumn } from './find-column.js';
import { bestByValues, type FirstValues, surelyByValues } from './judge-values.js';
import {
  type FormerGuess,
  isFindingAddresses,
  type JudgedColumns,
  type MappedInput,
  type MappingWish,
} from './mapping.js';
import { judgeOwn } from './own-columns.js';
import { tellColumns } from './tell-columns.js';
import { indicesByHeader, indicesByVagueHeader } from './usual-headers.js';

export interface ColumnTerms {
  /** An address is not an input for finding one: its column is guessed for other asks alone. */
  readonly ask: readonly Ask[];
  readonly map: MappingWish;
  /**
   * Earlier guesses: those of the job itself first, each newest first. The first that fits counts: one of the job, or
   * one of the same columns. Its guesses stay, and a column that existed then is guessed for nothing else, so that
   * nothing is paid for anew.
   */
  readonly former?: readonly FormerGuess[];
  /** The user's own columns of answers, if only missing answers are wanted. */
  readonly choice?: { readonly missing?: OwnWish };
  readonly registrableDomain: RegistrableDomain;
  readonly domainOwner: DomainOwner;
}

/**
 * Judges the columns of the first records, by these as well. `before` is the judgement of earlier records of the same
 * input: it stays, so that columns that appear later in NDJSON can only add to it.
 * @throws SluiceError `usage` for a column that is named and does not exist, or if no own column is found where only
 * missing answers are wanted
 */
export function judgeColumns(
  first: { readonly columns: readonly Column[]; readonly records: readonly SourceRecord[] },
  terms: ColumnTerms,
  before?: JudgedColumns,
): JudgedColumns {
  const { columns, records } = first;
  if (columns.length === before?.columns.length) return before;
  const { domainOwner, registrableDomain } = terms;
  const firstValues = { records, domainOwner, registrableDomain };
  const mapping = judgeInputs(columns, firstValues, terms, before?.mapping);
  const missing = mapping.length > 0 ? terms.choice?.missing : undefined;
  const own = before?.own ?? (missing ? judgeOwn(columns, firstValues, terms.ask, missing) : {});
  return { columns, mapping, own, firstValues };
}

/** @throws SluiceError `usage` if no column feeds any input */
export function refuseUnmapped(
  { columns, firstValues, mapping }: JudgedColumns,
  map: MappingWish,
): void {
  if (inputsOf(mapping).length > 0) return;
  const [index = -1] = map.email === undefined ? indicesByHeader(columns, 'email', new Set()) : [];
  const address = columns[index];
  const addresses =
    address === undefined
      ? ''
      : `--map email=${shellWord(address.key)} sends the addresses that are there. `;
  throw new SluiceError(
    'usage',
    'No column of the input looks like something to ask for.',
    {},
    {
      way: 'Say which is which with --map INPUT=COLUMN, or map: in the job.',
      aside: addresses + tellColumns(columnsToName(columns, firstValues.records)),
    },
  );
}

function judgeInputs(
  columns: readonly Column[],
  firstValues: FirstValues,
  { ask, former: formers = [], map }: ColumnTerms,
  previous: readonly MappedInput[] = [],
): readonly MappedInput[] {
  const former = formers.find((one) => one.isOwn || haveSameKeys(one.columns, columns));
  const taken = new Set(previous.map((entry) => entry.index));
  const mapped = [...previous];
  const open = COLUMN_INPUTS.filter((input) => !previous.some((entry) => entry.input === input));
  for (const input of open) {
    const wished = map[input];
    if (wished === undefined || wished === '') continue;
    const found = findColumn(columns, wished);
    if (found === undefined)
      throw noSuchColumn(input, wished, columnsToName(columns, firstValues.records));
    taken.add(found.index);
    mapped.push({ input, ...found, isGuessed: false });
  }
  const guess = (input: ColumnInput, index: number): void => {
    if (index === -1) return;
    taken.add(index);
    mapped.push({ input, column: columns[index] as Column, index, isGuessed: true });
  };
  const guessed = open.filter((input) => map[input] === undefined);
  const anew = guessed.filter((input) => {
    const isNoInput = input === 'email' && isFindingAddresses(ask);
    const index =
      isNoInput && former?.isSame === false ? undefined : indexBefore(columns, input, former);
    if (index === undefined || taken.has(index)) return !isNoInput;
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

/** Makes the first name, as of a column `Nome`, the whole name if nothing else is a name and most have two words. */
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
 * If nothing was guessed for it before, only a new column may be. A whole name replaces a part whose column is gone.
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
  if (former?.isSame !== true || before || input in former.map) return () => true;
  const known = new Set(former.columns.map(({ key }) => key));
  return (key) => !known.has(key);
}

function noSuchColumn(input: ColumnInput, wished: string, columns: readonly Column[]): SluiceError {
  const hint = didYouMean(
    wished,
    columns.map(({ key }) => key),
  );
  return new SluiceError(
    'usage',
    `${input} is mapped to the column "${wished}", which the input does not have.`,
    { column: wished },
    { aside: `${hint} ${tellColumns(columns)}`.trim() },
  );
}
