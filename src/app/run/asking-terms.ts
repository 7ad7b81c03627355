// The terms under which leads become requests, and their digest: with another digest a new run begins.

import { jobKeys } from '../../config/job-schema.js';
import { arePricesAssumed } from '../../config/stated-keys.js';
import { definitionsOf, keptAsks } from '../../dialect/custom-asks.js';
import type { Dialect } from '../../dialect/dialect.js';
import { takesWholeName } from '../../dialect/forms.js';
import { digest, digestHex } from '../../identity/digest.js';
import { DOMAIN_RULES } from '../../identity/domain-owner.js';
import { type Ask, COLUMN_INPUTS, type CustomAsks, needsOf, type Prices } from '../../model/ask.js';
import type { FormerGuess } from '../../model/mapping/mapping.js';
import type { Store } from '../../ports/store/store.js';
import { Readings } from '../../run/collect/readings.js';
import type { AskingTerms, LeadChoice } from '../../run/run-context.js';
import { accountOf } from '../platform/account.js';
import { isSandbox } from '../platform/dialect-at.js';
import { camelCase, type JobSettings } from '../settings/job-settings.js';
import type { RunTask } from './run-options.js';

const GUESSES_MAX = 20;

/** The mappings of runs that asked the same; nothing while there is no state. */
export async function formerGuesses(
  store: Store | undefined,
  job: string,
  ask: readonly Ask[],
): Promise<readonly FormerGuess[]> {
  return (await store?.formerGuesses(job, ask, GUESSES_MAX)) ?? [];
}

/** The terms with the mappings of earlier runs, and the choices of their samples. */
export async function askingTermsIn(
  store: Store,
  settings: JobSettings,
  dialect: Dialect,
  account: string,
): Promise<AskingTerms> {
  const { ask, job, sample, seed } = settings;
  const former = await formerGuesses(store, job, ask);
  const sampled = sample === undefined ? [] : await store.sampleOf(job, seed);
  return { ...askingTerms(settings, dialect, account), former, sampled };
}

export function askingTerms(settings: JobSettings, dialect: Dialect, account: string): AskingTerms {
  const custom = keptAsks(dialect, settings.ask);
  return {
    account,
    ask: settings.ask,
    map: settings.map,
    ...choiceOf(settings),
    requirements: dialect.requires,
    definitions: definitionsOf(dialect),
    ...(custom !== undefined && { custom }),
    prices: dialect.prices,
    takesWholeName: takesWholeName(dialect),
    ...(settings.samePerson === 'exact' && { isExact: true }),
    // A sandbox charges by the dialect.
    arePricesAssumed: !isSandbox(settings) && arePricesAssumed(dialect, settings.ask),
    ...DOMAIN_RULES,
    digest,
  };
}

/** The terms of each run of a task. The run that holds the leads of a waterfall has the account of the first step. */
export async function termsOfRuns(
  task: Pick<RunTask, 'dialect' | 'environment' | 'settings' | 'waterfall'>,
  store: Store,
): Promise<AskingTerms> {
  const { dialect, settings, waterfall } = task;
  const ofSteps: AskingTerms[] = [];
  for (const step of waterfall?.steps ?? []) {
    ofSteps.push(askingTerms(step.settings, step.dialect, await accountOf(step, store)));
  }
  const account = ofSteps[0]?.account ?? (await accountOf(task, store));
  const own = await askingTermsIn(store, settings, dialect, account);
  return waterfall === undefined ? own : heldTerms(settings, own, ofSteps);
}

/** The terms of the run that holds the leads: it takes each lead that some step can be asked for. */
function heldTerms(
  { ask: all }: JobSettings,
  of: AskingTerms,
  ofSteps: readonly AskingTerms[],
): AskingTerms {
  const requirements = Object.fromEntries(
    all.map((one) => [
      one,
      ofSteps.flatMap((terms) => (terms.ask.includes(one) ? (terms.requirements[one] ?? []) : [])),
    ]),
  );
  const custom: CustomAsks = Object.assign({}, ...ofSteps.map((terms) => terms.custom ?? {}));
  return {
    ...of,
    ask: all,
    requirements,
    prices: Object.assign({}, ...ofSteps.map(({ prices }) => prices)) as Prices,
    ...(Object.keys(custom).length > 0 && { custom }),
    takesWholeName: ofSteps.some(({ takesWholeName }) => takesWholeName === true),
    arePricesAssumed: ofSteps.some(({ arePricesAssumed }) => arePricesAssumed),
  };
}

/** The choice of leads that a job asks; empty if it asks all. */
export function choiceOf(settings: JobSettings): { readonly choice?: LeadChoice } {
  const { fill, map, onlyMissing, sample: size, seed, where } = settings;
  if (where === undefined && size === undefined && !onlyMissing) return {};
  const choice = {
    ...(where === undefined ? {} : { where }),
    ...(onlyMissing ? { missing: { email: fill?.email ?? map.email, phone: fill?.phone } } : {}),
    ...(size === undefined ? {} : { sample: { size, seed } }),
  };
  return { choice };
}

/** The asks that were read in the account's answers so far, as this dialect reads them. */
export async function openReadings(
  store: Store,
  account: string,
  dialect: Dialect,
): Promise<Readings> {
  const { answer, blocks, fields, result, 'second-look': look } = dialect;
  const custom = Object.keys(dialect.asks).length === 0 ? [] : [dialect.asks];
  const digested = digestHex(JSON.stringify([answer, blocks, fields, result, ...custom]));
  return new Readings(digested, await store.readings(account, digested), look === 'always');
}

/**
 * The digest of every setting that decides which leads are read and what is asked for them. The files of a drop folder
 * are known by their content, so the pattern makes no difference.
 */
export function termsDigest(
  settings: JobSettings,
  terms: AskingTerms,
  isDropFolder: boolean,
): string {
  const { account, ask, choice, definitions = {}, map, requirements } = terms;
  const asked = ask.map((one) => [one, definitions[one], needsOf(requirements, one)]);
  const input = isDropFolder ? null : settings.input;
  const read = jobKeys.flatMap(([name, { isTerm }]) =>
    isTerm === true ? [settings[camelCase(name) as keyof JobSettings]] : [],
  );
  const columns = COLUMN_INPUTS.map((one) => map[one]);
  return digestHex(JSON.stringify([account, asked, columns, choice, input, read]));
}
