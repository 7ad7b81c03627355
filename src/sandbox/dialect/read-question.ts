// Reads a paid request in a dialect's form into the neutral one: the asks, the inputs, and the address to deliver to.
// It is as forgiving as platforms are: a flag may say no, and options of a body may stand in the query and the other
// way round.
import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect } from '../../dialect/dialect.js';
import {
  bulkForm,
  canAsk,
  type Form,
  pathFor,
  type Spot,
  singleForm,
  wordFor,
} from '../../dialect/forms.js';
import { subsetsOf } from '../../dialect/question.js';
import type { Call } from '../../dialect/wire-calls.js';
import { type Ask, INPUTS, sufficientAsks } from '../../model/ask.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/text/json.js';
import { isDomain } from '../judge-inputs.js';
import { flagOf } from '../routes/read-enrichment.js';
import { type OnStrange, type RawQuery, Refusal } from '../routes/read-request.js';
import type { DialectReading } from './read-request.js';
import { keepMetadata, readPlaces } from './wire-places.js';

interface RawRequest {
  readonly query: RawQuery;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** The values of a request by the parts of its form; a part that a client sent twice is a list. */
type Values = Readonly<Record<string, JsonValue>>;

/** Query and body in neutral words. */
export type NeutralRequest = Pick<RawRequest, 'query' | 'body'>;

/** @throws Refusal 400 for a part that the dialect does not have */
export function readSingle(
  { ownPath }: Call,
  request: RawRequest,
  { dialect, onStrange }: DialectReading,
): NeutralRequest {
  const form = orNone(singleForm(dialect));
  const values = readCall(form, request, onStrange);
  const { ask, input, metadata } = readOne({ form, ownPath, dialect }, values, values);
  const flags = form.asks.flatMap((one) =>
    Array.isArray(ask) && ask.includes(one) ? [[flagOf(one), 'true'] as const] : [],
  );
  const others = { ...input, metadata, webhookUrl: values['webhookUrl'] };
  const texts = Object.entries(others).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, textOf(name, value)] as const],
  );
  return { query: Object.fromEntries([...flags, ...texts]), body: undefined };
}

/** @throws Refusal 400 for a part that the dialect does not have */
export function readMany(
  { ownPath }: Call,
  request: RawRequest,
  { dialect, onStrange }: DialectReading,
): NeutralRequest {
  const form = orNone(bulkForm(dialect));
  const values = readCall(form, request, onStrange);
  const { webhookUrl } = values;
  const list = form.list?.length === 0 ? request.body : values['items'];
  if (!Array.isArray(list)) {
    throw new Refusal(400, `The body must have an array at ${dialect.bulk.items}.`);
  }
  const items = list.map((item: unknown) => {
    const own = readPlaces(item, placesOf(form, ['item']), onStrange, 'An item');
    const { ask, input, metadata } = readOne({ form, ownPath, dialect }, own, values);
    const head = { input, enrichmentRequests: ask };
    return metadata === undefined ? head : { ...head, metadata };
  });
  const query = webhookUrl === undefined ? {} : { webhookUrl: textOf('webhookUrl', webhookUrl) };
  return { query, body: items };
}

function orNone(form: Form | undefined): Form {
  if (form === undefined) throw new Refusal(404, 'There is nothing at this path.');
  return form;
}

function textOf(name: string, value: JsonValue): string | readonly string[] {
  if (typeof value === 'string') return value;
  // The route itself refuses values that are given twice.
  if (Array.isArray(value)) return value.map(String);
  throw new Refusal(400, `The value of ${name} must be a text.`);
}

/** The values beside the items, from query, headers and body. */
function readCall(form: Form, { query, headers, body }: RawRequest, onStrange: OnStrange): Values {
  const inBody = placesOf(form, ['body']);
  const inQuery = placesOf(form, ['query']);
  const parts = new Map([
    ...Object.entries(inBody).map(([part, path]) => [path, part] as const),
    ...Object.entries(inQuery).map(([part, path]) => [path, part] as const),
  ]);
  const values: Record<string, JsonValue> = {};
  const isList = form.list?.length === 0;
  if (isJsonObject(body) && !isList) {
    const own = form.list === undefined ? inBody : { ...inBody, items: form.list.join('.') };
    const heads = new Set(Object.values(own).map((path) => path.split('.')[0]));
    const others = Object.entries(inQuery).filter(([, path]) => !heads.has(path.split('.')[0]));
    Object.assign(values, readPlaces(body, { ...own, ...Object.fromEntries(others) }, onStrange));
  } else if (body !== undefined && body !== null && !isList && isInBody(form)) {
    throw new Refusal(400, 'The body must be an object.');
  }
  for (const [name, value] of Object.entries(query)) {
    const part = parts.get(name);
    if (part === undefined) onStrange(`The parameter ${name.slice(0, 50)} is unknown.`);
    else values[part] = typeof value === 'string' ? value : [...value];
  }
  for (const [part, path] of Object.entries(placesOf(form, ['header']))) {
    const value = headers[path];
    if (typeof value === 'string') values[part] = value;
  }
  return values;
}

function isInBody(form: Form): boolean {
  return form.list !== undefined || Object.keys(placesOf(form, ['body'])).length > 0;
}

/**
 * The paths of the parts at these places; the paths of constants, and of a client's own keys, have names of their own.
 */
function placesOf(form: Form, where: readonly Spot['where'][]): Readonly<Record<string, string>> {
  const constants = form.constants.map(([spot]) => [`=${spot.keys.join('.')}`, spot] as const);
  const own = form.own === undefined ? [] : [[OWN, form.own] as const];
  return Object.fromEntries(
    [...form.spots, ...constants, ...own].flatMap(([part, spot]) =>
      where.includes(spot.where) ? [[part, spot.keys.join('.')] as const] : [],
    ),
  );
}

/** The name of the object with a client's own keys. */
const OWN = '=own';

interface Reading {
  readonly form: Form;
  readonly ownPath: string;
  readonly dialect: Dialect;
}

interface One {
  readonly ask: JsonValue;
  readonly input: JsonObject;
  readonly metadata: JsonValue | undefined;
}

/** `own`: the values of an item; `shared`: those beside the list, or the same for a single call. */
function readOne(reading: Reading, own: Values, shared: Values): One {
  const input = readInput(reading.form, own);
  const ask = readAsk(reading, { ...shared, ...own }, input);
  return { ask, input, metadata: readMetadata(reading.form, own) };
}

/** The client's keys, except those that are other parts of the request. */
function readMetadata({ own, spots }: Form, values: Values): JsonValue | undefined {
  const keys = values[OWN];
  const { metadata } = values;
  if (own === undefined || !isJsonObject(keys)) return metadata;
  const depth = own.keys.length;
  const others = [...spots].flatMap(([part, spot]) => {
    const isInside = own.keys.every((key, i) => spot.keys[i] === key);
    return part === 'metadata' || !isInside ? [] : [spot.keys[depth]];
  });
  const left = Object.entries(keys).filter(([key]) => !others.includes(key));
  return keepMetadata(Object.fromEntries(left), spots.get('metadata')?.keys.at(-1) ?? '');
}

function readInput({ spots }: Form, values: Values): JsonObject {
  const given = INPUTS.flatMap((name) => {
    const value = values[name];
    return value === undefined || value === null ? [] : [[name, value] as const];
  });
  const input: Record<string, JsonValue> = Object.fromEntries(given);
  const { fullName, company } = values;
  if (typeof fullName === 'string') {
    // A part of the name with a place of its own counts as empty if it is absent.
    const known = ['firstName', 'lastName'] as const;
    const given = known.flatMap((name) => (spots.has(name) ? [[name, input[name] ?? '']] : []));
    Object.assign(input, readName(fullName.trim(), Object.fromEntries(given)));
  }
  const isKnown = [input['companyDomain'], input['companyName']].includes(company);
  if (typeof company === 'string' && !isKnown) {
    const mayBeDomain = !spots.has('companyDomain') && isDomain(company.trim());
    input[mayBeDomain ? 'companyDomain' : 'companyName'] ??= company;
  }
  return input;
}

/**
 * The first and last name of a whole name, unless they are given by themselves; the last word is the last name. A
 * single word is both: a reader of the whole name takes it as such.
 */
function readName(fullName: string, { firstName, lastName }: JsonObject): JsonObject {
  if (typeof firstName === 'string') {
    const rest = fullName.slice(firstName.length).trim();
    return rest === '' || lastName !== undefined ? {} : { lastName: rest };
  }
  const blank =
    typeof lastName === 'string'
      ? fullName.length - lastName.length
      : fullName.lastIndexOf(' ') + 1;
  const [first, last] = [fullName.slice(0, blank).trim(), fullName.slice(blank)];
  if (lastName !== undefined) return first === '' ? {} : { firstName: first };
  return { firstName: first === '' ? last : first, lastName: last };
}

/**
 * The asks that the client would write like this. If several sets are possible, as at a path that alone names the ask,
 * it is the largest for which the inputs suffice. A value that is not a list is left for the route to refuse.
 */
function readAsk(
  { form, ownPath, dialect }: Reading,
  values: Values,
  input: JsonObject,
): JsonValue {
  const { as } = form.ask;
  const { asked } = values;
  if (as === 'list' && asked !== undefined && !Array.isArray(asked)) return asked;
  const said = as === 'flags' ? flagsIn(form, values) : wordsIn(as === 'none' ? [] : asked);
  if (said === '' && as !== 'none') return [];
  const candidates = subsetsOf(form.asks).filter(
    (ask) => canAsk(form, ask) && pathFor(form, ask) === ownPath && saidBy(form, ask) === said,
  );
  const suffices = (ask: readonly Ask[]) =>
    sufficientAsks(ask, input, dialect.requires).lacking.length === 0;
  const ask = candidates.findLast(suffices) ?? candidates.at(-1);
  if (ask !== undefined) return ask;
  throw new Refusal(400, `No enrichment can ask for ${said.slice(0, 50)}.`);
}

/** The text of asks; sets that are written alike have the same text. */
function saidBy(form: Form, ask: readonly Ask[]): string {
  const { as, names } = form.ask;
  if (as === 'none') return '';
  if (as === 'word') return wordsIn([wordFor(form, ask) ?? null]);
  return wordsIn(ask.map((one) => names[one] ?? null));
}

function wordsIn(asked: JsonValue | undefined): string {
  const words = Array.isArray(asked) ? asked : [asked ?? null];
  // A query has only texts.
  const texts = words.flatMap((word) =>
    word === null ? [] : JSON.stringify(typeof word === 'object' ? word : String(word)),
  );
  return [...new Set(texts)].sort().join(', ');
}

/** @throws Refusal 400 for a flag with another value */
function flagsIn({ ask: { flag, names, unasked }, asks }: Form, values: Values): string {
  const on = asks.filter((one) => {
    const value = values[one] ?? null;
    if (value === null) return false;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (text === String(flag)) return true;
    if (text === 'false' || text === String(unasked)) return false;
    throw new Refusal(400, `The value of ${names[one]} must be ${JSON.stringify(flag)}.`);
  });
  return wordsIn(on.map((one) => names[one] ?? null));
}
