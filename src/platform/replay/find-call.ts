// Finds the dialect's call of a recorded exchange: by method and path, with the values in its path.
import type { Dialect } from '../../dialect/dialect.js';
import type { Exchange } from '../../dialect/transcript/recorded.js';
import {
  type Call,
  type CallName,
  callsOf,
  matchCall,
  type Values,
} from '../../dialect/wire-calls.js';
import { valueAt } from '../../dialect/wire-path.js';
import { decoded } from '../../model/text/address.js';
import { parseJson } from '../../model/text/json.js';

interface Found {
  readonly name: CallName;
  /** The values of the path's placeholders, decoded. */
  readonly values: Values;
  /** Set if no call is at this path, and the lines above the exchange say that it is meant as a submission. */
  readonly isMeant?: true;
}

/** The call; undefined if the dialect has no such call, and the exchange is not meant as a submission either. */
export function findCall(part: Exchange, dialect: Dialect): Found | undefined {
  const match = matchOf(part, dialect);
  if (match === undefined) {
    return part.isAsking
      ? { name: submissionOf(part, dialect), values: {}, isMeant: true }
      : undefined;
  }
  const values = Object.entries(match.values).map(([name, value]) => [
    name,
    decoded(value.replaceAll('+', ' ')),
  ]);
  return { name: match.call.name, values: Object.fromEntries(values) as Values };
}

/** The flaw of an exchange that is not a call of the dialect: a sentence without a full stop. */
export function noCall({ question }: Exchange, dialect: Dialect): string {
  const { method, target } = question;
  const calls = callsOf(dialect).map((call) => `${call.method} ${call.path}`);
  return `the dialect has no call ${method} ${target.replace(/\?.*/s, '')}; it has ${calls.join(', ')}`;
}

/** The call at a place; of two, the bulk call if the body has a list of items. */
function matchOf({ question }: Exchange, dialect: Dialect) {
  const { method, target, body } = question;
  const fits = (calls: readonly Call[]) => matchCall(calls, method, target);
  const match = fits(callsOf(dialect));
  if (match?.call.name !== 'enrich') return match;
  const isList = Array.isArray(valueAt(parseJson(body), dialect.bulk.items));
  const bulk = callsOf(dialect).filter(({ name }) => name === 'bulk');
  return isList ? (fits(bulk) ?? match) : match;
}

function submissionOf({ leads }: Exchange, { bulk, enrich }: Dialect): CallName {
  const isBulk = enrich === null || (leads.length > 1 && bulk.path !== null);
  return isBulk ? 'bulk' : 'enrich';
}
