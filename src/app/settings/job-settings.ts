// A job with everything filled in. Flags win over the job file, which wins over the environment, which wins over the
// defaults.
import type * as z from 'zod';
import type { JobKey } from '../../config/job-keys/key.js';
import { type JOB_KEYS, type JobFile, type JobKeyName, jobKeys } from '../../config/job-schema.js';
import { inPlainWords } from '../../config/plain-words.js';
import { type Money, parseMoney } from '../../model/credits.js';
import { type SluiceError, wrongUse } from '../../model/errors.js';
import type { FurtherNames } from '../../model/run.js';
import { amountIn, type Caps, inCredits } from '../../model/schedule/caps.js';
import { checkState } from '../../store/open-store.js';
import type { Environment } from './environment.js';

type Keys = typeof JOB_KEYS;

/** `fresh-for` to `freshFor`. */
export type CamelCase<Key extends string> = Key extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Key;

type NameOf<K extends JobKeyName> = Keys[K] extends { readonly unit: 'ms' }
  ? `${CamelCase<K>}Ms`
  : CamelCase<K>;

type ResolvedOf<E> = E extends { readonly resolve: (stated: never) => infer R }
  ? R
  : E extends { readonly schema: infer S extends z.ZodType }
    ? z.output<S>
    : never;

type ValueOf<E> = E extends { readonly default: unknown } | { readonly needed: string }
  ? ResolvedOf<E>
  : ResolvedOf<E> | undefined;

/** Each key by its name in camelCase, in the form that its entry resolves it to; times end in `Ms`. */
type ResolvedKeys = { readonly [K in JobKeyName as NameOf<K>]: ValueOf<Keys[K]> };

export interface JobSettings extends Omit<ResolvedKeys, 'budget' | 'caps' | 'out'> {
  /** In credits. */
  readonly budget: number | undefined;
  /** The budget over all steps of a waterfall. */
  readonly moneyBudget?: Money;
  /** In credits. */
  readonly caps: Caps | undefined;
  /** The job's name, under which its runs are found again. */
  readonly job: string;
  /** As it was stated, with the values of the environment; from it the settings are made again on another machine. */
  readonly stated: JobFile;
  readonly file?: string;
  /** The table of the people; undefined only for a plan, which writes nothing. */
  readonly out: string | undefined;
  readonly further: FurtherNames;
}

/** A notice's address may contain a secret and must not be printed. */
export type NoticeWish = NonNullable<JobSettings['notify']>;

/** The keys that the environment states if a job does not, by the names of their variables. */
const VARIABLES = {
  url: 'SLUICE_URL',
  account: 'SLUICE_ACCOUNT',
  keep: 'SLUICE_KEEP',
  state: 'SLUICE_STATE',
} as const;
type VariableKey = keyof typeof VARIABLES;

/**
 * @throws SluiceError `usage` for a missing key without a default, a value that its key cannot have, and for caps in
 * money without a price
 */
export function resolveJobSettings(
  job: string,
  stated: JobFile,
  environment: Environment,
): JobSettings {
  const whole: Record<string, unknown> = {};
  const kept: Record<string, unknown> = {};
  for (const [name, key] of jobKeys) {
    const value = stated[name] ?? ofEnvironment(name, environment);
    if (value !== undefined && (stated[name] !== undefined || key.isLocal !== true))
      kept[name] = value;
    const isStated = stated[name] !== undefined;
    whole[nameOf(name, key)] = resolved([name, key], value ?? defaultOf(key, stated), isStated);
  }
  const settings = whole as unknown as ResolvedKeys;
  checkState(settings.state);
  // The run that holds the leads of a waterfall has the account of the first step.
  const ofFirst = settings.waterfall?.[0]?.credit;
  const price = settings.credit ?? (ofFirst === undefined ? undefined : parseMoney(ofFirst));
  const caps = settings.caps && inCredits(settings.caps, price);
  return {
    ...settings,
    ...statedBudget(settings),
    caps,
    job,
    stated: kept as JobFile,
    ...tablesOf(settings.out),
  };
}

/** The budget in credits; that over all steps of a waterfall stays money, as each step has a price of its own. */
function statedBudget({ budget, credit, waterfall }: ResolvedKeys) {
  const moneyBudget =
    waterfall !== undefined && typeof budget === 'string' ? parseMoney(budget) : undefined;
  if (moneyBudget !== undefined) return { budget: undefined, moneyBudget };
  return { budget: budget === undefined ? undefined : amountIn(budget, credit, 'budget') };
}

function resolved(
  [name, key]: readonly [JobKeyName, JobKey],
  value: unknown,
  isStated: boolean,
): unknown {
  if (value === undefined) {
    if (key.needed === undefined) return undefined;
    const ways = `give --${name}, or ${name}: in the job (${key.needed})`;
    throw wrongUse(`${name} is missing: ${ways}.`);
  }
  const checked = key.schema.safeParse(value, { error: inPlainWords });
  if (!checked.success) throw wrong(name, checked.error.issues[0]?.message, isStated);
  return key.resolve === undefined ? checked.data : key.resolve(checked.data as never);
}

function ofEnvironment(name: JobKeyName, environment: Environment): string | undefined {
  return isVariable(name) ? environment[name] : undefined;
}

function isVariable(name: JobKeyName): name is VariableKey {
  return Object.hasOwn(VARIABLES, name);
}

function defaultOf({ default: usual }: JobKey, stated: JobFile): unknown {
  return typeof usual === 'function' ? (usual as (job: JobFile) => unknown)(stated) : usual;
}

function nameOf(name: JobKeyName, { unit }: JobKey): string {
  return unit === undefined ? camelCase(name) : `${camelCase(name)}Ms`;
}

/** `fresh-for` to `freshFor`. */
export function camelCase(name: string): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

export function tablesOf(out: JobFile['out']) {
  if (typeof out !== 'object') return { out, further: {} };
  const { people, ...further } = out;
  return { out: people, further: withoutUndefined(further) as FurtherNames };
}

export function withoutUndefined<T extends object>(stated: T): T {
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)) as T;
}

function wrong(key: JobKeyName, problem = 'it is wrong', isStated: boolean): SluiceError {
  if (isStated || !isVariable(key)) return wrongUse(`${key}: ${problem}.`);
  const variable = VARIABLES[key];
  return wrongUse(`${variable}: ${problem}.`);
}
