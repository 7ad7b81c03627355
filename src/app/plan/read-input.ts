// Opens a job's input and checks its first records, so that a wrong mapping ends the command before anything is stored
// or paid for. `lookAtInput` reads only the first records, for a job that is being written or checked.

import { Readable } from 'node:stream';
import type { JobFile } from '../../config/job-schema.js';
import { keptAsks } from '../../dialect/custom-asks.js';
import type { Dialect } from '../../dialect/dialect.js';
import { takesWholeName } from '../../dialect/forms.js';
import { isWirePath } from '../../dialect/wire-path.js';
import { domainOwner } from '../../identity/domain-owner.js';
import { registrableDomain } from '../../identity/registrable-domain.js';
import { openLeadReader } from '../../input/open-lead-reader.js';
import type { DropFile } from '../../input/sources/drop-folder.js';
import { STANDARD_INPUT } from '../../input/sources/source-name.js';
import type { Ask, ColumnInput, CustomAsks } from '../../model/ask.js';
import { chooseColumns } from '../../model/columns/choose-columns.js';
import { findFilled } from '../../model/columns/fill.js';
import { outputColumns } from '../../model/columns/output-columns.js';
import { shapeOf } from '../../model/columns/positions.js';
import { SluiceError } from '../../model/errors.js';
import type { Column } from '../../model/lead.js';
import type { FirstValues } from '../../model/mapping/judge-values.js';
import { type FormerGuess, type MappedInput, resolveMapping } from '../../model/mapping/mapping.js';
import { tellSheets } from '../../model/mapping/tell-columns.js';
import { parseWhere } from '../../model/where/where.js';
import { checkColumnCount } from '../../output/table-format.js';
import type { LeadReader, RecordBatch } from '../../ports/lead-reader.js';
import type { OutputColumn } from '../../ports/table-writer.js';
import { type Lack, lackOf } from '../../run/advise.js';
import { ownColumns, wantedAsks } from '../../run/choose/choose-leads.js';
import { choiceOf, formerGuesses, type GuessStore } from '../run/asking-terms.js';
import type { JobSettings } from '../settings/job-settings.js';

/** The share of nameless columns from which on a row is probably no header. */
const NAMELESS_PART = 3;

interface InputOptions {
  /** The stream of the input `-`. */
  readonly standardInput: AsyncIterable<Uint8Array>;
  /** For a drop folder: the only files that are read. */
  readonly files?: readonly DropFile[];
  /** The store, which knows the mapping of the job's last run; undefined while there is no state file. */
  readonly store: GuessStore | undefined;
  readonly dialect: Pick<Dialect, 'asks'>;
}

/**
 * Opens the input.
 * @throws SluiceError `input` if it cannot be read, `usage` if the mapping or `where` names a column that does not
 * exist (`input` with a drop folder); an input that can be read only once throws that with its first batch
 */
export async function readInput(
  settings: JobSettings,
  { dialect, standardInput, files, store }: InputOptions,
): Promise<LeadReader> {
  const { format, sheet, headerRow, delimiter, encoding } = settings;
  const paths = files?.map(({ path }) => path);
  const digests = files && new Map(files.map(({ path, digest }) => [path, digest]));
  const options = { standardInput, format, sheet, headerRow, delimiter, encoding, digests };
  const reader = await openLeadReader(paths ?? settings.input, options);
  const former = await formerGuesses(store, settings);
  const custom = keptAsks(dialect, settings.ask);
  const check = (first: FirstRecords) =>
    naming(paths, () =>
      namingSheet(first, () => checkColumns(first, settings, { custom, former })),
    );
  // An input that can be read only once is checked while it is read, before its first lead is asked for.
  if ((await reader.signature()) === null) {
    if (settings.sample !== undefined) throw onlyOnce();
    return checkedAsRead(reader, check);
  }
  for await (const batch of reader.batches()) {
    check(batch);
    break;
  }
  return reader;
}

function checkedAsRead(reader: LeadReader, check: (first: FirstRecords) => unknown): LeadReader {
  return {
    ...reader,
    async *batches() {
      let isChecked = false;
      for await (const batch of reader.batches()) {
        if (!isChecked) check(batch);
        isChecked = true;
        yield batch;
      }
    },
  };
}

/**
 * Names the file in an error about a drop folder: one file may be wrong while the others are right, and the error lies
 * in the input, not in the job.
 * @throws SluiceError that of `check`, as `input` with the paths in front
 */
export function naming<T>(paths: readonly string[] | undefined, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (paths === undefined || !(error instanceof SluiceError)) throw error;
    const [path = ''] = paths;
    const where = paths.length > 1 ? `${path} and ${paths.length - 1} more` : path;
    throw error.ofInput(where, { path });
  }
}

/**
 * Names the sheet in an error if one of several sheets was read, because another may have been meant.
 * @throws SluiceError that of `check`, with its name
 */
function namingSheet<T>({ columns, detected = [] }: FirstRecords, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    const sheet = detected.find(({ what }) => what === 'sheet');
    const header = detected.find(({ what }) => what === 'header');
    const told = [
      ...(sheet === undefined
        ? []
        : [
            `Only the sheet "${sheet.value}" was read; --sheet takes another: ${tellSheets(sheet.others ?? [])}.`,
          ]),
      ...headerTold(header?.value, columns),
    ];
    throw told.length === 0 ? error : error.amended(told.join(' '));
  }
}

/** The line of the header, if another may be meant: lines stand above it, or many of its cells are empty. */
function headerTold(line: string | undefined, columns: readonly Column[]): string[] {
  if (line !== undefined) {
    return [`Line ${line} was taken for the names of the columns; --header-row names another.`];
  }
  const named = columns.filter(({ name }) => name.trim() !== '');
  if (columns.length - named.length <= columns.length / NAMELESS_PART) return [];
  return [
    `The first line with text was taken for the names of the columns: ${named.length} of its ${columns.length} cells have one. --header-row names another.`,
  ];
}

/** The columns of the first records, and those records. */
export type FirstRecords = Pick<RecordBatch, 'columns' | 'records' | 'detected'>;

/** The first values, by which columns are guessed as well. */
export function firstValuesOf({ records }: FirstRecords): FirstValues {
  return { records, domainOwner, registrableDomain };
}

/** The inputs that the first leads of a job that is being written would lack. */
export function lackOfFirst(
  first: FirstRecords,
  mapping: readonly MappedInput[],
  ask: readonly Ask[],
  dialect: Dialect,
): Lack {
  const terms = { ask, requirements: dialect.requires, domainOwner, registrableDomain };
  const whole = { takesWholeName: takesWholeName(dialect) };
  return lackOf(
    { columns: first.columns, mapping, firstValues: firstValuesOf(first) },
    { ...terms, ...whole },
  );
}

export interface ColumnTerms {
  readonly custom?: CustomAsks | undefined;
  readonly former?: readonly FormerGuess[];
}

/**
 * Checks the columns that a job names; returns the mapping.
 * @throws SluiceError `usage` if the mapping, `where`, `columns` or `key` names a column that does not exist
 */
export function checkColumns(
  first: FirstRecords,
  settings: JobSettings,
  { custom, former = [] }: ColumnTerms = {},
): readonly MappedInput[] {
  const { columns } = first;
  const { ask, map } = settings;
  const mapping = resolveMapping(columns, map, { ask, former, firstValues: firstValuesOf(first) });
  for (const { input, path } of mapping) {
    if (path !== undefined && !isWirePath(path)) throw badPath(input, map[input] ?? path);
  }
  const isJoined = Object.keys(settings.further).length > 0;
  const { fill } = settings;
  const rows = first.records.map(({ cells }) => cells);
  if (fill !== undefined) findFilled(columns, fill, rows);
  const extras = { custom, isFilled: fill !== undefined, isJoined };
  const all = outputColumns(columns, shapeOf(settings.positions), extras);
  checkChoice(first, all, settings);
  const ofList = settings.list?.where;
  if (ofList !== undefined) parseWhere(ofList, all, { rows });
  const chosen = chooseColumns(all, settings, rows);
  if (settings.columns !== 'used') checkColumnCount(settings.out ?? '-', chosen.length);
  return mapping;
}

/** @throws SluiceError `usage` if the choice of leads names a column that the input does not have */
function checkChoice(
  first: FirstRecords,
  all: readonly OutputColumn[],
  settings: JobSettings,
): void {
  const terms = { ask: settings.ask, registrableDomain, ...choiceOf(settings) };
  try {
    const own = ownColumns(first.columns, terms, firstValuesOf(first));
    const rows = first.records.map(({ cells }) => cells);
    wantedAsks(first.columns, own, terms, rows);
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    const { column, where } = error.facts;
    if (where === undefined || !all.some(({ key }) => key === column)) throw error;
    throw new SluiceError(
      'usage',
      `where: ${column} is a column of the table, and where chooses leads before anything is asked. Which of them go into the contact list says --list-where, or where: under list: in the job.`,
      error.facts,
    );
  }
}

function onlyOnce(): SluiceError {
  return new SluiceError(
    'usage',
    'sample: a sample needs two looks at the input, and this input can be read only once. Save it as a file, and name that.',
    { key: 'sample' },
  );
}

function badPath(input: ColumnInput, wished: string): SluiceError {
  return new SluiceError(
    'usage',
    `${input} is mapped to "${wished}", which is no column, and no path into one: write contact.first_name, emails[0].value or emails[type=work].value.`,
    { input, column: wished },
  );
}

/** The first look at an input. Later records of NDJSON may have more columns. */
export interface FirstLook extends FirstRecords {
  /** The sources in order. */
  readonly sources: readonly string[];
}

/**
 * Reads only the first records of an input, for a person who writes or checks a job.
 * @throws SluiceError `input` if it cannot be read, or its first records exceed the limit of a look, `usage` for
 * standard input, which a look would use up
 */
export async function lookAtInput(
  job: Pick<JobFile, 'input' | 'format' | 'sheet' | 'header-row' | 'delimiter' | 'encoding'>,
): Promise<FirstLook> {
  const { format, sheet, 'header-row': headerRow, delimiter, encoding } = job;
  const input = typeof job.input === 'string' ? [job.input] : job.input;
  if (input.includes(STANDARD_INPUT)) {
    throw new SluiceError('usage', 'Standard input cannot be looked at beforehand. Name a file.');
  }
  const standardInput = Readable.from([]);
  const options = { standardInput, format, sheet, headerRow, delimiter, encoding, isLook: true };
  const reader = await openLeadReader(input, options);
  const { sources } = reader;
  for await (const { columns, detected, records } of reader.batches()) {
    return { sources, columns, records, ...(detected && { detected }) };
  }
  return { sources, columns: [], records: [] };
}
