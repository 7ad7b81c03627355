// The steps of a waterfall, each with the settings, the dialect and the credentials of its platform; checked before
// anything is stored or sent.
import { nameOfStep, type StatedStep } from '../../../config/job-keys/waterfall.js';
import { loadJobDialect } from '../../../config/load-dialect.js';
import type { Dialect } from '../../../dialect/dialect.js';
import { offeredAsks } from '../../../dialect/forms.js';
import type { Ask } from '../../../model/ask.js';
import { SluiceError, wrongUse } from '../../../model/errors.js';
import type { Waterfall } from '../../../model/waterfall/waterfall.js';
import { parseBaseUrl } from '../../../platform/wire/request.js';
import { addressDigest } from '../../platform/account.js';
import { dialectAt } from '../../platform/dialect-at.js';
import { type Environment, NO_ENVIRONMENT, SANDBOX_URL } from '../../settings/environment.js';
import { type JobSettings, resolveJobSettings } from '../../settings/job-settings.js';

/** An account with its credentials, by the name that a step gives it; undefined if it is not known. */
export type EnvironmentOf = (account: string) => Environment | undefined;

export interface Step {
  readonly name: string;
  readonly verifies: boolean;
  /** Its own expression; that of the job is in its settings. */
  readonly where: string | undefined;
  readonly settings: JobSettings;
  readonly dialect: Dialect;
  readonly environment: Environment;
}

export interface Surroundings {
  readonly environment: Environment;
  readonly environmentOf: EnvironmentOf;
  /** The dialects of the steps, in order, where they are known. Default: those that the steps name are loaded. */
  readonly dialects?: readonly Dialect[];
}

/** Accounts by their names alone, where nothing is sent: their credentials are elsewhere. */
export function namesAlone(): EnvironmentOf {
  const known = new Map<string, Environment>();
  return (account) => {
    const named = known.get(account) ?? { ...NO_ENVIRONMENT, account };
    known.set(account, named);
    return named;
  };
}

/** @throws SluiceError `usage` if two platforms would get the same credentials */
export function paidBy(steps: readonly Step[], environments: readonly Environment[]): Step[] {
  const paid = steps.map((step, i) => ({
    ...step,
    environment: environments[i] ?? step.environment,
  }));
  refuseOneKey(paid);
  return paid;
}

export function waterfallOf(settings: JobSettings, steps: readonly Step[]): Waterfall {
  return {
    steps: steps.map(({ name, settings: { ask }, verifies, where }) => ({
      name,
      ask,
      verifies,
      ...(where !== undefined && { where }),
    })),
    accept: settings.accept.find_email ?? ['deliverable'],
    ...(settings.accept.company_matches === true && { companyMatches: true }),
    verify: settings.verify,
  };
}

/** @throws SluiceError `usage` naming the step that cannot be run */
export async function readSteps(
  settings: JobSettings,
  surroundings: Surroundings,
): Promise<readonly Step[]> {
  const { ask, budget, waterfall = [] } = settings;
  if (waterfall.length === 0) return [];
  if (budget !== undefined) {
    throw wrong(
      'A budget in credits is stated for each step of a waterfall; over all of them it is money, like 40 EUR.',
    );
  }
  if (ask.includes('verify_email')) {
    throw wrong('A waterfall verifies by a step of its own: verifies: find_email.');
  }
  const steps: Step[] = [];
  for (const [i, stated] of waterfall.entries()) {
    steps.push(await readStep(settings, stated, i, surroundings));
  }
  refuseUnpriced(settings, steps);
  refuseTwice(steps);
  refuseUnasked(ask, steps);
  refuseUnknownStatus(settings, steps);
  refuseNothingToVerify(steps);
  refuseOneListener(steps);
  refuseOneKey(steps);
  return steps;
}

async function readStep(
  { ask, job, stated: ofJob }: JobSettings,
  stated: StatedStep,
  index: number,
  { dialects, environment, environmentOf }: Surroundings,
): Promise<Step> {
  const { name: _name, verifies: goal, where, ...keys } = stated;
  const name = nameOfStep(stated, index);
  const verifies = goal !== undefined;
  const { accept: _accept, budget: _whole, verify: _verify, waterfall: _steps, ...shared } = ofJob;
  if (keys.url === undefined && ofJob.url === undefined) throw at(name, 'states no url.');
  const whole = { ...shared, ...keys, ask: verifies ? ['verify_email'] : (keys.ask ?? ask) };
  return named(name, async () => {
    const known = keys.account === undefined ? undefined : environmentOf(keys.account);
    const used = known ?? environment;
    // Asks that it does not offer are left to other steps, unless the step states them.
    const words = { dialect: whole.dialect, prices: whole.prices, ask: keys.ask ?? [] };
    const place = { url: whole.url, sandbox: whole.sandbox };
    const dialect = dialects?.[index] ?? dialectAt(place, await loadJobDialect(words));
    const offered = offeredAsks(dialect);
    const asked = whole.ask.filter((one) => keys.ask !== undefined || offered.includes(one));
    if (asked.length === 0) throw at(name, nothingToAsk(whole.ask, verifies));
    const settings = atRateOf(resolveJobSettings(job, { ...whole, ask: asked }, used), used);
    refuseOtherAddress(name, settings, used);
    return { name, verifies, where, settings, dialect, environment: used };
  });
}

/** An address would be accepted at no word that no platform says: each would be held, and the next step paid for. */
function refuseUnknownStatus({ accept }: JobSettings, steps: readonly Step[]): void {
  const own = steps.flatMap(({ dialect: { emailStatuses: all } }) =>
    [all.deliverable, all.risky, all.unknown].flat(),
  );
  const known = [...new Set(['deliverable', 'risky', 'unknown', ...own])];
  const word = accept.find_email?.find((one) => !known.includes(one));
  if (word === undefined) return;
  throw wrong(
    `accept: no platform of the waterfall says "${word}" of an address that can be delivered to. They say ${known.join(', ')}.`,
  );
}

/** The limit that the job states, or else the one of the account. */
export function atRateOf(settings: JobSettings, { rate }: Environment): JobSettings {
  return settings.rate === undefined ? { ...settings, rate } : settings;
}

/** The file of accounts may say where the credentials of one may go. */
function refuseOtherAddress(
  step: string,
  { url }: JobSettings,
  { place, url: own }: Environment,
): void {
  if (place === undefined || own === undefined) return;
  if (addressDigest(own) === addressDigest(url)) return;
  throw at(step, `asks ${url}, and ${place} is for ${own}: name the account of its platform.`);
}

function nothingToAsk(ask: readonly Ask[], verifies: boolean): string {
  return verifies
    ? 'is to verify addresses, and its dialect does not offer verify_email.'
    : `has nothing to ask: its dialect offers none of ${ask.join(', ')}.`;
}

async function named<R>(name: string, read: () => Promise<R>): Promise<R> {
  try {
    return await read();
  } catch (error) {
    throw ofStep(error, name);
  }
}

export function ofStep(error: unknown, step: string): unknown {
  if (!(error instanceof SluiceError) || error.code === 'paused') return error;
  return error.facts['step'] === undefined ? error.ofPart(`Step ${step}`, { step }) : error;
}

/** Checks each step; an error names the step that it is about. */
export async function checkSteps(
  steps: readonly Step[],
  check: (step: Step) => void | Promise<void>,
): Promise<void> {
  for (const step of steps) await named(step.name, async () => check(step));
}

/** Money over all steps needs the price of a credit of each. */
function refuseUnpriced({ moneyBudget }: JobSettings, steps: readonly Step[]): void {
  if (moneyBudget === undefined) return;
  const { currency } = moneyBudget;
  const step = steps.find(({ settings: { credit } }) => credit?.currency !== currency);
  if (step === undefined) return;
  const problem = `does not say what a credit costs in ${currency}, and the budget over all steps is in ${currency}: add the key credit, like 0.012 ${currency}.`;
  throw at(step.name, problem);
}

function refuseTwice(steps: readonly Step[]): void {
  const names = steps.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) {
    throw at(twice, 'is there twice: give each step a name of its own.');
  }
  // A platform may verify behind several finders: it is asked for the same address once.
  // One that states `where` may be for other leads.
  const finders = steps.filter(({ verifies, where }) => !verifies && where === undefined);
  for (const [i, step] of finders.entries()) {
    const alike = finders.slice(0, i).filter((one) => payerOf(one) === payerOf(step));
    const asksToo = (ask: Ask): boolean => alike.some(({ settings }) => settings.ask.includes(ask));
    const both = step.settings.ask.filter(asksToo);
    const other = alike.find(({ settings }) => both.some((ask) => settings.ask.includes(ask)));
    if (other === undefined) continue;
    const message = `asks ${both.join(' and ')} of the account that the step ${other.name} asks: the same question would be paid for once, and answered the same.`;
    throw at(step.name, message);
  }
}

/** The steps that pay alike, as far as their settings say. */
function payerOf({ environment, settings: { account, url } }: Step): string {
  return `${addressDigest(url)} ${account ?? environment.account ?? ''}`;
}

function refuseUnasked(ask: readonly Ask[], steps: readonly Step[]): void {
  const finders = steps.filter(({ verifies }) => !verifies);
  const unasked = ask.find((one) => !finders.some(({ settings }) => settings.ask.includes(one)));
  if (unasked === undefined) return;
  throw wrong(`No step of the waterfall offers ${unasked}.`);
}

function refuseNothingToVerify(steps: readonly Step[]): void {
  const index = steps.findIndex(({ verifies }) => verifies);
  const finds = steps
    .slice(0, Math.max(0, index))
    .some(({ settings, verifies }) => !verifies && settings.ask.includes('find_email'));
  const step = steps[index];
  if (step === undefined || finds) return;
  throw at(step.name, 'verifies addresses, and no step before it finds any.');
}

/** Each step has its own way back for results. */
function refuseOneListener(steps: readonly Step[]): void {
  const listening = steps.filter(({ settings }) => settings.collect !== 'poll');
  for (const [i, { name, settings }] of listening.entries()) {
    const { port } = settings.listen;
    const other = listening.slice(0, i).find((one) => one.settings.listen.port === port);
    if (other === undefined || port === 0) continue;
    const message = `receives webhooks at port ${port}, as the step ${other.name} does: give one of them another listen.`;
    throw at(name, message);
  }
}

/** The credentials of one platform never go to another. */
function refuseOneKey(steps: readonly Step[]): void {
  const sent = steps.filter(({ settings }) => settings.url !== SANDBOX_URL);
  for (const { environment } of sent) {
    const alike = sent.filter((step) => step.environment === environment);
    const origins = new Set(alike.map(({ settings }) => parseBaseUrl(settings.url).origin));
    if (origins.size < 2) continue;
    const accounts = new Set(alike.map(({ settings }) => settings.account));
    const todo =
      accounts.size === alike.length && !accounts.has(undefined)
        ? `Give --credentials FILE, or the key accounts: it names the accounts ${[...accounts].join(' and ')}.`
        : 'Name an account of its own for each (account: NAME), and their credentials with --credentials FILE.';
    throw new SluiceError(
      'usage',
      `The steps ${alike.map(({ name }) => name).join(', ')} are platforms of their own, and would get the same credentials. ${todo}`,
      { step: alike.at(-1)?.name ?? '' },
    );
  }
}

function at(step: string, problem: string): SluiceError {
  return new SluiceError('usage', `The step ${step} ${problem}`, { step });
}

function wrong(message: string): SluiceError {
  return wrongUse(message);
}
