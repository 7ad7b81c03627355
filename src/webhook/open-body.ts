// From the bytes of a body to what is kept: proves that it is JSON and genuine, and takes the secret out.
import { isUtf8 } from 'node:buffer';
import type { CorrelationKind } from '../domain/correlation-key.js';
import type { SecretCheck } from './check-secret.js';
import { isTooDeep } from './is-too-deep.js';
import { REFUSALS, type Refusal } from './refusals.js';

/** A result has 8 levels (platform-api.md, Enrichment); an event has fewer. */
const LEVELS_MAX = 64;

/** The JSON text without its secret; the very text that came, where it holds none. */
export function openBody(
  bytes: Buffer,
  kind: CorrelationKind,
  isSecretRight: SecretCheck,
): string | Refusal {
  if (!isUtf8(bytes)) return REFUSALS.notJson;
  if (isTooDeep(bytes, LEVELS_MAX)) return REFUSALS.tooDeep;
  const text = bytes.toString('utf8');
  const value = parse(text);
  if (typeof value !== 'object' || value === null) return REFUSALS.notJson;

  const hasSecret = Object.hasOwn(value, 'secret');
  const given = hasSecret ? (value as { secret?: unknown }).secret : undefined;
  if (!isSecretRight(kind, given)) return REFUSALS.wrongSecret;
  if (!hasSecret) return text;
  delete (value as { secret?: unknown }).secret;
  return JSON.stringify(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
