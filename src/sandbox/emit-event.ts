// Asks a sandbox that runs elsewhere to emit an event, as the client of its control route.
import { z } from 'zod';
import { errnoOf, SluiceError } from '../model/errors.js';
import { parseUrl } from '../model/text/address.js';
import { isJsonObject, type JsonObject, parseJson } from '../model/text/json.js';

const TIMEOUT_MS = 10_000;
const EMITTED = z.object({
  record: z.custom<JsonObject>(isJsonObject),
  hooks: z.int().min(0),
  state: z.string().nullable(),
});
const REFUSED = z.object({ error: z.string() });

/** The record without any secret, the number of hooks to which it is sent, and the new state of its lead. */
export type Emitted = Readonly<z.infer<typeof EMITTED>>;

/**
 * `POST /sandbox/emit` of the sandbox at `url`.
 * @throws SluiceError `usage` for an address that is not a URL, or an event or field that the sandbox refuses;
 * `platform` when no sandbox answers there
 */
export async function emitEvent(
  url: string,
  event: { readonly type: string; readonly fields: JsonObject },
): Promise<Emitted> {
  const { status, body } = await post(addressOf(url), event);
  const emitted = EMITTED.safeParse(body);
  if (status === 200 && emitted.success) return emitted.data;
  const refused = REFUSED.safeParse(body);
  if (status === 400 && refused.success) throw new SluiceError('usage', refused.data.error);
  const message = `The server at ${url} is no sandbox of this version (status ${status}). Start one with "sluice sandbox", or name another with --url.`;
  throw new SluiceError('platform', message);
}

function addressOf(url: string): string {
  const parsed = parseUrl(url);
  const isPlain = parsed !== undefined && parsed.username === '' && parsed.password === '';
  if (isPlain && /^https?:$/.test(parsed.protocol)) {
    return `${parsed.origin}${parsed.pathname.replace(/(?<!\/)\/+$/, '')}/sandbox/emit`;
  }
  // The address may hold a password, so it is not repeated.
  const message =
    'The address of the sandbox is no http(s) URL without credentials; it is like http://127.0.0.1:8620.';
  throw new SluiceError('usage', message);
}

async function post(address: string, event: object): Promise<{ status: number; body: unknown }> {
  try {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: answer.status, body: parseJson(await answer.text()) };
  } catch (cause) {
    const message = `No sandbox can be reached at ${address}: ${reasonOf(cause)}. Start one with "sluice sandbox", or name another with --url.`;
    throw new SluiceError('platform', message, {}, { cause });
  }
}

// fetch only says "fetch failed"; the reason is in its cause.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`;
  const { cause } = error;
  return errnoOf(cause) ?? (cause instanceof Error ? cause.message : error.message);
}
