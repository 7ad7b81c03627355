// What a new job is called and what it asks for, where nobody says: as much as the name and the columns of its
// input tell.
import { basename } from 'node:path';
import {
  type Ask,
  explainLacking,
  type InputName,
  type Inputs,
  nextInput,
  type Requirements,
  type Sufficiency,
  sufficientAsks,
} from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import type { Column } from '../../model/lead.js';
import { tellColumns } from '../../model/mapping.js';

const ENDINGS = /(\.(csv|tsv|txt|ndjson|jsonl|json))?(\.gz)?$/i;
const NAME_LENGTH_MAX = 60;
const NAME = /^[a-z0-9][\w.-]*$/i;
/** The first of them for which the columns suffice; the dearest is nobody's default. */
const USUAL_ASKS: readonly [Ask, ...Ask[]] = ['find_email', 'verify_email', 'social_enrichment'];

/** `data/CRM Export (März).csv.gz` → `crm-export-marz`; a pattern without a word is `leads`. */
export function jobNameOf(input: string): string {
  const slug = basename(input)
    .replace(ENDINGS, '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_LENGTH_MAX)
    .replace(/^-+|-+$/g, '');
  if (slug === '') return 'leads';
  // A bare number names a run.
  return /^\d+$/.test(slug) ? `job-${slug}` : slug;
}

/** @throws SluiceError `usage` for a name that would be no plain file in jobs/, or the number of a run */
export function checkJobName(name: string): void {
  if (NAME.test(name) && !/^\d+$/.test(name) && name.length <= NAME_LENGTH_MAX) return;
  throw new SluiceError(
    'usage',
    `--name: a job is named by letters, digits, dots and dashes, at most ${NAME_LENGTH_MAX}, and not by a number alone.`,
    { flag: 'name' },
  );
}

/** What a job asks for by default, where such inputs are told of each lead; the first of all where none can be asked. */
export function usualAsk(inputs: readonly InputName[], requires: Requirements): Ask {
  return askable(USUAL_ASKS, inputs, requires).asked[0] ?? USUAL_ASKS[0];
}

/** The alternatives of which one suffices for a job that asks for something by default. */
export function usualNeeds(requires: Requirements): Requirements[Ask] {
  return USUAL_ASKS.flatMap((one) => requires[one]);
}

/**
 * Those of the asks that can never be asked with such inputs.
 * @throws SluiceError `usage` where that is all of them, with the columns that there are
 */
export function hopelessAsks(
  ask: readonly Ask[],
  inputs: readonly InputName[],
  requires: Requirements,
  columns: readonly Column[],
): readonly Ask[] {
  const { asked, lacking } = askable(ask, inputs, requires);
  if (asked.length > 0) return lacking;
  const told =
    inputs.length === 0
      ? 'no column of the input looks like any of these'
      : `the columns of the input tell no more than ${inputs.join(', ')}`;
  const next = nextInput(
    lacking.flatMap((one) => requires[one]),
    inputs,
    new Set(),
  );
  throw new SluiceError(
    'usage',
    `Nothing could be asked: ${explainLacking(lacking, requires)}, and ${told}. Say which column is which, as with --map ${next ?? 'INPUT'}=COLUMN, or ask for something else.`,
    { key: 'ask' },
    { aside: tellColumns(columns, inputs.length > 0) },
  );
}

function askable(
  ask: readonly Ask[],
  inputs: readonly InputName[],
  requires: Requirements,
): Sufficiency {
  const all: Inputs = Object.fromEntries(inputs.map((input) => [input, '']));
  return sufficientAsks(ask, all, requires);
}
