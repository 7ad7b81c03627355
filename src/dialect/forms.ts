// The form of a paid request, from `enrich` or `bulk` of a dialect.
import type * as z from 'zod';
import { type Ask, INPUTS, type Inputs, needsOf, type Requirements } from '../model/ask.js';
import { madeOnce } from '../model/made-once.js';
import type { Auth } from './auth.js';
import { asksOf, type CustomSection } from './custom-asks.js';
import {
  type bulkSchema,
  combinationOf,
  type enrichSchema,
  type headersSchema,
  type Scalar,
  WRITTEN_INPUTS,
  type WrittenInput,
} from './question.js';

type Enrich = NonNullable<z.output<typeof enrichSchema>>;
type Bulk = z.output<typeof bulkSchema>;

export interface Sections {
  readonly auth: Auth;
  readonly headers: z.output<typeof headersSchema>;
  readonly enrich: Enrich | null;
  readonly bulk: Bulk;
  readonly asks: CustomSection;
}

/** `item`: an object of the list of a bulk call. */
export type Where = 'query' | 'header' | 'body' | 'item';

/** The place of a value in a request, and the keys that lead to it; one key in a query or a header. */
export interface Spot {
  readonly where: Where;
  readonly keys: readonly string[];
}

/**
 * The name of a part: a `WrittenInput`, `metadata`, `webhookUrl`, and `asked` for the list or the word that names the
 * asks; with flags, each ask is a part of its own.
 */
export type Part = string;

export interface Form {
  readonly section: 'enrich' | 'bulk';
  readonly method: 'POST' | 'PUT' | 'GET';
  readonly path: string | Readonly<Partial<Record<Ask, string>>>;
  /** Every ask of the dialect, in its order; not each can be asked for in this form. */
  readonly asks: readonly Ask[];
  /** `names` has a value for each of them. */
  readonly ask: Enrich['ask'];
  readonly spots: ReadonlyMap<Part, Spot>;
  readonly constants: readonly (readonly [Spot, Scalar])[];
  /** The keys that lead to the list of items in the body; undefined if a request asks one enrichment. */
  readonly list: readonly string[] | undefined;
}

export const singleForm = madeOnce(makeSingleForm);

export const bulkForm = madeOnce(makeBulkForm);

function makeSingleForm(sections: Sections): Form | undefined {
  const { enrich } = sections;
  if (enrich === null) return undefined;
  const { in: home } = enrich;
  return createForm({ ...enrich, asks: asksOf(sections) }, 'enrich', {
    inputs: { where: home, keys: [] },
    item: home,
    asks: home,
    call: home,
    list: undefined,
  });
}

function makeBulkForm(sections: Sections): Form | undefined {
  const { bulk, enrich } = sections;
  const { path } = bulk;
  if (path === null) return undefined;
  const inputs = Object.fromEntries(
    WRITTEN_INPUTS.map((name) => [name, itemInputOf(name, bulk, enrich)]),
  ) as Record<WrittenInput, string | null>;
  return createForm({ ...bulk, method: 'POST', asks: asksOf(sections), path, inputs }, 'bulk', {
    inputs: { where: 'item', keys: keysOf('item', bulk.input) },
    item: 'item',
    asks: bulk.ask.in === 'call' ? 'body' : 'item',
    call: 'body',
    list: keysOf('body', bulk.items),
  });
}

function itemInputOf(name: WrittenInput, bulk: Bulk, enrich: Enrich | null): string | null {
  const own = bulk.inputs[name];
  if (own !== null) return own === false ? null : own;
  if (enrich !== null) return enrich.inputs[name];
  return INPUTS.some((input) => input === name) ? name : null;
}

interface Homes {
  readonly inputs: Spot;
  readonly item: Where;
  readonly asks: Where;
  readonly call: Where;
  readonly list: readonly string[] | undefined;
}

function createForm(
  section: Pick<Form, 'method' | 'path' | 'ask' | 'asks'> &
    Pick<Enrich, 'inputs' | 'metadata' | 'webhookUrl' | 'constants'>,
  name: Form['section'],
  homes: Homes,
): Form {
  const { asks, webhookUrl } = section;
  const custom = Object.fromEntries(asks.map((one) => [one, one]));
  const ask = { ...section.ask, names: { ...custom, ...section.ask.names } };
  const spots = new Map<Part, Spot>();
  const place = (part: Part, where: Where, at: Scalar | null) => {
    if (typeof at === 'string') spots.set(part, { where, keys: keysOf(where, at) });
  };
  if (ask.as === 'flags') for (const one of asks) place(one, homes.asks, ask.names[one] ?? null);
  else if (ask.as !== 'none') place('asked', homes.asks, ask.at);
  for (const input of WRITTEN_INPUTS) {
    const at = section.inputs[input];
    const { where, keys } = homes.inputs;
    if (at !== null) spots.set(input, { where, keys: [...keys, ...keysOf(where, at)] });
  }
  place('metadata', homes.item, section.metadata);
  if (webhookUrl === null || typeof webhookUrl === 'string') {
    place('webhookUrl', homes.call, webhookUrl);
  } else if ('header' in webhookUrl) {
    place('webhookUrl', 'header', webhookUrl.header.toLowerCase());
  } else {
    place('webhookUrl', 'query', webhookUrl.query);
  }
  const constants = Object.entries(section.constants).map(
    ([at, value]) => [{ where: homes.call, keys: keysOf(homes.call, at) }, value] as const,
  );
  const { method, path } = section;
  return { section: name, method, path, ask, asks, spots, constants, list: homes.list };
}

function keysOf(where: Where, at: string): readonly string[] {
  if (where === 'query' || where === 'header') return [at];
  return at === '.' ? [] : at.split('.');
}

/** Whether every call takes first and last name as one text, and neither by itself. */
export function takesWholeName(sections: Sections): boolean {
  const forms = [singleForm(sections), bulkForm(sections)].filter((form) => form !== undefined);
  return forms.every(
    ({ spots }) => spots.has('fullName') && !spots.has('firstName') && !spots.has('lastName'),
  );
}

/** The path of a request for all of these asks; undefined if they have no path in common. */
export function pathFor({ path }: Form, ask: readonly Ask[]): string | undefined {
  if (typeof path === 'string') return path;
  const [own, ...others] = new Set(ask.map((one) => path[one]));
  return others.length === 0 ? own : undefined;
}

export function pathsOf(path: Form['path'] | null): readonly string[] {
  if (path === null) return [];
  return typeof path === 'string'
    ? [path]
    : [...new Set(Object.values(path))].flatMap((one) => one ?? []);
}

export function canAsk(form: Form, ask: readonly Ask[]): boolean {
  const { as, names } = form.ask;
  if (pathFor(form, ask) === undefined) return false;
  if (as === 'word') return wordFor(form, ask) !== undefined;
  return ask.every((one) => names[one] !== null);
}

export function offeredAsks(dialect: Sections): Ask[] {
  const forms = [singleForm(dialect), bulkForm(dialect)].flatMap((form) => form ?? []);
  return asksOf(dialect).filter((ask) => forms.some((form) => canAsk(form, [ask])));
}

/** Whether all items of a bulk call have to ask for the same: it is said once for all, or by the path. */
export function asksAlike({ bulk }: Sections): boolean {
  const isSaidOnce = bulk.ask.in === 'call' && bulk.ask.as !== 'none';
  return isSaidOnce || (bulk.path !== null && typeof bulk.path !== 'string');
}

export function wordFor({ ask: { names } }: Form, ask: readonly Ask[]): Scalar | undefined {
  const words: Readonly<Partial<Record<string, Scalar | null>>> = names;
  return words[combinationOf(ask)] ?? undefined;
}

/**
 * The inputs as they are written, in the order of WRITTEN_INPUTS. If each ask has a path of its own, only the inputs
 * that the asks need by `requires`: other paths know other inputs.
 */
export function writtenInputs(
  form: Form,
  { ask, inputs }: { readonly ask: readonly Ask[]; readonly inputs: Inputs },
  requires: Requirements,
): ReadonlyMap<WrittenInput, string> {
  const known = typeof form.path === 'string' ? inputs : neededInputs({ ask, inputs }, requires);
  const { firstName, lastName, companyDomain, companyName } = known;
  const values: Readonly<Partial<Record<WrittenInput, string | undefined>>> = {
    ...known,
    fullName: [firstName, lastName].filter((name) => name !== undefined).join(' '),
    company: companyDomain ?? companyName,
  };
  const written = new Map<WrittenInput, string>();
  for (const name of WRITTEN_INPUTS) {
    const value = values[name];
    if (value !== undefined && value !== '') written.set(name, value);
  }
  return written;
}

function neededInputs(
  { ask, inputs }: { readonly ask: readonly Ask[]; readonly inputs: Inputs },
  requires: Requirements,
): Inputs {
  const needed = new Set(ask.flatMap((one) => needsOf(requires, one).flat()));
  return Object.fromEntries(
    INPUTS.flatMap((name) => (needed.has(name) ? [[name, inputs[name]]] : [])),
  );
}
