// Opens the bytes of a body: checks that it is genuine and JSON, and takes the secret out.
import type { IncomingHttpHeaders } from 'node:http';
import type { CorrelationKind } from '../model/correlation-key.js';
import { JSON_LEVELS_MAX, type JsonValue, parseJson } from '../model/text/json.js';
import type { BodyReader } from '../ports/body.js';
import type { Proof } from './proof.js';
import { REFUSALS, type Refusal } from './refusals.js';

/**
 * Reading JSON keeps all other requests waiting, for up to a microsecond a value. A result without any long text
 * has a value in 17 bytes, so that 8 MiB of results have fewer values than this.
 */
export const JSON_VALUES_MAX = 500_000;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPENING_BRACKET, CLOSING_BRACKET] = [0x5b, 0x5d];
const [OPENING_BRACE, CLOSING_BRACE] = [0x7b, 0x7d];

export interface OpenedBody {
  /** The JSON text without its secret; the very text that came if none is configured and none stands in its place. */
  readonly text: string;
  readonly value: JsonValue;
}

export interface Delivered {
  readonly bytes: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly type: string | undefined;
  readonly kind: CorrelationKind;
}

export interface OpeningTerms {
  readonly proof: Proof;
  readonly readBody: BodyReader;
  readonly bytesMax: number;
  /** Whether there is room for so many bytes more, which are then taken. */
  readonly takeRoom: (bytes: number) => boolean;
}

export async function openBody(
  { bytes, headers, type, kind }: Delivered,
  { proof, readBody, bytesMax, takeRoom }: OpeningTerms,
): Promise<OpenedBody | Refusal> {
  const { secret, place } = proof;
  const refusal = proof.judgeSignature(headers, bytes);
  if (refusal !== undefined) return refusal;
  const inHeader = place !== null && 'header' in place;
  if (inHeader && !secret.isRight(kind, headers[place.header])) return REFUSALS.wrongSecret;
  const encoding = headers['content-encoding'];
  const { text, flaw } = await readBody(bytes, { encoding, type, bytesMax });
  if (flaw !== undefined) {
    return { ...REFUSALS[flaw.kind], error: `The delivery cannot be read: ${flaw.says}.` };
  }
  if (!takeRoom(Math.max(0, text.length - bytes.length))) return REFUSALS.tooBusy;
  return openText(text, kind, proof);
}

export function openText(
  text: string,
  kind: CorrelationKind,
  { secret, place }: Proof,
): OpenedBody | Refusal {
  const excess = excessIn(text, { levels: JSON_LEVELS_MAX, values: JSON_VALUES_MAX });
  if (excess !== undefined) return excess === 'levels' ? REFUSALS.tooDeep : REFUSALS.tooManyValues;
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) return REFUSALS.notJson;

  const at = place !== null && 'at' in place ? place.at : undefined;
  const holders = at === undefined ? [] : holdersIn(value, at);
  const isOwed = at !== undefined && !secret.isRight(kind, undefined);
  if (isOwed && holders.length === 0) return REFUSALS.wrongSecret;
  if (!holders.every(({ given }) => secret.isRight(kind, given))) return REFUSALS.wrongSecret;
  for (const holder of holders) holder.remove();
  // A member that a later one of the same name displaced is in no value: what may hold the secret is written anew.
  if (secret.takeOutOf === undefined && holders.length === 0) return { text, value };
  const rest = secret.takeOutOf?.(value) ?? value;
  return { text: JSON.stringify(rest), value: rest };
}

interface Holder {
  readonly given: unknown;
  readonly remove: () => void;
}

/** The body, and the records of its arrays: a platform that sends several may repeat its secret in each. */
function holdersIn(body: object, at: readonly string[]): Holder[] {
  const lists: unknown[][] = Array.isArray(body)
    ? [body]
    : Object.values(body).filter(Array.isArray);
  return [body, ...lists.flat()].flatMap((record) => holderIn(record, at));
}

/** None if nothing is there. Only own keys count. */
function holderIn(record: unknown, [key = '', ...rest]: readonly string[]): Holder[] {
  if (typeof record !== 'object' || record === null || !Object.hasOwn(record, key)) return [];
  const members = record as Record<string, unknown>;
  if (rest.length > 0) return holderIn(members[key], rest);
  return [{ given: members[key], remove: () => delete members[key] }];
}

export interface JsonBounds {
  /** The depth of arrays and objects; `[]` is one level. */
  readonly levels: number;
  /** The number of members of all arrays and objects together; an empty one counts as if it had one. */
  readonly values: number;
}

/**
 * The bound that is exceeded first, so that no later reader of the JSON has to follow it further. It takes a text that
 * need not be JSON, and is exact if it is. It is not recursive: eight million brackets cost little.
 */
export function excessIn(json: string, most: JsonBounds): keyof JsonBounds | undefined {
  let level = 0;
  let values = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json.charCodeAt(at);
    if (isInString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) {
      isInString = true;
    } else if (byte === COMMA) {
      values += 1;
    } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      level += 1;
      values += 1;
      if (level > most.levels) return 'levels';
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      level -= 1;
    }
    if (values > most.values) return 'values';
  }
  return undefined;
}
