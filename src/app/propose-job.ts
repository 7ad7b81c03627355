// What a new job is called and what it asks for, where nobody says: as much as the name and the columns of its
// input tell.
import { basename } from 'node:path';
import type { Ask, InputName, Inputs } from '../domain/ask.js';
import { SluiceError } from '../domain/errors.js';
import { explainLacking, type Sufficiency, sufficientAsks } from '../domain/sufficiency.js';
import type { Requirements } from '../domain/terms.js';

const ENDINGS = /(\.(csv|tsv|txt|ndjson|jsonl|json))?(\.gz)?$/i;
const NAME_LENGTH_MAX = 60;
const NAME = /^[a-z0-9][\w.-]*$/i;
/** The first of them for which the columns suffice; the dearest is nobody's default. */
const USUAL_ASKS: readonly Ask[] = ['find_email', 'verify_email', 'social_enrichment'];

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

/** What a job asks for by default, where such inputs are told of each lead; undefined where nothing can be asked. */
export function usualAsk(inputs: readonly InputName[], requires: Requirements): Ask | undefined {
  return askable(USUAL_ASKS, inputs, requires).asked[0];
}

/**
 * Those of the asks that can never be asked with such inputs.
 * @throws SluiceError `usage` where that is all of them
 */
export function hopelessAsks(
  ask: readonly Ask[],
  inputs: readonly InputName[],
  requires: Requirements,
): readonly Ask[] {
  const { asked, lacking } = askable(ask, inputs, requires);
  if (asked.length > 0) return lacking;
  throw new SluiceError(
    'usage',
    `Nothing could be asked: ${explainLacking(lacking, requires)}, and the columns of the input tell no more than ${inputs.join(', ') || 'nothing'}. Ask for something else, or name columns with --map INPUT=COLUMN.`,
    { key: 'ask' },
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
