// From the bytes of a body to what is kept: proves that it is JSON and genuine, and takes the secret out.
import { isUtf8 } from 'node:buffer';
import type { CorrelationKind } from '../domain/correlation-key.js';
import { JSON_LEVELS_MAX, type JsonValue } from '../domain/json.js';
import type { SecretCheck } from './check-secret.js';
import { isTooDeep } from './is-too-deep.js';
import { REFUSALS, type Refusal } from './refusals.js';

export interface OpenedBody {
  /** The JSON text without its secret; the very text that came, where it holds none. */
  readonly text: string;
  /** What it says. */
  readonly value: JsonValue;
}

export function openBody(
  bytes: Buffer,
  kind: CorrelationKind,
  isSecretRight: SecretCheck,
): OpenedBody | Refusal {
  if (!isUtf8(bytes)) return REFUSALS.notJson;
  if (isTooDeep(bytes, JSON_LEVELS_MAX)) return REFUSALS.tooDeep;
  const text = bytes.toString('utf8');
  const value = parse(text);
  if (typeof value !== 'object' || value === null) return REFUSALS.notJson;

  const holders = recordsIn(value).filter((record) => Object.hasOwn(record, 'secret'));
  const given = holders.length === 0 ? [undefined] : holders.map(({ secret }) => secret);
  if (!given.every((secret) => isSecretRight(kind, secret))) return REFUSALS.wrongSecret;
  // What was parsed is JSON, and stays so without the secrets.
  const json = value as JsonValue;
  if (holders.length === 0) return { text, value: json };
  for (const holder of holders) delete holder.secret;
  return { text: JSON.stringify(value), value: json };
}

interface WireRecord {
  secret?: unknown;
}

/** The body, and the records that stand in its arrays: a platform that sends several may repeat its secret in each. */
function recordsIn(body: object): WireRecord[] {
  const lists = Array.isArray(body) ? [body] : Object.values(body).filter(Array.isArray);
  const records: unknown[] = [body, ...lists.flat()];
  return records.filter(
    (record): record is WireRecord => typeof record === 'object' && record !== null,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
