// Writes paid requests in the dialect's form: the asks, the inputs, and the address to deliver to. It sends nothing.
import type { Dialect } from '../../dialect/dialect.js';
import {
  bulkForm,
  canAsk,
  type Form,
  pathFor,
  type Spot,
  singleForm,
  wordFor,
  writtenInputs,
} from '../../dialect/forms.js';
import { type Ask, type EnrichmentRequest, inOrder } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import type { JsonObject, JsonValue } from '../../model/text/json.js';
import { wellFormed, withValueAt } from '../wire/request.js';

export interface Asking {
  readonly request: EnrichmentRequest;
  readonly key: string | undefined;
}

export interface WrittenRequest {
  readonly method: 'POST' | 'PUT' | 'GET';
  /** The path as the dialect has it, without its prefix; it may have a query of its own. */
  readonly path: string;
  /** The parameters in the order of their writing; not yet encoded. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Headers in lower case, except those of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, sent as JSON; undefined for none. */
  readonly body: JsonValue | undefined;
}

type Written = readonly [Spot, JsonValue];

/** docs/platform-api.md, POST /enrich. Throws SluiceError `usage` if it cannot be asked for in one request. */
export function writeSingle(
  asking: Asking,
  dialect: Dialect,
  callbackUrl?: string,
): WrittenRequest {
  const form = singleForm(dialect);
  if (form === undefined) throw cannotAsk('enrich', asking.request.ask);
  return write(form, [asking], dialect, callbackUrl);
}

/**
 * The bulk call for these enrichments; if the dialect states the asks once for all, all must ask for the same
 * (docs/platform-api.md, POST /enrich/bulk).
 * @throws SluiceError `usage` if the dialect cannot ask for all of it in one request
 */
export function writeBulk(
  askings: readonly Asking[],
  dialect: Dialect,
  callbackUrl?: string,
): WrittenRequest {
  const form = bulkForm(dialect);
  if (form === undefined) throw cannotAsk('bulk', []);
  return write(form, askings, dialect, callbackUrl);
}

function write(
  form: Form,
  askings: readonly Asking[],
  dialect: Dialect,
  callbackUrl: string | undefined,
): WrittenRequest {
  const [first] = askings;
  const ask = first?.request.ask ?? [];
  const path = pathFor(form, ask);
  const lacking = askings.find(({ request }) => !canAsk(form, request.ask));
  if (path === undefined || lacking !== undefined) {
    throw cannotAsk(form.section, (lacking ?? first)?.request.ask ?? []);
  }
  const items = askings.map((asking) => partsOf(form, asking, dialect));
  const callback = form.spots.get('webhookUrl');
  const all: Written[] = [
    ...(items[0] ?? []),
    ...(callback === undefined || callbackUrl === undefined
      ? []
      : [[callback, callbackUrl] as const]),
    ...form.constants,
  ];
  const { list, method } = form;
  let body: JsonValue | undefined = bodyOf(all, 'body');
  if (list !== undefined) {
    const array = items.map((parts) => bodyOf(parts, 'item') ?? {});
    body = list.length === 0 ? array : withValueAt(body ?? {}, list, array);
  }
  const headers = Object.fromEntries(textsAt(all, 'header'));
  return { method, path, query: textsAt(all, 'query'), headers, body };
}

function partsOf(form: Form, { key, request }: Asking, dialect: Dialect): Written[] {
  const { spots } = form;
  const inputs = [...writtenInputs(form, request, dialect.requires)].flatMap(
    ([name, value]): Written[] => writtenAt(spots.get(name), wellFormed(value)),
  );
  const keys = key === undefined ? [] : writtenAt(spots.get('metadata'), key);
  return [...asksOf(form, request.ask), ...inputs, ...keys];
}

function asksOf(form: Form, asked: readonly Ask[]): Written[] {
  const { ask, asks, spots } = form;
  const at = spots.get('asked');
  switch (ask.as) {
    case 'flags':
      return asks.flatMap((one) => {
        const value = asked.includes(one) ? ask.flag : ask.unasked;
        return value === null ? [] : writtenAt(spots.get(one), value);
      });
    case 'list': {
      const words = inOrder(asked).flatMap((one) => ask.names[one] ?? []);
      return writtenAt(at, words);
    }
    case 'word': {
      const word = wordFor(form, asked);
      return word === undefined ? [] : writtenAt(at, word);
    }
    case 'none':
      return [];
  }
}

function writtenAt(spot: Spot | undefined, value: JsonValue): Written[] {
  return spot === undefined ? [] : [[spot, value]];
}

function bodyOf(all: readonly Written[], where: 'body' | 'item'): JsonObject | undefined {
  const own = all.filter(([spot]) => spot.where === where);
  if (own.length === 0) return undefined;
  return own.reduce<JsonObject>((body, [{ keys }, value]) => withValueAt(body, keys, value), {});
}

function textsAt(all: readonly Written[], where: 'query' | 'header'): [string, string][] {
  return all.flatMap(([spot, value]): [string, string][] =>
    spot.where === where
      ? [[spot.keys.join(''), typeof value === 'string' ? value : JSON.stringify(value)]]
      : [],
  );
}

function cannotAsk(section: Form['section'], ask: readonly Ask[]): SluiceError {
  return new SluiceError(
    'usage',
    `The dialect cannot ask for ${ask.join(' and ')} in one request (${section}). Make one job for each.`,
  );
}
