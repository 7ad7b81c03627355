// Reads the query and the JSON body of a request, for every route, and refuses wrong ones.
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import {
  type Ask,
  INPUTS,
  type InputName,
  type Inputs,
  needsOf,
  type Requirements,
} from '../../model/ask.js';
import { parseUrl } from '../../model/text/address.js';

/** A parameter that was given twice is a list. */
export type RawQuery = Readonly<Record<string, string | readonly string[]>>;

/** Ends a request: the error handler answers with the status and `{error: message}`. */
export class Refusal extends Error {
  constructor(
    readonly statusCode: 400 | 402 | 403 | 404 | 409,
    message: string,
  ) {
    super(message);
  }
}

/** @throws Refusal 400 with the sentence, if there is one */
export function refuseIf(sentence: string | undefined): void {
  if (sentence !== undefined) throw new Refusal(400, sentence);
}

/** Makes bodies JSON for all routes of this scope, whatever their content type says; any other body is answered 400. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, JSON.parse(body.toString()));
    } catch {
      done(new Refusal(400, 'The body is not JSON.'));
    }
  });
}

/** @throws Refusal 400 with the sentence for a body of another shape */
export function readBody<Body>(schema: z.ZodType<Body>, body: unknown, sentence: string): Body {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new Refusal(400, sentence);
  return parsed.data;
}

/** @throws Refusal 400 for a parameter that is unknown, given twice or too long */
export function readQuery<Name extends string>(
  query: RawQuery,
  known: readonly Name[],
): Readonly<Partial<Record<Name, string>>> {
  const values: Partial<Record<Name, string>> = {};
  for (const [name, value] of Object.entries(query)) {
    const own = known.find((one) => one === name);
    if (own === undefined) {
      throw new Refusal(400, `The parameter ${name.slice(0, 50)} is unknown.`);
    }
    if (typeof value !== 'string') {
      throw new Refusal(400, `The parameter ${name} is given more than once.`);
    }
    values[own] = value.trim();
  }
  refuseIf(findTooLong(values));
  return values;
}

const VALUE_LENGTH_MAX = 1000;

const DOMAIN =
  /^(?=.{1,253}$)([\p{L}\p{N}]([\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u;
const LOCAL_PART = /^[^\s@"(),:;<>[\]\\]{1,64}$/;

/** The given values, without space around them; a blank input counts as absent. */
export function readInputs(values: Readonly<Record<string, string | undefined>>): Inputs {
  const inputs: Partial<Record<InputName, string>> = {};
  for (const name of INPUTS) {
    const value = values[name]?.trim();
    if (value) inputs[name] = value;
  }
  return inputs;
}

export function findTooLong(
  values: Readonly<Record<string, string | undefined>>,
): string | undefined {
  for (const [name, value = ''] of Object.entries(values)) {
    if (value.length > VALUE_LENGTH_MAX) {
      return `The value of ${name} is longer than ${VALUE_LENGTH_MAX} characters.`;
    }
  }
  return undefined;
}

export function findMalformed({ email, companyDomain, socialUrl }: Inputs): string | undefined {
  if (email && !isEmail(email)) return 'The value of email is not an e-mail address.';
  if (companyDomain && !DOMAIN.test(companyDomain)) {
    return 'The value of companyDomain is not a domain.';
  }
  if (socialUrl && !isHttpUrl(socialUrl)) return 'The value of socialUrl is not an http(s) URL.';
  return undefined;
}

/** A sentence about the first ask whose inputs are not all there; `call` is the ask's name on the wire. */
export function findInsufficient(
  ask: readonly Ask[],
  inputs: Inputs,
  requires: Requirements,
  call: (ask: Ask) => string,
): string | undefined {
  const isPresent = (name: InputName): boolean => inputs[name] !== undefined;
  for (const name of ask) {
    const needs = needsOf(requires, name);
    if (needs.some((list) => list.every(isPresent))) continue;
    const alternatives = needs.map((list) => list.join(' + ')).join(', or ');
    return `The inputs do not suffice for ${call(name)}: it needs ${alternatives}.`;
  }
  return undefined;
}

/** Whether it is an http(s) URL; also true for a host that only URL parsing makes ASCII. */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s/]/i.test(text) || /\s/.test(text)) return false;
  return parseUrl(text) !== undefined;
}

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  return at > 0 && LOCAL_PART.test(text.slice(0, at)) && DOMAIN.test(text.slice(at + 1));
}
