// Proves the origin of a delivery: by the dialect's secret in its body or a header, and by its signature.
import { createHash, createHmac } from 'node:crypto';
import type { WebhookProofs } from '../../dialect/webhooks.js';
import type { JsonObject, JsonValue } from '../../model/text/json.js';
import type { Written } from './post-json.js';

export interface Proving {
  readonly webhooks: WebhookProofs;
  /** The secret of hooks that have none of their own, and of the URLs of requests. */
  readonly webhookSecret: string | undefined;
  readonly apiKey: string;
}

interface Prover {
  /** The secret in a neutral body; the translation moves it to the dialect's place. */
  readonly neutral: JsonObject;
  /** The secret at its place in a body that is not translated. */
  readonly inBody: JsonObject;
  /** The body as text, and the headers. */
  prove(body: JsonValue): Written;
}

/** `own` is the secret of the hook. */
export function proverOf(
  { webhooks, webhookSecret, apiKey }: Proving,
  own: string | undefined,
): Prover {
  const { secret: place, signature } = webhooks;
  const secret = own ?? webhookSecret;
  const hash = () => createHash('sha256').update(apiKey).digest('hex');
  const token = place?.of === 'key' ? hash() : secret;
  const isInBody = place !== null && 'at' in place && token !== undefined;
  const headers: Record<string, string> = {};
  if (place !== null && 'header' in place && token !== undefined) headers[place.header] = token;
  return {
    neutral: isInBody ? { secret: token } : {},
    inBody: isInBody ? nested(place.at.split('.'), token) : {},
    prove: (body) => {
      const text = JSON.stringify(body);
      const key = signature?.secret === 'key' ? apiKey : secret;
      if (signature === null || key === undefined) return { body: text, headers };
      const value = createHmac(signature.hash, key).update(text).digest(signature.encoding);
      return { body: text, headers: { ...headers, [signature.header]: value } };
    },
  };
}

/** An object that holds the text under these keys, the outermost first. */
export function nested([key = '', ...rest]: readonly string[], text: string): JsonObject {
  return { [key]: rest.length === 0 ? text : nested(rest, text) };
}
