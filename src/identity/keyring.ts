// Correlation keys: short texts that only the owner of the state file can make, so that an address or a metadata field
// which comes back with one is recognised as ours without a search.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CorrelationKey, CorrelationKind, Keyring } from '../model/correlation-key.js';

const LETTER: Record<CorrelationKind, string> = {
  enrichment: 'e',
  batch: 'b',
  hook: 'h',
};
const KIND: Record<string, CorrelationKind> = {
  e: 'enrichment',
  b: 'batch',
  h: 'hook',
};

/** `<letter><id in base 36>.<scope>.<mac>`: at most 48 characters. The MAC covers all before its dot. */
const SHAPE = /^(([ebh])([0-9a-z]{1,11})\.([0-9a-f]{12}))\.([\w-]{22})$/;
const SCOPE = /^[0-9a-f]{12}$/;
/** The length of the MAC: 128 bits cannot be guessed. */
const MAC_BYTES = 16;
/** The text that is checked in place of one of another shape, so that it takes as long as any other wrong one. */
const NO_KEY = ['', '', '', '', '', ''.padEnd(22, '-')];

/**
 * `signingKey` is the store's (`DeliveryJournal.signingKey`). `hookSecret` goes into the MAC of a `hook`
 * key: a hook that was registered with another secret, or with none, has another address.
 *
 * A scope is the first 12 hexadecimal digits of an HMAC of the account text under the signing key: it
 * is part of addresses, and a bare digest there would let anyone test guesses of a user name.
 */
export function createKeyring(signingKey: Uint8Array, hookSecret?: string): Keyring {
  const hmac = (text: string): Buffer => createHmac('sha256', signingKey).update(text).digest();

  // No two texts under one MAC can be the same: only a hook's holds a line break, and only after a payload, which holds
  // none.
  const macOf = (kind: CorrelationKind, payload: string): string => {
    const text =
      kind === 'hook' && hookSecret !== undefined ? `${payload}\n${hookSecret}` : payload;
    return hmac(text).subarray(0, MAC_BYTES).toString('base64url');
  };

  return {
    scopeOf: (account) => hmac(`account\n${account}`).toString('hex').slice(0, 12),

    seal: ({ kind, scope, id }) => {
      if (!Number.isSafeInteger(id) || id < 0 || !SCOPE.test(scope)) {
        throw new Error(`${id} under ${scope} cannot be sealed: a whole number and a scope can.`);
      }
      const payload = `${LETTER[kind]}${id.toString(36)}.${scope}`;
      return `${payload}.${macOf(kind, payload)}`;
    },

    // The MAC is compared with the text itself, so every other spelling of a key (a leading zero, an upper-case letter,
    // the spare bits of base64) is a wrong one.
    open: (text): CorrelationKey | undefined => {
      const parts = SHAPE.exec(text);
      const [, payload = '', letter = '', id = '', scope = '', mac = ''] = parts ?? NO_KEY;
      const kind = KIND[letter] ?? 'enrichment';
      const isGenuine = timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(kind, payload)));
      if (!isGenuine || parts === null) return undefined;
      return { kind, scope, id: Number.parseInt(id, 36) };
    },
  };
}
