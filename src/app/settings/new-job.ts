// The defaults of a new job, as far as its user says nothing: its name, its asks, the platform and the place of its table.
import { basename } from 'node:path';
import type { JobFile } from '../../config/job-schema.js';
import { isDropFolder } from '../../input/sources/drop-folder.js';
import {
  ASKS,
  type Ask,
  explainLacking,
  type InputName,
  type Inputs,
  isStandard,
  needsOf,
  nextInput,
  type Requirements,
  type Sufficiency,
  sufficientAsks,
} from '../../model/ask.js';
import { SluiceError, wrongUse } from '../../model/errors.js';
import type { Column } from '../../model/lead.js';
import type { FormerGuess } from '../../model/mapping/mapping.js';
import { tellColumns } from '../../model/mapping/tell-columns.js';
import { isTargetUrl } from '../../model/text/address.js';
import { whileOpen } from '../../model/while-open.js';
import { isStateThere, openStore } from '../../store/open-store.js';
import { formerGuesses } from '../run/asking-terms.js';
import { stateOf } from './command-settings.js';
import { type Environment, SANDBOX_URL } from './environment.js';

const ENDINGS = /(\.(csv|tsv|txt|ndjson|jsonl|json|xlsx|xlsm))?(\.gz)?$/i;
const NAME_LENGTH_MAX = 60;
const NAME = /^[a-z0-9][\w.-]*$/i;

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
  // A number alone names a run.
  return /^\d+$/.test(slug) ? `job-${slug}` : slug;
}

/** @throws SluiceError `usage` for a name that would not be a plain file in jobs/, or would be the number of a run */
export function checkJobName(name: string): void {
  if (NAME.test(name) && !/^\d+$/.test(name) && name.length <= NAME_LENGTH_MAX) return;
  throw wrongUse(
    `--name: a job is named by letters, digits, dots and dashes, at most ${NAME_LENGTH_MAX}, and not by a number alone.`,
  );
}

/** The guesses about columns by runs that asked the same, in the state file that the new job will use. */
export async function guessesBefore(
  name: string,
  { ask = [], state: stated }: JobFile,
  environment: Environment,
): Promise<readonly FormerGuess[]> {
  const state = stateOf(stated, environment);
  if (!isStateThere(state)) return [];
  return whileOpen(await openStore(state), (store) => formerGuesses(store, name, ask));
}

/** The default is one of these among the asks that a dialect offers; find_phone, the dearest, is never the default. */
function usualAsks(offered: readonly Ask[]): readonly Ask[] {
  const standard = ['find_email', 'verify_email', 'social_enrichment'];
  return offered.filter((one) => standard.includes(one) || !isStandard(one));
}

/** The ask of a job by default, if its leads have these inputs; the first usual one if they suffice for nothing. */
export function usualAsk(
  inputs: readonly InputName[],
  requires: Requirements,
  offered: readonly Ask[] = ASKS,
): Ask {
  const usual = usualAsks(offered);
  // People of whom only the address is known need no other one.
  const others = inputs.filter((input) => input !== 'email');
  const findable = usual.filter((one) => one === 'find_email');
  const [found] = askable(findable, others, requires).asked;
  const [other] = askable(
    usual.filter((one) => one !== 'find_email'),
    inputs,
    requires,
  ).asked;
  return found ?? other ?? usual[0] ?? 'find_email';
}

/**
 * The asks that are impossible with these inputs.
 * @throws SluiceError `usage` if all of them are impossible; it lists the columns, behind the sentence `looksLike`
 */
export function hopelessAsks(
  ask: readonly Ask[],
  inputs: readonly InputName[],
  requires: Requirements,
  { columns, looksLike = '' }: { readonly columns: readonly Column[]; readonly looksLike?: string },
): readonly Ask[] {
  const { asked, lacking } = askable(ask, inputs, requires);
  if (asked.length > 0) return lacking;
  const given =
    inputs.length === 0
      ? 'no column of the input looks like any of these'
      : `the columns of the input hold no more than ${inputs.join(', ')}`;
  const next = nextInput(
    lacking.flatMap((one) => needsOf(requires, one)),
    inputs,
    new Set(),
  );
  throw new SluiceError(
    'usage',
    `Nothing could be asked: ${explainLacking(lacking, requires)}, and ${given}. Say which column is which, as with --map ${next ?? 'INPUT'}=COLUMN, or ask for something else.`,
    {},
    { aside: looksLike + tellColumns(columns, inputs.length > 0) },
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

/** The platform of a new job: SLUICE_URL unless it contains a password, which would be shown, and could not be used. */
export function usualUrl({ url }: Environment): string {
  return url !== undefined && isTargetUrl(url) ? url : SANDBOX_URL;
}

/** @throws SluiceError `usage` for an unusable base address; one that contains `${…}` is checked by the run */
export function checkBaseUrl(text: string): void {
  const isAddress = /^https?:\/\/[^\s/?#@]+(\/[^\s?#@]*)?$/i.test(text);
  if (text === SANDBOX_URL || isAddress || text.includes('${')) return;
  throw wrongUse(
    'The base address is written like https://host/path, without a user name and a password; or it is sandbox.',
  );
}

/** The table of a new job: never its own input; with a drop folder, each run has its own table. */
export async function usualOut(
  name: string,
  input: JobFile['input'],
  sources: readonly string[],
): Promise<string> {
  const out = `data/out/${name}.csv`;
  if (await isDropFolder([input].flat())) return out.replace('.csv', '-{date}-{run}.csv');
  return sources.some((source) => source.endsWith(out)) ? `data/out/${name}-enriched.csv` : out;
}
