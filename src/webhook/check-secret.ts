// The secret that the platform sends back in the body (platform-api.md, Webhook secret).
import { createHash, timingSafeEqual } from 'node:crypto';
import type { CorrelationKind } from '../domain/correlation-key.js';

/**
 * `given` is undefined where the body has none. A hook has to bring it: its address is one for all its
 * deliveries, and stands in the platform's settings. Elsewhere the key in the address is proof enough, and
 * a secret only may not be wrong.
 */
export type SecretCheck = (kind: CorrelationKind, given: unknown) => boolean;

/** Without a configured secret everything is right. Takes as long for every wrong one. */
export function createSecretCheck(secret: string | undefined): SecretCheck {
  if (secret === undefined) return () => true;
  // Digests are of one length, whatever is given.
  const expected = sha256(secret);
  return (kind, given) => {
    if (given === undefined) return kind !== 'hook';
    return typeof given === 'string' && timingSafeEqual(sha256(given), expected);
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
