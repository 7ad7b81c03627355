// From the bytes of a body to what is kept: proves that it is JSON and genuine, and takes the secret out.
import { isUtf8 } from 'node:buffer';
import type { CorrelationKind } from '../../model/correlation-key.js';
import { JSON_LEVELS_MAX, type JsonValue } from '../../model/text/json.js';
import { REFUSALS, type Refusal } from '../refusals.js';
import { excessIn } from './excess-in.js';
import type { WebhookSecret } from './webhook-secret.js';

/**
 * Reading JSON keeps all other requests waiting, for up to a microsecond a value. A result without any long text
 * has one in 17 bytes, so that 8 MiB of results have fewer.
 */
export const JSON_VALUES_MAX = 500_000;

export interface OpenedBody {
  /** The JSON text without its secret; the very text that came, where it holds none. */
  readonly text: string;
  /** What it says. */
  readonly value: JsonValue;
}

export function openBody(
  bytes: Buffer,
  kind: CorrelationKind,
  secret: WebhookSecret,
): OpenedBody | Refusal {
  if (!isUtf8(bytes)) return REFUSALS.notJson;
  const excess = excessIn(bytes, { levels: JSON_LEVELS_MAX, values: JSON_VALUES_MAX });
  if (excess !== undefined) return excess === 'levels' ? REFUSALS.tooDeep : REFUSALS.tooManyValues;
  const text = bytes.toString('utf8');
  const maybeHeld = secret.mayBeIn(text);
  // Whatever else it says, it does not bring the secret.
  if (!maybeHeld && !secret.isRight(kind, undefined)) return REFUSALS.wrongSecret;
  const value = parse(text);
  if (typeof value !== 'object' || value === null) return REFUSALS.notJson;

  const holders = holdersIn(value);
  const given = holders.length === 0 ? [undefined] : holders.map((holder) => holder.secret);
  if (!given.every((one) => secret.isRight(kind, one))) return REFUSALS.wrongSecret;
  for (const holder of holders) delete holder.secret;
  // What was parsed is JSON, and stays so without the secrets.
  const json = value as JsonValue;
  if (maybeHeld) secret.takeOutOf(json);
  const isChanged = maybeHeld || holders.length > 0;
  return { text: isChanged ? JSON.stringify(json) : text, value: json };
}

interface Holder {
  secret?: unknown;
}

/** The body, and the records that stand in its arrays: a platform that sends several may repeat its secret in each. */
function holdersIn(body: object): Holder[] {
  const lists: unknown[][] = Array.isArray(body)
    ? [body]
    : Object.values(body).filter(Array.isArray);
  const holders = isHolder(body) ? [body] : [];
  for (const list of lists) {
    for (const record of list) if (isHolder(record)) holders.push(record);
  }
  return holders;
}

function isHolder(record: unknown): record is Holder {
  return typeof record === 'object' && record !== null && Object.hasOwn(record, 'secret');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
