// The asks, the inputs that each needs, and their prices (docs/platform-api.md, POST /enrich).
import type { Result } from './result.js';

export const ASKS = ['find_email', 'verify_email', 'social_enrichment', 'find_phone'] as const;
export type Ask = (typeof ASKS)[number];

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

/** All that is told of an ask once; its columns name the block. */
export interface AskRecord {
  /** The parameter of the neutral dialect that asks for it (docs/platform-api.md, POST /enrich). */
  readonly parameter: string;
  /** Its letter in stored requests, which never changes. */
  readonly letter: string;
  /** The block of a result that holds its value; in the neutral dialect also the place of the block. */
  readonly block: keyof Result;
  /** The alternatives of inputs that suffice in the neutral dialect. Assumed: they are documented nowhere. */
  readonly inputs: readonly (readonly InputName[])[];
  /** The credits for one hit in the neutral dialect. Assumed. */
  readonly price: number;
  /** Whether the result has the value that was asked for. */
  readonly isHit: (result: Result, request: EnrichmentRequest) => boolean;
}

export const NAME_AND_COMPANY: readonly (readonly InputName[])[] = [
  ['firstName', 'lastName', 'companyDomain'],
  ['firstName', 'lastName', 'companyName'],
];
/** A lead is left out only if its inputs name no person: the platform takes nothing for a request that it refuses. */
const NAMES_A_PERSON: readonly (readonly InputName[])[] = [
  ['socialUrl'],
  ['email'],
  ...NAME_AND_COMPANY,
];

/** An ask is added here, and its name to `ASKS`. */
export const ASK_RECORDS: Readonly<Record<Ask, AskRecord>> = {
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

/** Something for each ask. */
export function byAsk<T>(make: (ask: Ask) => T): Record<Ask, T> {
  return Object.fromEntries(ASKS.map((ask) => [ask, make(ask)])) as Record<Ask, T>;
}

/** The asks whose values stand in a block. */
export function asksOf(block: keyof Result): readonly Ask[] {
  return ASKS.filter((ask) => ASK_RECORDS[ask].block === block);
}

/** The content of a column: an input, or first and last name in one. */
export const COLUMN_INPUTS = [...INPUTS, 'fullName'] as const;
export type ColumnInput = (typeof COLUMN_INPUTS)[number];

/** The inputs that these columns give. */
export function inputsOf(columns: readonly { readonly input: ColumnInput }[]): InputName[] {
  const names = columns.flatMap(({ input }): readonly InputName[] =>
    input === 'fullName' ? ['firstName', 'lastName'] : [input],
  );
  return INPUTS.filter((name) => names.includes(name));
}

/** Credits charged for one hit, by the key `prices` of the dialect; a miss is free. */
export type Prices = Readonly<Record<Ask, number>>;

/** The alternatives of inputs that suffice for each ask, by the key `requires` of the dialect: any one list, whole. */
export type Requirements = Readonly<Record<Ask, readonly (readonly InputName[])[]>>;

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
  for (const one of ask) (suffices(requirements[one], inputs) ? asked : lacking).push(one);
  return { asked, lacking };
}

function suffices(alternatives: readonly (readonly InputName[])[], inputs: Inputs): boolean {
  return alternatives.some((names) => names.every((name) => inputs[name] !== undefined));
}

/**
 * The input for which to find a column next, so that one of the alternatives becomes whole: an input of the alternative
 * that lacks fewest. Undefined if an alternative is whole already, or if each lacks an input without a column.
 */
export function nextInput(
  alternatives: readonly (readonly InputName[])[],
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
  const byNeed = new Map<string, Ask[]>();
  for (const ask of lacking) {
    const need = requirements[ask].map((names) => names.join(' + ')).join(', or ');
    byNeed.set(need, [...(byNeed.get(need) ?? []), ask]);
  }
  const one = (need: string, asks: readonly Ask[]) =>
    `${listAsks(asks)} ${asks.length === 1 ? 'needs' : 'need'} ${need}`;
  return Array.from(byNeed, ([need, asks]) => one(need, asks)).join('; ');
}

/** Whether one set asks for all that the other asks for, and for more. */
export function isWider(one: readonly Ask[], other: readonly Ask[]): boolean {
  return one.length > other.length && other.every((ask) => one.includes(ask));
}

/** `find_email, verify_email and find_phone`. */
export function listAsks(asks: readonly Ask[]): string {
  return asks.join(', ').replace(/, ([^,]*)$/, ' and $1');
}
