// The asks, the inputs that each needs, and their prices (docs/platform-api.md, POST /enrich).
import { groupBy } from './group-by.js';
import type { Result } from './result.js';

export const ASKS = ['find_email', 'verify_email', 'social_enrichment', 'find_phone'] as const;
export type StandardAsk = (typeof ASKS)[number];
/** The name of an ask: one of ASKS, or a {@link CustomAsk} of a dialect. */
export type Ask = string;
export const ASK_NAME = /^[a-z][a-z0-9_]{0,39}$/;

/** An ask that a dialect brings along, as a run keeps it: enough to make its columns. */
export interface CustomAsk {
  /** One line for people, without a full stop. */
  readonly about: string;
  readonly fields: Readonly<Record<string, CustomField>>;
}

export const CUSTOM_TYPES = ['text', 'integer', 'number', 'boolean', 'url', 'phone'] as const;
export interface CustomField {
  readonly type: (typeof CUSTOM_TYPES)[number];
  /** One line for the reader of the table, without a full stop; empty if the dialect says nothing. */
  readonly about: string;
}

export type CustomAsks = Readonly<Record<Ask, CustomAsk>>;

export function isStandard(ask: Ask): ask is StandardAsk {
  return (ASKS as readonly string[]).includes(ask);
}

/** The asks, each once, in the order in which they are sent and kept: those of ASKS, and then the others by name. */
export function inOrder(asks: readonly Ask[]): Ask[] {
  const standard = ASKS.filter((one) => asks.includes(one));
  if (standard.length === asks.length) return standard;
  const custom = new Set(asks.filter((one) => !isStandard(one)));
  return [...standard, ...[...custom].sort()];
}

export const INPUTS = [
  'email',
  'socialUrl',
  'firstName',
  'lastName',
  'companyDomain',
  'companyName',
] as const;
export type InputName = (typeof INPUTS)[number];

/** The normalised values of one enrichment; the key of an input without a value is absent. */
export type Inputs = Readonly<Partial<Record<InputName, string>>>;

/** One paid request: the asks and the inputs. */
export interface EnrichmentRequest {
  readonly ask: readonly Ask[];
  readonly inputs: Inputs;
}

export type StandardBlock = Exclude<keyof Result, 'custom'>;

export interface AskRecord {
  /** The parameter of the neutral dialect that asks for it (docs/platform-api.md, POST /enrich). */
  readonly parameter: string;
  /** Its letter in stored requests, which never changes. */
  readonly letter: string;
  /** The block of a result that holds its value; in the neutral dialect also the place of the block. */
  readonly block: StandardBlock;
  /** The alternatives of inputs that suffice in the neutral dialect. Assumed: they are documented nowhere. */
  readonly inputs: Alternatives;
  /** The credits for one hit in the neutral dialect. Assumed. */
  readonly price: number;
  readonly isHit: (result: Result, request: EnrichmentRequest) => boolean;
}

const NAME_AND_COMPANY: Alternatives = [
  ['firstName', 'lastName', 'companyDomain'],
  ['firstName', 'lastName', 'companyName'],
];
/** A lead is left out only if its inputs name no person: the platform takes nothing for a request that it refuses. */
const NAMES_A_PERSON: Alternatives = [['socialUrl'], ['email'], ...NAME_AND_COMPANY];

/** An ask is added here, and its name to `ASKS`. */
export const ASK_RECORDS: Readonly<Record<StandardAsk, AskRecord>> = {
  find_email: {
    parameter: 'findEmail',
    letter: 'e',
    block: 'find_email',
    inputs: NAMES_A_PERSON,
    price: 5,
    isHit: (result, request) => result.find_email?.email !== undefined && !isEcho(result, request),
  },
  verify_email: {
    parameter: 'verifyEmail',
    letter: 'v',
    block: 'find_email',
    inputs: [['email']],
    price: 1,
    isHit: (result) => result.find_email?.status !== undefined,
  },
  social_enrichment: {
    parameter: 'socialEnrichment',
    letter: 's',
    block: 'social_enrichment',
    inputs: NAMES_A_PERSON,
    price: 1,
    isHit: (result) => hasProfileValue(result.social_enrichment),
  },
  find_phone: {
    parameter: 'findPhone',
    letter: 'p',
    block: 'find_phone',
    inputs: NAMES_A_PERSON,
    price: 20,
    isHit: (result) => result.find_phone?.phone !== undefined,
  },
};

/** Whether the address is only the given one, which was to be verified. */
function isEcho(result: Result, { ask, inputs }: EnrichmentRequest): boolean {
  return ask.includes('verify_email') && result.find_email?.email?.toLowerCase() === inputs.email;
}

function hasProfileValue(profile: Result['social_enrichment']): boolean {
  if (profile === undefined) return false;
  const { positionGroups, ...fields } = profile;
  return positionGroups.length > 0 || Object.keys(fields).length > 0;
}

export function byAsk<T>(make: (ask: StandardAsk) => T): Record<StandardAsk, T> {
  return Object.fromEntries(ASKS.map((ask) => [ask, make(ask)])) as Record<StandardAsk, T>;
}

export function asksOf(block: StandardBlock): readonly StandardAsk[] {
  return ASKS.filter((ask) => ASK_RECORDS[ask].block === block);
}

/** The content of a column: an input, what stands before the last name, or first and last name in one. */
export const COLUMN_INPUTS = [...INPUTS, 'lastNamePrefix', 'fullName'] as const;
export type ColumnInput = (typeof COLUMN_INPUTS)[number];

export function inputsOf(columns: readonly { readonly input: ColumnInput }[]): InputName[] {
  const given = columns.map(({ input }) => input);
  const isWhole = given.includes('fullName');
  return INPUTS.filter(
    (name) => given.includes(name) || (isWhole && /^(first|last)Name$/.test(name)),
  );
}

/** Credits charged for one hit, by the dialect; a miss is free. */
export type Prices = Readonly<Record<Ask, number>>;

/** @throws Error if it has none, which no dialect allows */
export function priceOf(prices: Prices, ask: Ask): number {
  const price = prices[ask];
  if (price === undefined) throw new Error(`${ask} has no price`);
  return price;
}

/** The alternatives of inputs, each of which suffices if it is whole. */
type Alternatives = readonly (readonly InputName[])[];

export type Requirements = Readonly<Record<Ask, Alternatives>>;

/** The alternatives for an ask; none if the dialect does not know it, so that nothing suffices. */
export function needsOf(requirements: Requirements, ask: Ask): Alternatives {
  return requirements[ask] ?? [];
}

export interface Sufficiency {
  readonly asked: readonly Ask[];
  readonly lacking: readonly Ask[];
}

export function sufficientAsks(
  ask: readonly Ask[],
  inputs: Inputs,
  requirements: Requirements,
): Sufficiency {
  const asked: Ask[] = [];
  const lacking: Ask[] = [];
  for (const one of ask) {
    (firstWhole(needsOf(requirements, one), inputs) === undefined ? lacking : asked).push(one);
  }
  return { asked, lacking };
}

function firstWhole(alternatives: Alternatives, inputs: Inputs) {
  return alternatives.find((names) => names.every((name) => inputs[name] !== undefined));
}

const OF_PERSONS: ReadonlySet<InputName> = new Set(['email', 'socialUrl', 'firstName', 'lastName']);

export function namesPerson(names: readonly string[]): boolean {
  return names.some((name) => OF_PERSONS.has(name as InputName));
}

export function isOfCompany(ask: Ask, requirements: Requirements): boolean {
  return !isStandard(ask) && !needsOf(requirements, ask).every(namesPerson);
}

/** All inputs; for asks about a company their first whole alternative: two people at one company ask for it once. */
export function inputsFor(ask: readonly Ask[], inputs: Inputs, requirements: Requirements): Inputs {
  if (!ask.every((one) => isOfCompany(one, requirements))) return inputs;
  const names = new Set(ask.flatMap((one) => firstWhole(needsOf(requirements, one), inputs) ?? []));
  return Object.fromEntries(
    Object.entries(inputs).filter(([name]) => names.has(name as InputName)),
  );
}

/** The input to find a column for next; undefined if an alternative is whole, or each lacks one without a column. */
export function nextInput(
  alternatives: Alternatives,
  inputs: readonly InputName[],
  without: ReadonlySet<InputName>,
): InputName | undefined {
  const lackingOf = (names: readonly InputName[]) => names.filter((name) => !inputs.includes(name));
  if (alternatives.some((names) => lackingOf(names).length === 0)) return undefined;
  const [best] = alternatives
    .filter((names) => !lackingOf(names).some((name) => without.has(name)))
    // Of two alternatives that lack the same number, the one with more inputs comes first.
    .toSorted((a, b) => lackingOf(a).length - lackingOf(b).length || b.length - a.length);
  return best === undefined ? undefined : lackingOf(best)[0];
}

/** `find_email and find_phone need email, or socialUrl; verify_email needs email`. */
export function explainLacking(lacking: readonly Ask[], requirements: Requirements): string {
  const byNeed = groupBy(lacking, (ask) =>
    needsOf(requirements, ask)
      .map((names) => names.join(' + '))
      .join(', or '),
  );
  const one = (need: string, asks: readonly Ask[]) =>
    `${listAsks(asks)} ${asks.length === 1 ? 'needs' : 'need'} ${need}`;
  return Array.from(byNeed, ([need, asks]) => one(need, asks)).join('; ');
}

export function listAsks(asks: readonly Ask[]): string {
  return asks.join(', ').replace(/, ([^,]*)$/, ' and $1');
}
